import { OutboundError, type PostBytes } from "@gatehouse/auth";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { forwardedHeaders, messageIdOf } from "@gatehouse/webhooks";
import type { StoredEvent } from "../running/event.ts";
import { describeThrown, type RunResult } from "../running/run.ts";

export type ForwardDeps = {
  postBytes: PostBytes;
  /** Unix seconds. */
  now: () => number;
};

/** From the connection to the status of the response. */
const TIMEOUT_MS = 15_000;

/**
 * Sends an event to the URL of its endpoint once: the provider's bytes, signed now. It is acknowledged by any status
 * from 200 to 299; redirects are not followed, and the body of the response is not read. Resolves however it ends.
 * Rejects only when `signal` is aborted. PK-56.
 */
export async function forwardEvent(
  event: StoredEvent,
  { signal }: { signal: AbortSignal },
  { postBytes, now }: ForwardDeps,
): Promise<RunResult> {
  const startedAt = performance.now();
  const ended = (outcome: RunResult["outcome"], error: string | null, status?: number): RunResult => ({
    outcome,
    ms: Math.round(performance.now() - startedAt),
    error,
    stack: null,
    ...(status !== undefined && { status }),
  });
  const request = requestOf(event, now());
  if ("problem" in request) return ended("error", request.problem);
  try {
    const { status } = await postBytes(request.url, { ...request.message, timeoutMs: TIMEOUT_MS, signal });
    const problem = problemOf(status);
    return ended(problem === null ? "ok" : "error", problem, status);
  } catch (thrown) {
    signal.throwIfAborted();
    const timedOut = thrown instanceof OutboundError && thrown.problem === "timed_out";
    if (timedOut) return ended("timeout", `The product did not answer within ${TIMEOUT_MS / 1000} s.`);
    return ended("error", causeOf(thrown));
  }
}

type Request = { url: string; message: Pick<Parameters<PostBytes>[1], "body" | "headers"> };

function requestOf(
  { endpoint, key, facts, body, contentType }: StoredEvent,
  now: number,
): Request | { problem: string } {
  const { forward, slug, provider } = endpoint;
  const { environment, type } = facts;
  if (!forward) return { problem: "The endpoint no longer forwards its events." };
  // The endpoint can have moved since its URL was entered.
  if (isLoopbackUrl(forward.url) && environment !== "development")
    return { problem: "Only endpoints of development can forward to this machine. Change the URL." };
  if (forward.secrets.length === 0)
    return { problem: "No secret to sign with can be read: it was sealed with another GATEHOUSE_SECRET. Rotate it." };
  const message = { id: messageIdOf(slug, key), provider, endpoint: slug, environment, type, body, contentType };
  const secrets = forward.secrets.map(({ value }) => value);
  return { url: forward.url, message: { body, headers: forwardedHeaders(message, secrets, now) } };
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The product answered ${status}, a redirect. Redirects are not followed: enter the URL that it leads to.`;
  return `The product answered ${status}.`;
}

function causeOf(thrown: unknown): string {
  if (!(thrown instanceof OutboundError)) return describeThrown(thrown).error;
  if (thrown.problem === "address_not_public")
    return `The URL leads to an address that is not public (it ${thrown.message}). Forwarding goes to public addresses only.`;
  const code = thrown.cause instanceof Error ? Reflect.get(thrown.cause, "code") : undefined;
  return `The product could not be reached: ${typeof code === "string" ? code : thrown.message}.`;
}
