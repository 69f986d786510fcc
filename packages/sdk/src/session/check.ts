import { GatehouseError } from "../error.ts";
import { isWithin, keep, type Server } from "../process-state.ts";
import { LEFT_ALONE_MS } from "../server/outcome.ts";
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
  if (!live && known && isWithin(known.at, checkSeconds * 1000, now)) return known.result;
  if (!live && isWithin(server.state.downAt, LEFT_ALONE_MS, now))
    return Promise.resolve(unknown("the server did not answer just now"));

  const result = ask(payload, server);
  const entry = { result, at: now };
  keep(checks, payload.accessToken, entry);
  const forget = () => {
    if (checks.get(payload.accessToken) === entry) checks.delete(payload.accessToken);
  };
  result.then(({ kind }) => kind === "unknown" && forget(), forget);
  return result;
}

/** The server has just vouched for these tokens. `at`: when it was asked, in milliseconds. */
export function markActive({ accessToken }: Pick<Payload, "accessToken">, at: number, { state }: Server): void {
  keep(state.checks, accessToken, { result: Promise.resolve(ACTIVE), at });
}

async function ask({ accessToken, userId, environment }: Payload, server: Server): Promise<Status> {
  try {
    // Loaded at the first check: a proxy needs none for visitors who are signed out.
    const { introspect } = await import("../server/tokens.ts");
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
