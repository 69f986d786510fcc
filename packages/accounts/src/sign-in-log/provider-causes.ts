import type { LinkingProblem } from "../upstream/linking.ts";
import type { UpstreamProblem } from "../upstream/upstream-error.ts";
import type { SignInCause } from "./causes.ts";

/** What the log calls the problems of a sign-in at a provider. */
export const PROVIDER_CAUSES: Record<UpstreamProblem | LinkingProblem, SignInCause> = {
  denied: "provider_denied",
  unreachable: "provider_unreachable",
  exchange_refused: "provider_refuses_us",
  misconfigured: "provider_misconfigured",
  answer_invalid: "provider_answer_invalid",
  sign_in_too_old: "provider_sign_in_too_old",
  tenant_unknown: "provider_tenant",
  other_domain: "provider_other_domain",
  other_provider: "provider_other_provider",
  email_unverified: "provider_email_unverified",
  no_account: "provider_no_account",
  // Of a session that connects or confirms, never of a sign-in.
  other_account: "account_changed",
  connected_elsewhere: "account_changed",
  signed_out: "account_changed",
};
