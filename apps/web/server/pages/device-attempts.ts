import { attemptsUnder, type Limit } from "@gatehouse/accounts";
import type { Caller } from "@gatehouse/auth";
import { createRateLimiter, type Database } from "@gatehouse/db";
import { callerKey, subjectKey } from "@gatehouse/net";

const TEN_MINUTES = 600;
const LIMITS = {
  startByAddress: { name: "device flow by address", failures: 300, windowSeconds: TEN_MINUTES },
  // A code has 34.5 bits; five attempts in its lifetime succeed with a chance of 2^-32. RFC 8628 §5.1.
  codeBySession: { name: "device code by session", failures: 5, windowSeconds: TEN_MINUTES },
  codeByAddress: { name: "device code by address", failures: 20, windowSeconds: TEN_MINUTES },
  codeByAnybody: { name: "device code by anybody", failures: 500, windowSeconds: TEN_MINUTES },
} as const satisfies Record<string, Limit>;

/** The limits of the device flow. The database counts for all processes. DF-05. */
export function createDeviceAttempts(database: Pick<Database, "engine">) {
  const limit = (name: keyof typeof LIMITS) => createRateLimiter(database, LIMITS[name]);
  const [startByAddress, codeBySession] = [limit("startByAddress"), limit("codeBySession")];
  const [codeByAddress, codeByAnybody] = [limit("codeByAddress"), limit("codeByAnybody")];
  return {
    start: (caller: Caller) => attemptsUnder([[startByAddress, callerKey(caller)]]),
    code: (sessionId: string, caller: Caller) =>
      attemptsUnder([
        [codeBySession, subjectKey("session", sessionId)],
        [codeByAddress, callerKey(caller)],
        [codeByAnybody, subjectKey("everybody")],
      ]),
  };
}
