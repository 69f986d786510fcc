import { type Attempts, attemptsUnder, type Limit } from "@gatehouse/accounts";
import type { ActiveSession, Caller } from "@gatehouse/auth";
import type { Database } from "@gatehouse/db/database";
import { createRateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";
import { callerKey, siteKey, subjectKey } from "@gatehouse/runtime";

const TEN_MINUTES = 600;
export const DEVICE_LIMITS = {
  startByAddress: { name: "device flow by address", failures: 300, windowSeconds: TEN_MINUTES },
  // A code has 34.5 bits; five attempts in its lifetime succeed with a chance of 2^-32. RFC 8628 §5.1.
  codeBySession: { name: "device code by session", failures: 5, windowSeconds: TEN_MINUTES },
  codeByAccount: { name: "device code by account", failures: 10, windowSeconds: TEN_MINUTES },
  codeByAddress: { name: "device code by address", failures: 20, windowSeconds: TEN_MINUTES },
  codeByAnybody: { name: "device code by anybody", failures: 500, windowSeconds: TEN_MINUTES },
  // Beyond that, each network has as many as one session.
  codeInACrowd: { name: "device code in a crowd by network", failures: 5, windowSeconds: TEN_MINUTES },
  linkBySession: { name: "device code in a link by session", failures: 5, windowSeconds: TEN_MINUTES },
  linkByAccount: { name: "device code in a link by account", failures: 10, windowSeconds: TEN_MINUTES },
  linkByAddress: { name: "device code in a link by address", failures: 20, windowSeconds: TEN_MINUTES },
} as const satisfies Record<string, Limit>;

/** The limits of the device flow. The database counts for all processes. DF-05. */
export function createDeviceAttempts(database: Pick<Database, "engine">) {
  const limit = (name: keyof typeof DEVICE_LIMITS) => createRateLimiter(database, DEVICE_LIMITS[name]);
  const startByAddress = limit("startByAddress");
  const typed = [limit("codeBySession"), limit("codeByAccount"), limit("codeByAddress")] as const;
  const linked = [limit("linkBySession"), limit("linkByAccount"), limit("linkByAddress")] as const;
  const [byAnybody, inACrowd] = [limit("codeByAnybody"), limit("codeInACrowd")];
  const everybody = subjectKey("everybody");

  const countsOf = (
    [bySession, byAccount, byAddress]: typeof typed,
    { session, user }: ActiveSession,
    caller: Caller,
  ) =>
    [
      [bySession, subjectKey("session", session.id)],
      [byAccount, subjectKey("account", user.id)],
      [byAddress, callerKey(caller)],
    ] as const;

  return {
    start: (caller: Caller) => attemptsUnder([[startByAddress, callerKey(caller)]]),
    /**
     * A user code that somebody entered. What strangers guess in all makes the limit of each network smaller, but locks
     * out no other.
     */
    code: (account: ActiveSession, caller: Caller): Attempts =>
      crowdAware(
        attemptsUnder([...countsOf(typed, account, caller)]),
        attemptsUnder([[byAnybody, everybody]]),
        attemptsUnder([[inACrowd, siteKey(caller)]]),
      ),
    /**
     * A user code in a link. Any site can make a browser open links, so they have counts of their own: those may be
     * full, and the user can still enter a code.
     */
    link: (account: ActiveSession, caller: Caller): Attempts =>
      attemptsUnder([...countsOf(linked, account, caller), [byAnybody, everybody]]),
  };
}

/** `own`, and while there are too many of `everybody`, `inACrowd` as well. */
function crowdAware(own: Attempts, everybody: Attempts, inACrowd: Attempts): Attempts {
  let counted = [own];
  return {
    async begin() {
      const waitSeconds = await own.begin();
      if (waitSeconds > 0) return waitSeconds;
      counted = [own, everybody];
      if ((await everybody.begin()) === 0) return 0;
      counted = [own, everybody, inACrowd];
      return inACrowd.begin();
    },
    async succeeded() {
      await Promise.all(counted.map((attempts) => attempts.succeeded()));
    },
    async withdrawn() {
      await Promise.all(counted.map((attempts) => attempts.withdrawn()));
    },
  };
}
