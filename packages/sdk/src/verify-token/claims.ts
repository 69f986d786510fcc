import { type FoundToken, invalidToken } from "@gatehouse/guard";
import type { Environment } from "../options.ts";
import type { ApiSettings } from "../settings.ts";
import type { VerifiedToken } from "./token.ts";

/** A token as the guard checks it, with what the caller gets. */
export type Found = FoundToken & { verified: VerifiedToken };

type Claims = Readonly<Record<string, unknown>>;

const SKEW_SECONDS = 30;
/** The subject of a token without a user is `client:<client_id>`; no user id has a colon. */
const CLIENT_SUBJECT = "client:";

/**
 * Reads the claims of a JWT access token or of an introspection response, which have the same names, and checks that
 * the token is for this API and environment. RFC 7662 §2.2, RFC 9068 §2.2. PK-48.
 */
export function readClaims(
  claims: Claims,
  { environments }: { environments: readonly Environment[] | undefined },
  { issuer, resource, now }: ApiSettings,
): Found {
  const { iss, aud, sub, client_id: clientId, scope = "", exp, environment } = claims;
  if (iss !== issuer) throw invalidToken("token_unknown", "issued by another server");
  if (![aud].flat().includes(resource)) throw invalidToken("token_wrong_audience", "issued for another resource");
  if (!isText(sub) || !isText(clientId) || typeof scope !== "string" || typeof exp !== "number")
    throw invalidToken("token_malformed", "a claim is missing");
  if (exp + SKEW_SECONDS <= now() / 1000) throw invalidToken("token_expired", "the token has expired");
  const accepted = environments ?? defaultEnvironments(issuer);
  const known = accepted.find((one) => one === environment);
  if (known === undefined) {
    const message = `issued to a client of another environment; this API accepts ${accepted.join(", ")}`;
    throw invalidToken("token_of_other_environment", message);
  }
  const { acr, auth_time: authTime } = claims;
  const verified: VerifiedToken = {
    userId: sub.startsWith(CLIENT_SUBJECT) ? null : sub,
    clientId,
    scope: scope.split(" ").filter(Boolean),
    environment: known,
    acr: isText(acr) ? acr : null,
    authTime: typeof authTime === "number" ? authTime : null,
    expiresAt: exp,
    claims,
  };
  return { scope, context: contextOf(verified), verified };
}

/** RFC 9449 §6, RFC 8705 §3.1: a token with any confirmation is bound, also to a key that cannot be proven here. */
function contextOf({ acr, authTime, claims }: VerifiedToken): FoundToken["context"] {
  return {
    ...(acr !== null && { acr }),
    ...(authTime !== null && { authTime }),
    ...(claims["cnf"] !== undefined && { dpopJkt: thumbprintIn(claims["cnf"]) }),
  };
}

/** No proof has an empty thumbprint, so that other kinds of binding are never met. */
function thumbprintIn(confirmation: unknown): string {
  const isObject = typeof confirmation === "object" && confirmation !== null;
  return isObject && "jkt" in confirmation && isText(confirmation.jkt) ? confirmation.jkt : "";
}

function defaultEnvironments(issuer: string): readonly Environment[] {
  return issuer.startsWith("http:") ? ["development", "staging", "production"] : ["production"];
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
