import { OutboundError } from "@gatehouse/auth";
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";

/** Why a sign-in at a provider did not succeed. */
export type UpstreamProblem =
  /** The user cancelled at the provider, or the provider refused. */
  | "denied"
  /** No usable answer: connection, time, size, status or media type. */
  | "unreachable"
  /** The provider refuses our client or the code. */
  | "exchange_refused"
  /** The answer is not valid: state, issuer, signature, audience, nonce or time. */
  | "answer_invalid"
  /** The provider did not confirm that the user signed in recently. UP-13. */
  | "sign_in_too_old"
  /** A user of a tenant that is not listed. UP-06. */
  | "tenant_unknown"
  /** The provider is not set up completely. */
  | "misconfigured";

/** The only error of upstream calls. The message is for the log and the failure ledger; it contains no secret. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly problem: UpstreamProblem;

  constructor(problem: UpstreamProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** Any failure of a call as an `UpstreamError`. openid-client wraps the errors of its `fetch`. */
export function asUpstreamError(thrown: unknown): UpstreamError {
  if (thrown instanceof UpstreamError) return thrown;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof UpstreamError) return error;
    if (error instanceof OutboundError) return new UpstreamError("unreachable", error.message, { cause: thrown });
  }
  if (thrown instanceof AuthorizationResponseError)
    return new UpstreamError("denied", `error ${short(thrown.error)}`, { cause: thrown });
  const refusal = oauthErrorOf(thrown);
  if (refusal !== undefined) return new UpstreamError("exchange_refused", `error ${short(refusal)}`, { cause: thrown });
  if (thrown instanceof WWWAuthenticateChallengeError)
    return new UpstreamError("exchange_refused", "challenged", { cause: thrown });
  const code = thrown instanceof ClientError || thrown instanceof TypeError ? Reflect.get(thrown, "code") : undefined;
  if (code === undefined) throw thrown; // a bug, not the provider
  const problem = UNUSABLE.includes(String(code)) ? "unreachable" : "answer_invalid";
  return new UpstreamError(problem, String(code), { cause: thrown });
}

/** The `error` of a token response. GitHub sends it with status 200, which openid-client calls an invalid response. */
export function oauthErrorOf(thrown: unknown): string | undefined {
  if (thrown instanceof ResponseBodyError) return thrown.error;
  const body =
    thrown instanceof ClientError && thrown.cause instanceof Error ? member(thrown.cause.cause, "body") : undefined;
  const error = member(body, "error");
  return typeof error === "string" ? error : undefined;
}

/** What the provider says about its refusal, for an admin; undefined if nothing. RFC 6749 §4.1.2.1, §5.2. */
export function descriptionOf({ cause }: UpstreamError): string | undefined {
  const body =
    cause instanceof ClientError && cause.cause instanceof Error ? member(cause.cause.cause, "body") : undefined;
  const described =
    cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError
      ? cause.error_description
      : member(body, "error_description");
  return typeof described === "string" && described !== "" ? described.slice(0, MAX_DESCRIPTION) : undefined;
}

const MAX_DESCRIPTION = 500;

/** The provider's error code of a refusal, at the callback or the token endpoint. */
export function refusalCodeOf({ cause }: UpstreamError): string | undefined {
  return cause instanceof AuthorizationResponseError ? cause.error : oauthErrorOf(cause);
}

/** The status of an answer that was not the expected one; undefined for other failures. */
export function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof WWWAuthenticateChallengeError) return thrown.status;
  return thrown instanceof ClientError && thrown.cause instanceof Response ? thrown.cause.status : undefined;
}

const member = (of: unknown, name: string): unknown =>
  typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;

/** openid-client's codes for answers that are not those of a provider at all. */
const UNUSABLE = [
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
];

const short = (text: string) => text.slice(0, 100).replace(/[^\x20-\x7E]/g, "?");
