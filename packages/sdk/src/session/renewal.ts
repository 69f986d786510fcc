import { GatehouseError } from "../error.ts";
import { keep, type Renewing, type Server } from "../process-state.ts";
import { GrantEnded } from "../server/outcome.ts";
import type { TokenAnswer } from "../server/tokens.ts";
import { markActive } from "./check.ts";
import { endSession } from "./ended.ts";
import type { Renewal } from "./outcomes.ts";
import type { Payload } from "./payload.ts";

const BEFORE_EXPIRY_SECONDS = 60;
/** Requests with the old cookie arrive for a while. Dropping the result at once would exchange the token again. */
const KEPT_MS = 25_000;

/** Is it time to renew? A minute before expiry, or in the last tenth of a shorter life. PK-31. */
export function expiresSoon({ expiresAt, lifetime }: Payload, nowMs: number): boolean {
  return nowMs >= (expiresAt - Math.min(BEFORE_EXPIRY_SECONDS, lifetime / 10)) * 1000;
}

export function isExpired({ expiresAt }: Payload, nowMs: number): boolean {
  return nowMs >= expiresAt * 1000;
}

/**
 * Exchanges the refresh token for new tokens: once per process, whatever the number of requests, and those that still
 * send the old cookie shortly after get the same result. PK-31.
 */
export function renew(payload: Payload & { refreshToken: string }, server: Server): Promise<Renewal> {
  const known = knownRenewal(payload, server);
  if (known) return known;
  const { renewals } = server.state;
  const result = exchange(payload, server);
  const entry: Renewing = { result, accessToken: undefined, until: Number.POSITIVE_INFINITY };
  keep(renewals, payload.refreshToken, entry);
  const forget = () => {
    if (renewals.get(payload.refreshToken) === entry) renewals.delete(payload.refreshToken);
  };
  result.then((renewal) => {
    entry.until = server.settings.now() + KEPT_MS;
    if (renewal.kind === "renewed") entry.accessToken = renewal.payload.accessToken;
    if (renewal.kind === "failed") forget();
  }, forget);
  return result;
}

/**
 * A renewal of this session that this process has in flight, or has just made. Not one that led to the access token that
 * the session has already: with a refresh token that does not rotate, that is the renewal before.
 */
export function knownRenewal(
  { refreshToken, accessToken }: Pick<Payload & { refreshToken: string }, "refreshToken" | "accessToken">,
  { state, settings }: Server,
): Promise<Renewal> | undefined {
  const now = settings.now();
  for (const [token, { until }] of state.renewals) {
    if (until > now) break; // they are in the order in which they began
    state.renewals.delete(token);
  }
  const known = state.renewals.get(refreshToken);
  return known && known.until > now && known.accessToken !== accessToken ? known.result : undefined;
}

async function exchange(payload: Payload & { refreshToken: string }, server: Server): Promise<Renewal> {
  try {
    const { refresh } = await import("../server/tokens.ts");
    const renewed = withTokens(payload, await refresh(server, payload.refreshToken));
    if (!renewed) return endOf(payload, server);
    markActive(renewed.payload, renewed.at, server);
    return { kind: "renewed", payload: renewed.payload };
  } catch (error) {
    if (error instanceof GrantEnded) return endOf(payload, server); // PK-32
    if (!(error instanceof GatehouseError)) throw error;
    server.settings.onError(error);
    return { kind: "failed", error };
  }
}

function endOf(payload: Payload, server: Server): Renewal {
  endSession(payload, server);
  return { kind: "ended" };
}

/** The session with new tokens; undefined if they are another user's. OpenID Connect Core §12.2. */
function withTokens(
  payload: Payload,
  { answer, claims, at }: TokenAnswer,
): { payload: Payload; at: number } | undefined {
  if (claims && claims.sub !== payload.userId) return undefined;
  const lifetime = answer.expires_in ?? payload.lifetime;
  return {
    at,
    payload: {
      ...payload,
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token ?? payload.refreshToken, // RFC 6749 §6: the server may keep it
      idToken: answer.id_token ?? payload.idToken,
      expiresAt: Math.floor(at / 1000) + lifetime,
      lifetime,
      scope: answer.scope ?? payload.scope,
      ...(claims && personOf(claims)),
    },
  };
}

/** What an ID token says of the user. */
export function personOf(claims: Record<string, unknown>): Pick<Payload, "name" | "email"> {
  return { name: textIn(claims["name"]), email: textIn(claims["email"]) };
}

export const textIn = (value: unknown) => (typeof value === "string" ? value : null);
