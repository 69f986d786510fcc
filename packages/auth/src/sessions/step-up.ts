import { OAuthError } from "../errors/error.ts";
import type { TokenContext } from "../store/access-tokens.ts";
import type { Session } from "../store/sessions.ts";
import { isUndated, meets, reportedLevel, withoutMarkers } from "./levels.ts";

/**
 * When and how the user signed in, for the context of codes and tokens. The level is the highest requested one that the
 * session meets, as the client named it. RFC 9470 §6, RFC 8176; AL-01.
 */
export function signInContext({ authTime, acr, amr, id }: Session, requested: readonly string[] = []): TokenContext {
  const methods = withoutMarkers(amr);
  return {
    // UP-13: an unknown time is left out. APIs and clients rely on it for their own step-up.
    ...(isUndated({ amr }) ? { undated: true } : { authTime }),
    acr: reportedLevel(acr, requested),
    sessionId: id,
    ...(methods.length > 0 && { amr: methods }),
  };
}

/** The required sign-in: in one of these contexts, at most this long ago. RFC 9470 §3. */
export type AuthenticationDemand = { acr?: string | readonly string[]; maxAgeSeconds?: number };

/**
 * Throws `insufficient_user_authentication` unless the token's user signed in as required. A token without a user never
 * passes. SU-01.
 */
export function requireAuthentication(demand: AuthenticationDemand, context: TokenContext | null, now: number): void {
  const { acr, maxAgeSeconds } = demand;
  if (acr !== undefined && !acrValues(acr).some((value) => value === context?.acr || meets(context?.acr, value))) {
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
