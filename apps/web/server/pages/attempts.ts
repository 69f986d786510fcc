import type { Caller } from "@gatehouse/auth";
import { createRateLimiter, type Database, type RateLimiter } from "@gatehouse/db";
import { callerKey, subjectKey, type ThrottleKey } from "@gatehouse/net";

/** One attempt at something that can be guessed, counted under every limit that applies. */
export type Attempts = {
  /** Counts the attempt in advance, so that parallel attempts count too. Resolves to 0 or the seconds to wait. */
  begin(): Promise<number>;
  /** Takes the attempt back: only failures stay counted. */
  succeeded(): Promise<void>;
};

const MINUTES = 60;
const LIMITS = {
  // AB-02. All failures of one account, from any caller. A successful sign-in resets the count.
  signInByAccount: { name: "sign-in in a row by account", failures: 100, windowSeconds: 60 * MINUTES },
  signInByAccountAndCaller: { name: "sign-in by account and address", failures: 10, windowSeconds: 15 * MINUTES },
  signInByBrowser: { name: "sign-in by known browser", failures: 10, windowSeconds: 15 * MINUTES },
  signInByAddress: { name: "sign-in by address", failures: 60, windowSeconds: 15 * MINUTES },
  signUpByAddress: { name: "sign-up by address", failures: 30, windowSeconds: 60 * MINUTES },
  deviceStartByAddress: { name: "device flow by address", failures: 300, windowSeconds: 10 * MINUTES },
  // A code has 34.5 bits; five attempts in its lifetime succeed with a chance of 2^-32. RFC 8628 §5.1.
  codeBySession: { name: "device code by session", failures: 5, windowSeconds: 10 * MINUTES },
  codeByAddress: { name: "device code by address", failures: 20, windowSeconds: 10 * MINUTES },
  codeByAnybody: { name: "device code by anybody", failures: 500, windowSeconds: 10 * MINUTES },
} as const;

type Limited = readonly [RateLimiter, ThrottleKey];

/** The limits of the pages. The database counts for all processes. SE-07, DF-05. */
export function createAttempts(database: Pick<Database, "engine">) {
  const limit = (name: keyof typeof LIMITS) => createRateLimiter(database, LIMITS[name]);
  const signInByAccount = limit("signInByAccount");
  const signInByAccountAndCaller = limit("signInByAccountAndCaller");
  const signInByBrowser = limit("signInByBrowser");
  const signInByAddress = limit("signInByAddress");
  const signUpByAddress = limit("signUpByAddress");
  const deviceStartByAddress = limit("deviceStartByAddress");
  const [codeBySession, codeByAddress, codeByAnybody] = [limit("codeBySession"), limit("codeByAddress"), limit("codeByAnybody")];

  return {
    /** `browserId` is set for a browser that has signed in to this account before. It has its own count, so other callers cannot block it. AB-03. */
    signIn(email: string, browserId: string | undefined, caller: Caller): Attempts {
      const account = email.trim().toLowerCase();
      const inARow = [signInByAccount, subjectKey("account", account)] as const;
      if (browserId !== undefined) return attemptsUnder([[signInByBrowser, subjectKey("browser", browserId)]], [inARow]);
      // The account's count comes last: a blocked caller adds nothing to it, so one caller cannot exhaust it.
      const own: Limited[] = [
        [signInByAddress, callerKey(caller)],
        [signInByAccountAndCaller, callerKey(caller, account)],
      ];
      return attemptsUnder([...own, inARow], [inARow]);
    },
    signUp: (caller: Caller) => attemptsUnder([[signUpByAddress, callerKey(caller)]]),
    deviceStart: (caller: Caller) => attemptsUnder([[deviceStartByAddress, callerKey(caller)]]),
    deviceCode: (sessionId: string, caller: Caller) =>
      attemptsUnder([
        [codeBySession, subjectKey("session", sessionId)],
        [codeByAddress, callerKey(caller)],
        [codeByAnybody, subjectKey("everybody")],
      ]),
  };
}

/** A success takes its attempt back from `limits` and clears the counts in `reset`. */
function attemptsUnder(limits: readonly Limited[], reset: readonly Limited[] = []): Attempts {
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
      await Promise.all([...forgiven.map(([limiter, key]) => limiter.forgive(key)), ...reset.map(([limiter, key]) => limiter.clear(key))]);
    },
  };
}
