import type { Acr } from "@gatehouse/auth";

/** What a person has just proved. Each way to sign in ends with one of these. MF-01. */
export type FirstFactor =
  | { method: "password" }
  /** With user verification, so it is both factors. WA-07. */
  | { method: "passkey"; credentialId: string }
  | { method: "email_code" }
  /** A new account: its password or passkey was just set. */
  | { method: "sign_up" | "invitation" }
  /** `acr`, `amr` and `authTime` only from a provider whose statements about them are trusted. UP-13. */
  | { method: "upstream"; provider: string; acr: Acr | null; amr: string[]; authTime: number | null; idToken?: string };
