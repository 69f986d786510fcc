import { GuardError } from "./error.ts";
import { meets } from "./levels.ts";

/** The required sign-in: in one of these contexts, at most this long ago. RFC 9470 §3. */
export type AuthenticationDemand = { acr?: string | readonly string[]; maxAgeSeconds?: number };

/** How and when (Unix seconds) a user signed in. */
export type SignIn = { acr?: string; authTime?: number };

/**
 * Throws `insufficient_user_authentication` unless the user signed in as required. A token without a user never passes.
 * SU-01.
 */
export function requireAuthentication(demand: AuthenticationDemand, signIn: SignIn | null, now: number): void {
  const { acr, maxAgeSeconds } = demand;
  if (acr !== undefined && !acrValues(acr).some((value) => value === signIn?.acr || meets(signIn?.acr, value))) {
    const description = "This requires another way to sign in.";
    throw new GuardError("insufficient_user_authentication", "authentication_too_weak", description, { description });
  }
  if (maxAgeSeconds !== undefined && now - (signIn?.authTime ?? Number.NEGATIVE_INFINITY) > maxAgeSeconds) {
    const description = "This requires a more recent sign-in.";
    throw new GuardError("insufficient_user_authentication", "authentication_too_old", description, { description });
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
