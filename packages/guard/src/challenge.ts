import { authenticationChallenge } from "./authentication.ts";
import { scopeOf, type TokenDemand } from "./bearer.ts";
import { DPOP_ALGORITHMS } from "./dpop.ts";
import type { GuardErrorCode } from "./error.ts";
import { resourceMetadataUrl } from "./resource-metadata.ts";

/** The error to challenge for. */
type Rejection = { code: string; refusalCause: string; status: number; description: string | undefined };

const CHALLENGED: readonly string[] = [
  "invalid_token",
  "insufficient_scope",
  "insufficient_user_authentication",
  "invalid_request",
  "invalid_dpop_proof",
  "use_dpop_nonce",
] satisfies GuardErrorCode[];

/** RFC 9449 §7.1: the algorithms allowed for proofs, as part of a challenge. */
const DPOP_ALGS = `algs="${DPOP_ALGORITHMS.join(" ")}"`;
/** The DPoP challenge for a `WWW-Authenticate` header. */
export const DPOP_CHALLENGE = `DPoP ${DPOP_ALGS}`;

/**
 * The `WWW-Authenticate` header of a rejected request; undefined for an error that has none. Names the error only when
 * a token was sent (BR-04), each attribute once (BR-08), and always the metadata of the resource. A request with the
 * DPoP scheme gets only a DPoP challenge, any other gets both (DP-07). OAuth 2.1 §5.3.1, RFC 9728 §5.1, MC-09.
 */
export function challengeFor(
  { code, refusalCause, status, description }: Rejection,
  authorization: string | null,
  demand: TokenDemand,
  resource: string,
): string | undefined {
  if (!CHALLENGED.includes(code)) return undefined;
  const isSent = refusalCause !== "token_missing";
  const scope = scopeOf(demand);
  const attributes = ['realm="gatehouse"'];
  if (isSent) attributes.push(`error="${code}"`);
  if (isSent && description) attributes.push(`error_description="${description}"`);
  if (code === "insufficient_user_authentication") attributes.push(...authenticationChallenge(demand));
  if (scope !== "") attributes.push(`scope="${scope}"`);
  attributes.push(`resource_metadata="${resourceMetadataUrl({ resource })}"`);
  if (isSent && /^dpop /i.test(authorization ?? "")) return `DPoP ${attributes.join(", ")}, ${DPOP_ALGS}`;
  return `Bearer ${attributes.join(", ")}${status === 401 ? `, ${DPOP_CHALLENGE}` : ""}`;
}
