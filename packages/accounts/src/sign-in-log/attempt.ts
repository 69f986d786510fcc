import type { Acr, SignInFactor } from "@gatehouse/auth";
import type { AccountEventDetail } from "../events/account-event.ts";
import type { SignInCause, SignInOutcome } from "./causes.ts";

/** One attempt to sign in, as the sign-in log keeps it. Never what was typed as a password or code. SL-01. */
export type SignInAttempt = {
  /** Time-ordered. It is what a response names as the error id. */
  id: string;
  /** Unix seconds. */
  at: number;
  outcome: SignInOutcome;
  /** Null for one that began a session. */
  cause: SignInCause | null;
  factor: SignInFactor;
  /** Null if the attempt named no account that exists. */
  userId: string | null;
  /** {@link emailHash} of an address that no account has. */
  emailHash: string | null;
  /** That address as typed, for a day: what somebody types there may be a password. */
  typedEmail: string | null;
  /** What the new session proved. */
  level: Acr | null;
  /** The client on the way to which it was; as the request claimed. */
  clientId: string | null;
  address: string | null;
  userAgent: string | null;
  detail: AccountEventDetail;
};

/** Who signs in: an account; an address, of an account or not; an address that no account has; or nobody knows. */
export type SignInSubject = { userId: string } | { email: string } | { unknownEmail: string } | undefined;

export type SignInLog = {
  /**
   * Writes the attempt, or over the unfinished one with the same id. Of a flood, the newest of each account and network
   * are kept. Rejects if it could not be written.
   */
  recordSignIn(attempt: SignInAttempt): Promise<void>;
};

/** How long the log knows an unknown address as it was typed. */
export const TYPED_EMAIL_SECONDS = 86_400;
