import { ACR, type Acr, CONFIRMED_AMR, type Enrolment, RECOVERY_AMR, UNDATED_AMR } from "@gatehouse/auth";
import { describe, expect, test } from "vitest";
import { FRESH_SIGN_IN_SECONDS, isConfirmed, missingProofs } from "./fresh-sign-in.ts";

const NOW = 1_800_000_000;
const STALE = NOW - FRESH_SIGN_IN_SECONDS;
const none: Enrolment = { totp: false, securityKey: false, passkey: false };
const withTotp = { ...none, totp: true };
const withPasskey = { ...none, passkey: true };

const session = (acr: Acr, { authTime = NOW, secondAt = null as number | null, amr = [] as string[] } = {}) => ({
  acr,
  authTime,
  secondAt,
  amr,
});
const password = { password: true, passkey: false, enrolment: none };
const passwordAndTotp = { ...password, enrolment: withTotp };
const passwordAndPasskey = { password: true, passkey: true, enrolment: withPasskey };
const everything = { ...passwordAndPasskey, enrolment: { totp: true, securityKey: true, passkey: true } };
const passkeyAlone = { password: false, passkey: true, enrolment: withPasskey };
const nothing = { password: false, passkey: false, enrolment: none };
const passkeyOfFormerDomain = { password: false, passkey: false, enrolment: withPasskey };

const byPassword = session(ACR.password);
const byPasswordAndTotp = session(ACR.mfa, { secondAt: NOW, amr: ["pwd", "otp", "mfa"] });
const byRecovery = session(ACR.mfa, { secondAt: NOW, amr: ["pwd", "otp", RECOVERY_AMR, "mfa"] });
const byPasskey = session(ACR.phr, { secondAt: NOW });
const byProvider = session(ACR.upstream);
const byUndatedProvider = session(ACR.upstream, { amr: [UNDATED_AMR] });
const byConfirmedProvider = session(ACR.upstream, { amr: [UNDATED_AMR, CONFIRMED_AMR] });
const byUndatedAndTotp = session(ACR.mfa, { secondAt: NOW, amr: [UNDATED_AMR, "otp", "mfa"] });
const byMail = session(ACR.email, { amr: ["email"] });
const byMailAndTotp = session(ACR.email, { secondAt: NOW, amr: ["email", "otp"] });
const byMailAndRecovery = session(ACR.email, { secondAt: NOW, amr: ["email", "otp", RECOVERY_AMR] });

describe("SN-03 what is missing before a sensitive change", () => {
  test.each([
    ["a password, for an account with nothing else", byPassword, password, false, null],
    ["a password, where an app is set up", byPassword, passwordAndTotp, false, "code"],
    ["a password and a code", byPasswordAndTotp, passwordAndTotp, false, null],
    ["WA-03 a password, where there is a passkey", byPassword, passwordAndPasskey, false, "recovery_code"],
    ["WA-03 a password and a code, where there is a passkey", byPasswordAndTotp, everything, false, "recovery_code"],
    ["MF-07 a password and a recovery code, where there is a passkey", byRecovery, everything, false, null],
    ["a passkey, whatever there is", byPasskey, everything, false, null],
    ["UP-13 a provider that says when it was", byProvider, password, false, null],
    ["UP-13 a provider that does not say when, where there is a password", byUndatedProvider, password, true, null],
    ["UP-13 a provider that does not say when, where it is the only way in", byUndatedProvider, nothing, true, null],
    ["UP-13 a provider that does not say when, once confirmed there", byConfirmedProvider, nothing, false, null],
    ["UP-13 a provider that does not say when, and a code", byUndatedAndTotp, passwordAndTotp, true, null],
    ["MF-06 a mailed code, where there is a password", byMail, password, true, null],
    [
      "MF-06 a mailed code and a code of the app, where there is a password",
      byMailAndTotp,
      passwordAndTotp,
      true,
      null,
    ],
    ["FP-07 a mailed code, where a passkey is the only way in", byMail, passkeyAlone, false, "recovery_code"],
    [
      "FP-07 a mailed code, where the only passkey is of a former domain",
      byMail,
      passkeyOfFormerDomain,
      false,
      "recovery_code",
    ],
    [
      "FP-07 MF-07 a mailed code and a recovery code, where a passkey is the only way in",
      byMailAndRecovery,
      passkeyAlone,
      false,
      null,
    ],
    [
      "MF-07 a mailed code and a recovery code, where there is a password",
      byMailAndRecovery,
      passwordAndPasskey,
      true,
      null,
    ],
    ["a mailed code, where it is the only way in", byMail, nothing, false, null],
  ] as const)("%s", (_, proved, account, first, second) => {
    expect(missingProofs(proved, account, NOW)).toEqual({ first, second });
    expect(isConfirmed({ first, second })).toBe(!first && second === null);
  });

  test.each([
    ["the passkey", byPasskey],
    ["the recovery code", byRecovery],
  ])("%s counts for ten minutes", (_, proved) => {
    const aged = { ...proved, authTime: STALE, secondAt: STALE };
    expect(missingProofs(aged, passwordAndPasskey, NOW)).toEqual({ first: true, second: "recovery_code" });
    expect(missingProofs({ ...aged, authTime: NOW }, passwordAndPasskey, NOW)).toEqual({
      first: false,
      second: "recovery_code",
    });
  });
});
