import { OAuthError } from "../errors/error.ts";
import type { Session } from "../store/sessions.ts";
import type { TokenContext } from "../tokens/context.ts";

/** The one authentication context there is: a password, checked by us. The name means something between us and the APIs only. */
export const PASSWORD_ACR = "urn:gatehouse:acr:password";
/** Every context that may be asked for. RFC 9470 §7. */
export const ACR_VALUES: readonly string[] = [PASSWORD_ACR];

/** How and when the user of this session signed in, as codes and tokens carry it on. RFC 9470 §6, RFC 8176. */
export function signInContext({ authTime, id }: Pick<Session, "authTime" | "id">): TokenContext {
  return { authTime, acr: PASSWORD_ACR, amr: ["pwd"], sessionId: id };
}

/** How its user has to have signed in: in one of these contexts, and no longer ago than this. RFC 9470 §3. */
export type AuthenticationDemand = { acr?: string | readonly string[]; maxAgeSeconds?: number };

/** Throws `insufficient_user_authentication` unless a token's user signed in as demanded; who never did, never has. */
export function requireAuthentication(demand: AuthenticationDemand, context: TokenContext | null, now: number): void {
  const { acr, maxAgeSeconds } = demand;
  if (acr !== undefined && !acrValues(acr).includes(context?.acr ?? "")) {
    const description = "This needs another way of signing in.";
    throw new OAuthError("insufficient_user_authentication", "authentication_too_weak", description, { description });
  }
  if (maxAgeSeconds !== undefined && now - (context?.authTime ?? Number.NEGATIVE_INFINITY) > maxAgeSeconds) {
    const description = "This needs a more recent sign-in.";
    throw new OAuthError("insufficient_user_authentication", "authentication_too_old", description, { description });
  }
}

/** What the challenge says beside the error, for the client to ask of the authorization endpoint. RFC 9470 §3. */
export function authenticationChallenge({ acr, maxAgeSeconds }: AuthenticationDemand): string[] {
  return [
    ...(acr === undefined ? [] : [`acr_values="${acrValues(acr).join(" ")}"`]),
    ...(maxAgeSeconds === undefined ? [] : [`max_age="${maxAgeSeconds}"`]),
  ];
}

const acrValues = (acr: string | readonly string[]) => (typeof acr === "string" ? [acr] : acr);

/**
 * `acr_values` is a wish, and every sign-in of ours is the best we have. Only the claims parameter can insist, and then
 * what we cannot do is refused. OpenID Connect Core §5.5.1.1, RFC 9470 §5.
 */
export function requireKnownContext(claims: string | undefined): void {
  if (claims === undefined || essentialContexts(claims).every((values) => values.some((value) => value === PASSWORD_ACR))) return;
  const description = "none of the authentication contexts demanded is known here";
  throw new OAuthError("unmet_authentication_requirements", "authentication_context_unknown", description, { description });
}

/** For each of the two tokens that may ask: the values of an `acr` marked essential. What cannot be read demands nothing. */
function essentialContexts(claims: string): unknown[][] {
  const asked = parse(claims);
  return [member(asked, "id_token"), member(asked, "userinfo")]
    .map((token) => member(token, "acr"))
    .filter((acr) => member(acr, "essential") === true)
    .map((acr) => [member(acr, "values"), member(acr, "value")].flat().filter((value) => value !== undefined))
    .filter((values) => values.length > 0);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function member(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Object.entries(of).find(([key]) => key === name)?.[1] : undefined;
}
