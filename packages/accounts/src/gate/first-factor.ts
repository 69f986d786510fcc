import type { Acr } from "@gatehouse/auth";

/** What a person has just proved. Each way to sign in ends with one of these. MF-01. */
export type FirstFactor =
  | { method: "password" }
  /** With user verification, so it is both factors. WA-07. */
  | { method: "passkey"; credentialId: string }
  | { method: "email_code" }
  /** A new account: its password was just set, or its passkey made. */
  | { method: "sign_up" | "invitation"; passkey?: boolean }
  /** `acr`, `amr` and `authTime` only from a provider whose statements about them are trusted. UP-13. */
  | { method: "upstream"; provider: string; acr: Acr | null; amr: string[]; authTime: number | null; idToken?: string };
