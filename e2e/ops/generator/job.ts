import type { Call } from "../traffic/client.ts";

/**
 * So many requests a second, whether or not earlier ones have been answered: callers who do not know of each other. They
 * begin with so many open connections, as those of a proxy are, and open more while none is idle. Or as many as can be
 * answered, by connections of which each sends its next request when the last is answered.
 */
export type Load = { perSecond: number; open?: number } | { connections: number };

/** What a load generator does. */
export type Job = {
  port: number;
  /** Sent by turns. */
  calls: readonly Call[];
  load: Load;
  /** Before the measurement begins. */
  warmSeconds: number;
  seconds: number;
  /** Addresses of this machine that the connections come from, by turns. */
  addresses?: readonly string[];
};

/** Times of the requests with one outcome, in milliseconds. */
export type Times = { count: number; p50: number; p99: number; max: number };

export type Measured = {
  seconds: number;
  /** Requests by their status; `lost` without a response, `late` if it took more than 10 s. */
  outcomes: Record<string, Times>;
  /** Responses with 503 that name no time to come back. */
  without: number;
  /** How long after it was due a request was sent, p99 in milliseconds: large if the generator could not keep up. */
  behindMs: number;
  /** How busy the generator's core was, 0 to 1. */
  busy: number;
};

/** Requests with one of these outcomes, by default all. */
export function countOf({ outcomes }: Measured, ...names: string[]): number {
  const chosen = names.length > 0 ? names : Object.keys(outcomes);
  return chosen.reduce((sum, name) => sum + (outcomes[name]?.count ?? 0), 0);
}

/** Outcomes other than these, with their counts. */
export function othersIn({ outcomes }: Measured, ...expected: string[]): string[] {
  return Object.entries(outcomes)
    .filter(([name]) => !expected.includes(name))
    .map(([name, { count }]) => `${count} × ${name}`);
}
