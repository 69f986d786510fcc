import type { LinkingProblem, UpstreamProblem } from "@gatehouse/accounts";
import { OAuthError, type OAuthErrorCode, type RefusalCause } from "@gatehouse/auth";

/** What the sign-in page explains; its texts have these names. */
export type UpstreamProblemKey = Exclude<UpstreamProblem, "answer_invalid"> | LinkingProblem;

type Shape = [code: OAuthErrorCode, cause: RefusalCause, status: number];

const USER_REFUSED: Shape = ["access_denied", "upstream_user_refused", 403];
const UNAVAILABLE: Shape = ["temporarily_unavailable", "upstream_unavailable", 503];
const SHAPES: Record<UpstreamProblem | LinkingProblem | "unknown", Shape> = {
  unknown: ["invalid_request", "upstream_state_unknown", 400],
  denied: ["access_denied", "upstream_denied", 400],
  unreachable: UNAVAILABLE,
  exchange_refused: UNAVAILABLE,
  misconfigured: UNAVAILABLE,
  answer_invalid: ["invalid_request", "upstream_answer_invalid", 400],
  sign_in_too_old: USER_REFUSED,
  tenant_unknown: USER_REFUSED,
  other_domain: USER_REFUSED,
  other_provider: USER_REFUSED,
  other_account: USER_REFUSED,
  connected_elsewhere: USER_REFUSED,
  signed_out: USER_REFUSED,
  email_unverified: USER_REFUSED,
  no_account: USER_REFUSED,
};

/** The refusal for the failure ledger, with the status of its page. */
export function refusalOf(problem: keyof typeof SHAPES, message: string, cause?: unknown): OAuthError {
  const [code, refusalCause, status] = SHAPES[problem];
  return new OAuthError(code, refusalCause, message, { status, cause });
}
