import { fromBase32 } from "../second-factors/base32.ts";
import { totpCode, totpStep } from "../second-factors/totp.ts";

/** The code that an authenticator app with this key shows at `now`, in Unix seconds. */
export function codeOf(key: string, now: number): string {
  return totpCode(fromBase32(key) ?? new Uint8Array(), totpStep(now));
}
