import type { ThrottleKey } from "@gatehouse/runtime";
import { isHasherBusy } from "../passwords/hash-queue.ts";

/** A limit on failures. */
export type Limit = {
  /** Limits with the same name share their counts. */
  name: string;
  /** Failures allowed in a window, which starts with the first one. */
  failures: number;
  windowSeconds: number;
};

/** Counts failures under one limit, for all processes. */
export type Limiter = {
  /** Counts nothing. Resolves to 0, or the seconds to wait. */
  check(key: ThrottleKey): Promise<number>;
  /** Counts an attempt in advance. Resolves to 0, or the seconds to wait. */
  attempt(key: ThrottleKey): Promise<number>;
  /** Subtracts one failure. */
  forgive(key: ThrottleKey): Promise<void>;
  /** Deletes the key's count. */
  clear(key: ThrottleKey): Promise<void>;
};

/** One attempt at something that can be guessed, counted under every limit that applies. */
export type Attempts = {
  /**
   * Counts the attempt in advance, so that parallel attempts count too. Resolves to 0 or the seconds to wait. AB-01.
   */
  begin(): Promise<number>;
  /** Takes the attempt back: only failures stay counted. */
  succeeded(): Promise<void>;
  /** Takes the attempt back because nothing was checked. */
  withdrawn(): Promise<void>;
};

type Limited = readonly [Limiter, ThrottleKey];

/** A success takes its attempt back from `limits` and clears the counts in `reset`. */
export function attemptsUnder(limits: readonly Limited[], reset: readonly Limited[] = []): Attempts {
  const forgive = (limited: readonly Limited[]) => limited.map(([limiter, key]) => limiter.forgive(key));
  const forgiven = limits.filter((limit) => !reset.includes(limit));
  return {
    async begin() {
      for (const [limiter, key] of limits) {
        const waitSeconds = await limiter.attempt(key);
        if (waitSeconds > 0) return waitSeconds;
      }
      return 0;
    },
    async succeeded() {
      await Promise.all([...forgive(forgiven), ...reset.map(([limiter, key]) => limiter.clear(key))]);
    },
    async withdrawn() {
      await Promise.all(forgive(limits));
    },
  };
}

/** The result of an attempt's check. If the password could not be checked now, the attempt does not count. PW-06. */
export async function withdrawIfBusy<Value>(
  attempts: Pick<Attempts, "withdrawn">,
  check: Promise<Value>,
): Promise<Value> {
  try {
    return await check;
  } catch (error) {
    if (isHasherBusy(error)) await attempts.withdrawn();
    throw error;
  }
}
