import { OAuthError } from "../errors/error.ts";
import type { Session } from "../store/sessions.ts";
import type { TokenContext } from "../tokens/context.ts";

/** The only authentication context: a password. A name that only we and the APIs understand. */
export const PASSWORD_ACR = "urn:gatehouse:acr:password";
/** Every supported authentication context. RFC 9470 §7. */
export const ACR_VALUES: readonly string[] = [PASSWORD_ACR];

/** When and how the user signed in, for the context of codes and tokens. RFC 9470 §6, RFC 8176. */
export function signInContext({ authTime, id }: Pick<Session, "authTime" | "id">): TokenContext {
  return { authTime, acr: PASSWORD_ACR, amr: ["pwd"], sessionId: id };
}

/** The required sign-in: in one of these contexts, at most this long ago. RFC 9470 §3. */
export type AuthenticationDemand = { acr?: string | readonly string[]; maxAgeSeconds?: number };

/** Throws `insufficient_user_authentication` unless the token's user signed in as required. A token without a user never passes. */
export function requireAuthentication(demand: AuthenticationDemand, context: TokenContext | null, now: number): void {
  const { acr, maxAgeSeconds } = demand;
  if (acr !== undefined && !acrValues(acr).includes(context?.acr ?? "")) {
    const description = "This requires another way to sign in.";
    throw new OAuthError("insufficient_user_authentication", "authentication_too_weak", description, { description });
  }
  if (maxAgeSeconds !== undefined && now - (context?.authTime ?? Number.NEGATIVE_INFINITY) > maxAgeSeconds) {
    const description = "This requires a more recent sign-in.";
    throw new OAuthError("insufficient_user_authentication", "authentication_too_old", description, { description });
  }
}

/** The challenge parameters that tell the client what to request from the authorization endpoint. RFC 9470 §3. */
export function authenticationChallenge({ acr, maxAgeSeconds }: AuthenticationDemand): string[] {
  return [
    ...(acr === undefined ? [] : [`acr_values="${acrValues(acr).join(" ")}"`]),
    ...(maxAgeSeconds === undefined ? [] : [`max_age="${maxAgeSeconds}"`]),
  ];
}

const acrValues = (acr: string | readonly string[]) => (typeof acr === "string" ? [acr] : acr);

/**
 * Throws when the claims parameter requires an authentication context that we do not support. `acr_values` is voluntary and never
 * fails. OpenID Connect Core §5.5.1.1, RFC 9470 §5.
 */
export function requireKnownContext(claims: string | undefined): void {
  if (claims === undefined || essentialContexts(claims).every((values) => values.some((value) => value === PASSWORD_ACR))) return;
  const description = "none of the required authentication contexts is supported";
  throw new OAuthError("unmet_authentication_requirements", "authentication_context_unknown", description, { description });
}

/** For `id_token` and `userinfo`: the values of an `acr` marked essential. A malformed parameter requires nothing. */
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
