import type { ActiveSession, Deps, Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import type { SignInProof } from "../gate/proof.ts";
import type { AccountRequest } from "../registration/account-request.ts";
import type { Account } from "../store/accounts.ts";
import type { PendingLink } from "../upstream/pending-link.ts";
import type { SignInProvider } from "../upstream/provider.ts";
import type { Continuation } from "./continuation.ts";

export type SignInDeps = AccountDeps & Pick<Deps, "usage" | "onError">;

/** What a browser brings to a sign-in: the values of its cookies, as it sent them. */
export type SignInBrowser = {
  /**
   * The hash of the browser's own cookie: mailed codes, challenges and tickets are bound to it. Null without the
   * cookie.
   */
  hash: Hash | null;
  /** The secret of the session that the browser has so far. */
  session: string | undefined;
  /** Of the accounts that signed in here before, oldest first. AB-03. */
  known: readonly string[];
  /** From the entry of a mailed code. AB-03. */
  confirmed: string | undefined;
  /** The secret of a browser that skips the second step. MF-08. */
  remembered: string | undefined;
  /** The sealed sign-in that waits for its second step. MF-02. */
  pending: string | undefined;
  /** A passkey was offered here within a month. WA-13. */
  offeredPasskey: boolean;
  /** The identity that waits for the next sign-in to its account. UP-08. */
  waiting: PendingLink | undefined;
};

/** `sessionUserId`: whose session this browser has. */
export type SignInRequest = AccountRequest & { browser: SignInBrowser; sessionUserId: string | undefined };

/** What a sign-in's form says besides its proof. */
export type SignInChoices = {
  continuation: Continuation;
  /** "Keep me signed in". SN-02. */
  keep: boolean;
  /** The browser can make a passkey, as the script of the sign-in page reported. WA-13. */
  canMakePasskey: boolean;
};

/**
 * A sign-in with every factor that it needs. `id`: under which the log has it as unfinished. `remember`: "Remember this
 * browser". MF-08.
 */
export type CompleteSignIn = {
  id?: string;
  factor: FirstFactor;
  proof: SignInProof;
  keep: boolean;
  canMakePasskey?: boolean;
  remember?: boolean;
};

/** A session that just began. */
export type BegunSession = {
  active: ActiveSession;
  /** For the session's cookie. Only its hash is stored. */
  secret: string;
  /** For the cookie by which the account knows this browser. AB-03. */
  known: string;
  /** For the cookie of a browser that its user asked to remember. MF-08. */
  remembered: string | undefined;
  /** Whether to offer a passkey next. WA-13. */
  offersPasskey: boolean;
};

/** What follows a proof. Tickets are sealed. */
export type NextStep = { continuation: Continuation } & (
  | ({ kind: "signed_in" } & BegunSession)
  /** A request asked for more than the session had proved: its secret is new. AL-02. */
  | { kind: "raised"; active: ActiveSession; secret: string }
  /** The sealed pending sign-in goes into a cookie. MF-02. */
  | { kind: "second_step"; pending: string }
  /** The password has to be replaced before there is a session. PW-04, UM-03. */
  | { kind: "new_password"; account: Account; ticket: string }
  /** The account has to be restored before there is a session. RG-10. */
  | { kind: "restore"; deleteAfter: number; ticket: string }
  /** The account's address belongs to this provider. UP-10. */
  | { kind: "provider"; provider: SignInProvider; email: string; keep: boolean }
  /** The browser lost its cookies: the sign-in starts again. */
  | { kind: "start_again" }
  /** The account was disabled or deleted, or its sign-ins were ended, meanwhile. */
  | { kind: "refused" }
);
