import { plainCode } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import { findRecipient } from "../mails/composer.ts";
import type { ActingBrowser } from "../registration/account-request.ts";
import type { Account } from "../store/accounts.ts";
import { fromBase32 } from "./base32.ts";
import { recoveryCodeHash } from "./recovery-codes.ts";
import { matchTotp } from "./totp.ts";
import { totpPurpose } from "./totp-purpose.ts";

/** A right code. `left`: the number of unused recovery codes after it. */
export type SecondCode = { factor: "totp" } | { factor: "recovery_code"; left: number };

type Owner = Pick<Account, "id" | "email" | "locale">;
type VerifyDeps = Pick<AccountDeps, "people" | "mail" | "seal" | "now" | "random">;

/**
 * Verifies a typed code, of the authenticator app or a recovery code, and spends it. Undefined if it is wrong or was
 * used. The caller limits the tries. MF-04, MF-05.
 */
export async function verifySecondCode(
  owner: Owner,
  typed: string,
  by: ActingBrowser,
  deps: VerifyDeps,
): Promise<SecondCode | undefined> {
  const compact = plainCode(typed);
  if (/^\d+$/.test(compact)) return (await spendTotp(owner, compact, deps)) ? { factor: "totp" } : undefined;
  return verifyRecoveryCode(owner, typed, by, deps);
}

/** As {@link verifySecondCode}, where the code of an app is not enough. MF-05. */
export async function verifyRecoveryCode(
  owner: Owner,
  typed: string,
  by: ActingBrowser,
  deps: VerifyDeps,
): Promise<Extract<SecondCode, { factor: "recovery_code" }> | undefined> {
  const hash = recoveryCodeHash(typed);
  if (hash === undefined) return undefined;

  const left = Math.max(0, (await deps.people.countRecoveryCodes(owner.id)) - 1);
  const now = deps.now();
  const mail = {
    ...(await findRecipient(owner, deps)),
    userId: owner.id,
    locale: owner.locale ?? by.locale,
    data: { at: now, ...by.source, left },
  };
  const also = {
    mails: [deps.mail.compose("recovery_code_used", mail)],
    events: [accountEvent("recovery_code_used", { userId: owner.id, source: by.source, detail: { left } }, deps)],
  };
  return (await deps.people.spendRecoveryCode(owner.id, hash, also, now))
    ? { factor: "recovery_code", left }
    : undefined;
}

async function spendTotp({ id }: Owner, code: string, deps: VerifyDeps): Promise<boolean> {
  const totp = await deps.people.findTotp(id);
  const secret = totp && fromBase32(deps.seal.open(totpPurpose(id), totp.secret) ?? "");
  if (!totp || !secret || secret.length === 0) return false;
  const step = matchTotp(secret, code, { now: deps.now(), lastStep: totp.lastStep });
  return step !== undefined && deps.people.spendTotpStep(id, step, deps.now());
}
