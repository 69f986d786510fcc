import type { ActiveSession } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import type { AccountRequest } from "../registration/account-request.ts";
import type { SignInSubject } from "../sign-in-log/attempt.ts";
import type { SignInCause } from "../sign-in-log/causes.ts";
import type { Account } from "../store/accounts.ts";
import type { UpstreamAttempt } from "./attempt.ts";
import type { LinkingProblem } from "./linking.ts";
import type { SignInProvider } from "./provider.ts";
import type { UpstreamTestOutcome } from "./test-outcome.ts";
import type { Upstream } from "./upstream.ts";
import type { UpstreamError } from "./upstream-error.ts";

/** What comes of the answer of a provider. The caller ends the attempt's cookies in each case. */
export type UpstreamResult =
  /** This browser did not begin it, or the answer came before. UP-03. */
  | { kind: "unknown" }
  | { kind: "failed"; attempt: UpstreamAttempt; error: UpstreamError }
  /** `who` and `cause`: for the sign-in log alone, where the reason does not say it all. */
  | { kind: "refused"; attempt: UpstreamAttempt; reason: LinkingProblem; who: SignInSubject; cause?: SignInCause }
  | { kind: "signed_in"; attempt: UpstreamAttempt; account: Account; factor: FirstFactor }
  | { kind: "confirmed"; attempt: UpstreamAttempt; factor: FirstFactor }
  /** The user has to sign in to the account with this address once. `cookie` keeps the identity until then. */
  | { kind: "prove"; attempt: UpstreamAttempt; email: string; cookie: string }
  | { kind: "connected"; attempt: UpstreamAttempt }
  /** An admin's test, which wrote nothing. `provider`: undefined if it was removed meanwhile. */
  | { kind: "tested"; attempt: UpstreamAttempt; provider: SignInProvider | undefined; outcome: UpstreamTestOutcome };

export type UpstreamDeps = AccountDeps & { upstream: Upstream };

export type UpstreamCallback = {
  providerId: string;
  parameters: URLSearchParams;
  cookieHeader: string | null;
  session: ActiveSession | undefined;
  request: AccountRequest;
};
