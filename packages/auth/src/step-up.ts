import type { Session } from "./store.ts";
import type { TokenContext } from "./token-context.ts";

/** The one authentication context there is: a password, checked by us. The name means something between us and the APIs only. */
export const PASSWORD_ACR = "urn:gatehouse:acr:password";
/** Every context that may be asked for. RFC 9470 §4. */
export const ACR_VALUES: readonly string[] = [PASSWORD_ACR];

/** How and when the user of this session signed in, as codes and tokens carry it on. RFC 9470 §6, RFC 8176. */
export function signInContext({ authTime }: Pick<Session, "authTime">): TokenContext {
  return { authTime, acr: PASSWORD_ACR, amr: ["pwd"] };
}
