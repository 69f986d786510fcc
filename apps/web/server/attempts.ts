import { createRateLimiter, type Database, type RateLimiter } from "@gatehouse/db";
import { callerOf } from "./address.ts";

/** One try at something that may be guessed, under every limit that covers it. */
export type Attempts = {
  /** Counts the try before it is made, so that parallel ones cannot slip by. 0, or the seconds to wait. */
  begin(): Promise<number>;
  /** The try was no failure after all: only failures stay counted. */
  succeeded(): Promise<void>;
};

const MINUTES = 60;
const LIMITS = {
  signInByAccount: { name: "sign-in by account", failures: 10, windowSeconds: 15 * MINUTES },
  signInByAddress: { name: "sign-in by address", failures: 60, windowSeconds: 15 * MINUTES },
  signUpByAddress: { name: "sign-up by address", failures: 30, windowSeconds: 60 * MINUTES },
  deviceStartByAddress: { name: "device flow by address", failures: 300, windowSeconds: 10 * MINUTES },
  // 34.5 bits and five tries in a code's life leave a guesser a chance of 2^-32. RFC 8628 §5.1.
  codeBySession: { name: "device code by session", failures: 5, windowSeconds: 10 * MINUTES },
  codeByAddress: { name: "device code by address", failures: 20, windowSeconds: 10 * MINUTES },
  codeByAnybody: { name: "device code by anybody", failures: 500, windowSeconds: 10 * MINUTES },
} as const;

type Limited = readonly [RateLimiter, string | null];

/** The limits of the pages, counted in the database for all processes together. SE-07, DF-05. */
export function createAttempts(database: Pick<Database, "engine">) {
  const limit = (name: keyof typeof LIMITS) => createRateLimiter(database, LIMITS[name]);
  const signInByAccount = limit("signInByAccount");
  const signInByAddress = limit("signInByAddress");
  const signUpByAddress = limit("signUpByAddress");
  const deviceStartByAddress = limit("deviceStartByAddress");
  const [codeBySession, codeByAddress, codeByAnybody] = [limit("codeBySession"), limit("codeByAddress"), limit("codeByAnybody")];

  return {
    signIn: (email: string, address: string | null) =>
      attemptsUnder([
        // The address first: one that is held up counts against no account any more, real or invented.
        [signInByAddress, callerOf(address)],
        [signInByAccount, email.trim().toLowerCase()],
      ]),
    signUp: (address: string | null) => attemptsUnder([[signUpByAddress, callerOf(address)]]),
    deviceStart: (address: string | null) => attemptsUnder([[deviceStartByAddress, callerOf(address)]]),
    deviceCode: (sessionId: string, address: string | null) =>
      attemptsUnder([
        [codeBySession, sessionId],
        [codeByAddress, callerOf(address)],
        [codeByAnybody, "anybody"],
      ]),
  };
}

/** A key of null is one we do not know; nobody is counted under it. */
function attemptsUnder(limits: readonly Limited[]): Attempts {
  const known = limits.filter((limit): limit is readonly [RateLimiter, string] => limit[1] !== null);
  return {
    async begin() {
      for (const [limiter, key] of known) {
        const waitSeconds = await limiter.attempt(key);
        if (waitSeconds > 0) return waitSeconds;
      }
      return 0;
    },
    async succeeded() {
      await Promise.all(known.map(([limiter, key]) => limiter.forgive(key)));
    },
  };
}
