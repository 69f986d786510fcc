import { BALANCER_HEADER } from "../fleet/balancer.ts";
import type { Reply } from "./client.ts";

/**
 * What became of a request: answered as expected; refused by a server that cannot serve now; answered by the balancer,
 * because a server had died, was down or silent; cut off; or anything else, which is a fault.
 */
export type Result = "answered" | "unavailable" | "balancer" | "reset" | "wrong";

export type Outcome = { kind: string; at: number; ms: number; result: Result; detail: string };

/** `expected`: statuses that are an answer. 503 counts as `unavailable` only with Retry-After. OP-30. */
export function judge(reply: Reply, expected: readonly number[]): { result: Result; detail: string } {
  if (reply.status === 0) return { result: "reset", detail: "failure" in reply ? reply.failure : "" };
  if (!("headers" in reply)) return { result: "wrong", detail: "" };
  if (expected.includes(reply.status)) return { result: "answered", detail: String(reply.status) };
  const balancer = reply.headers[BALANCER_HEADER];
  if (balancer !== undefined) return { result: "balancer", detail: String(balancer) };
  const retryAfter = Number(reply.headers["retry-after"]);
  if (reply.status === 503 && retryAfter >= 1) return { result: "unavailable", detail: "503" };
  return { result: "wrong", detail: `${reply.status} ${reply.text.slice(0, 300)}` };
}

/** Outcomes of requests that began in a span of time. */
export function between(outcomes: readonly Outcome[], from: number, to: number): Outcome[] {
  return outcomes.filter(({ at }) => at >= from && at < to);
}

export function countOf(outcomes: readonly Outcome[], ...results: Result[]): number {
  return outcomes.filter(({ result }) => results.includes(result)).length;
}

/** The time within which `share` of the requests were answered, in milliseconds; NaN of none. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What was not answered as expected, each kind of it with the number of times: short enough to read. */
export function failuresIn(outcomes: readonly Outcome[]): string[] {
  const seen = new Map<string, number>();
  for (const { result, kind, detail } of outcomes) {
    if (result === "answered") continue;
    const name = `${kind}: ${result}, ${detail}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  return [...seen].map(([name, count]) => `${count} × ${name}`);
}
