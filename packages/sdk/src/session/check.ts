import { GatehouseError } from "../error.ts";
import { keep, type Server } from "../process-state.ts";
import { introspect } from "../server/tokens.ts";
import type { Status } from "./outcomes.ts";
import type { Payload } from "./payload.ts";

const ACTIVE: Status = { kind: "active" };

/**
 * Is the session active? The answer is at most `checkSeconds` old, and shared by all requests of the process; `live`, and
 * 0 seconds, always ask. PK-33.
 */
export function check(
  payload: Payload,
  { checkSeconds, live }: { checkSeconds: number; live: boolean },
  server: Server,
): Promise<Status> {
  const { checks } = server.state;
  const now = server.settings.now();
  const known = checks.get(payload.accessToken);
  if (!live && known && now - known.at < checkSeconds * 1000) return known.result;
  if (!live && now < server.state.downUntil) return Promise.resolve(unknown("the server did not answer just now"));

  const result = ask(payload, server);
  const entry = { result, at: now };
  keep(checks, payload.accessToken, entry);
  void result.then(({ kind }) => {
    if (kind === "unknown" && checks.get(payload.accessToken) === entry) checks.delete(payload.accessToken);
  });
  return result;
}

/** The server has just vouched for these tokens. `at`: when it was asked, in milliseconds. */
export function markActive({ accessToken }: Pick<Payload, "accessToken">, at: number, { state }: Server): void {
  keep(state.checks, accessToken, { result: Promise.resolve(ACTIVE), at });
}

async function ask({ accessToken, userId, environment }: Payload, server: Server): Promise<Status> {
  try {
    const answer = await introspect(server, accessToken);
    if (!answer.active) return { kind: "inactive" };
    const isSame = answer.sub === userId && answer["environment"] === environment; // PK-36
    return isSame ? ACTIVE : { kind: "foreign" };
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    server.settings.onError(error);
    return { kind: "unknown", error };
  }
}

const unknown = (message: string): Status => ({ kind: "unknown", error: new GatehouseError("unavailable", message) });
