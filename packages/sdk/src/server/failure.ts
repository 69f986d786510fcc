import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "oauth4webapi";
import { GatehouseError } from "../error.ts";
import type { Server } from "../process-state.ts";
import { GrantEnded, RETRY_AFTER_SECONDS } from "./outcome.ts";

const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Runs a request to the server and turns what it throws into one of three failures: `unavailable` (no answer, a time-out,
 * 429, 5xx), `invalid_grant` as {@link GrantEnded}, and `server_error` for every other refusal. PK-32.
 */
export async function askServer<T>({ state, settings }: Server, ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask();
    state.downAt = undefined;
    return answer;
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure instanceof GatehouseError && failure.code === "unavailable") state.downAt = settings.now();
    throw failure;
  }
}

/** The response of the server in an error of oauth4webapi, which may have consumed its body. */
function responseIn(thrown: unknown): Response | undefined {
  if (thrown instanceof ResponseBodyError || thrown instanceof WWWAuthenticateChallengeError) return thrown.response;
  if (thrown instanceof OperationProcessingError && thrown.cause instanceof Response) return thrown.cause;
  return undefined;
}

function failureOf(thrown: unknown): Error {
  if (thrown instanceof GatehouseError || thrown instanceof AuthorizationResponseError) return thrown;
  const response = responseIn(thrown);
  const errorId = errorIdIn(response?.headers);
  if (response && (response.status === 429 || response.status >= 500)) {
    const message = `the server answered ${response.status}`;
    return new GatehouseError("unavailable", message, { errorId, retryAfterSeconds: retryAfter(response.headers) });
  }
  if (thrown instanceof ResponseBodyError && thrown.error === "invalid_grant") return new GrantEnded(errorId);
  if (response) return new GatehouseError("server_error", refusalIn(thrown, response), { errorId });
  if (isNetworkFailure(thrown)) {
    const options = { cause: thrown, retryAfterSeconds: RETRY_AFTER_SECONDS };
    return new GatehouseError("unavailable", "the server cannot be reached", options);
  }
  // A response that breaks the protocol: its details could contain a token, so they are left out.
  const code = thrown instanceof OperationProcessingError ? ` (${thrown.code ?? thrown.message})` : "";
  return new GatehouseError("server_error", `the server's response is not valid${code}`);
}

function refusalIn(thrown: unknown, { status }: Response): string {
  if (thrown instanceof ResponseBodyError) return `the server answered ${status} ${thrown.error}`;
  if (status === 401) return "the server answered 401: check GATEHOUSE_CLIENT_ID and GATEHOUSE_CLIENT_SECRET";
  return `the server answered ${status}`;
}

/** `fetch` rejects with a TypeError; a signal that timed out with its own error. */
function isNetworkFailure(thrown: unknown): boolean {
  return thrown instanceof TypeError || (thrown instanceof Error && /^(Timeout|Abort)Error$/.test(thrown.name));
}

/** The id under which the server keeps the cause of a refusal. */
function errorIdIn(headers: Headers | undefined): string | undefined {
  return plainErrorId(headers?.get("gatehouse-error-id"));
}

/** The value if it looks like an error id, which pages show. */
export function plainErrorId(value: string | null | undefined): string | undefined {
  return value && /^[\w-]{1,64}$/.test(value) ? value : undefined;
}

function retryAfter(headers: Headers): number {
  const seconds = Number(headers.get("retry-after") ?? RETRY_AFTER_SECONDS);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : RETRY_AFTER_SECONDS;
}
