import { plainCode } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { fromBase32 } from "../second-factors/base32.ts";
import { totpCode, totpStep } from "../second-factors/totp.ts";
import { totpPurpose } from "../second-factors/totp-purpose.ts";
import type { SignInCause } from "./causes.ts";

/** A phone whose clock is off by more than ten minutes has other problems first. */
const STEPS_OF_A_WRONG_CLOCK = 20;

/** Why a typed second code was refused: asked only for the sign-in log, after the answer was decided. */
export async function whyCodeIsRefused(
  userId: string,
  typed: string,
  { people, seal, now }: Pick<AccountDeps, "people" | "seal" | "now">,
): Promise<SignInCause> {
  const code = plainCode(typed);
  if (!/^\d+$/.test(code)) return "wrong_recovery_code";
  const totp = await people.findTotp(userId);
  if (!totp) return "no_totp";
  const secret = fromBase32(seal.open(totpPurpose(userId), totp.secret) ?? "");
  if (!secret || secret.length === 0) return "totp_wrong";
  const current = totpStep(now());
  const range = Array.from({ length: 2 * STEPS_OF_A_WRONG_CLOCK + 1 }, (_, n) => current - STEPS_OF_A_WRONG_CLOCK + n);
  const matching = range.filter((step) => totpCode(secret, step) === code);
  if (matching.some((step) => Math.abs(step - current) <= 1)) return "totp_used";
  return matching.length > 0 ? "totp_clock" : "totp_wrong";
}
