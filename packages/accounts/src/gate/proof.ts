import {
  ACR,
  type Acr,
  CONFIRMED_AMR,
  RECOVERY_AMR,
  type SignInMethod,
  strongerOf,
  UNDATED_AMR,
} from "@gatehouse/auth";
import type { FirstFactor } from "./first-factor.ts";

/** What a sign-in has proved so far: what its session and tokens say. RFC 8176, RFC 9470. */
export type SignInProof = {
  method: SignInMethod;
  acr: Acr;
  amr: string[];
  /** Unix seconds of the first factor. AL-03. */
  authTime: number;
  /** Unix seconds of the second factor; null without one. */
  secondAt: number | null;
};

/** A factor that was proved after the first one. */
export type SecondFactor = "totp" | "recovery_code" | "security_key" | "passkey";

const PASSKEY_AMR = ["pop", "user", "mfa"];
const SECOND_AMR: Record<Exclude<SecondFactor, "passkey">, string[]> = {
  totp: ["otp"],
  recovery_code: ["otp", RECOVERY_AMR],
  security_key: ["pop"],
};

/**
 * What a first factor proves by itself. A passkey is both factors (WA-07), and so can be what a trusted provider says
 * (UP-13).
 */
export function proofOfFirst(factor: FirstFactor, now: number): SignInProof {
  const { method } = factor;
  switch (method) {
    case "passkey":
      return ofPasskey(method, now);
    case "email_code":
      return { method, acr: ACR.email, amr: ["email"], authTime: now, secondAt: null };
    case "upstream": {
      const { acr, amr, authTime } = factor;
      const proof = { method, acr: acr ?? ACR.upstream, secondAt: null };
      // Without its word the provider may have asked nobody. UP-13.
      return authTime === null
        ? { ...proof, amr: [...amr, UNDATED_AMR], authTime: now }
        : { ...proof, amr, authTime: Math.min(now, authTime) };
    }
    case "sign_up":
    case "invitation":
      return factor.passkey ? ofPasskey(method, now) : ofPassword(method, now);
    default:
      return ofPassword(method, now);
  }
}

const ofPasskey = (method: SignInMethod, now: number): SignInProof => ({
  method,
  acr: ACR.phr,
  amr: PASSKEY_AMR,
  authTime: now,
  secondAt: now,
});
const ofPassword = (method: SignInMethod, now: number): SignInProof => ({
  method,
  acr: ACR.password,
  amr: ["pwd"],
  authTime: now,
  secondAt: null,
});

/**
 * What is proved once the first factor was right again, in a session that has proved more or less. `known`: undefined
 * if what it proved besides is too long ago to stand beside a new time. The caller has decided that a provider without
 * a time is enough to confirm; when the user signed in stays unknown. SN-03, UP-13.
 */
export function withFirst(
  known: Pick<SignInProof, "acr" | "amr"> | undefined,
  factor: FirstFactor,
  now: number,
): Pick<SignInProof, "acr" | "amr" | "authTime"> {
  const { acr, amr, authTime } = proofOfFirst(factor, now);
  const before = (known?.amr ?? []).filter((method) => method !== UNDATED_AMR && method !== CONFIRMED_AMR);
  const confirmed = amr.includes(UNDATED_AMR) ? [CONFIRMED_AMR] : [];
  return {
    acr: known ? strongerOf(known.acr, acr) : acr,
    amr: [...new Set([...before, ...amr, ...confirmed])],
    authTime,
  };
}

/** What is proved once the second factor is right as well. The time of the first one stays. AL-03. */
export function withSecond(
  proof: Pick<SignInProof, "acr" | "amr">,
  second: SecondFactor,
  now: number,
): { acr: Acr; amr: string[]; secondAt: number } {
  const acr = strongerOf(proof.acr, levelWith(proof.acr, second));
  const added = second === "passkey" ? PASSKEY_AMR : [...SECOND_AMR[second], ...(acr === ACR.email ? [] : ["mfa"])];
  return { acr, amr: [...new Set([...proof.amr, ...added])], secondAt: now };
}

/** Mail is no factor that another one could build on. MF-06. */
function levelWith(first: Acr, second: SecondFactor): Acr {
  if (second === "passkey") return ACR.phr;
  return first === ACR.email ? ACR.email : ACR.mfa;
}
