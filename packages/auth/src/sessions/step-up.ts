import type { TokenContext } from "../store/access-tokens.ts";
import type { Session } from "../store/sessions.ts";
import { isUndated, reportedLevel, withoutMarkers } from "./levels.ts";

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
