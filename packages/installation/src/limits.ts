import { type AccountLimits, createAccountLimits, type Limit } from "@gatehouse/accounts";
import { createThrottle, type Deps, QUOTAS as QUOTA_NAMES, type Quota, type Throttle } from "@gatehouse/auth";
import type { Database } from "@gatehouse/db/database";
import { createRateLimiter, type RateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";
import { metrics } from "@gatehouse/runtime/metrics";

/** Secrets have 256 bits, and keys more: this limits the noise of guessing, not its chance of success. */
const CLIENT_SECRET = { name: "client secret by client and address", failures: 60, windowSeconds: 60 };

const HOUR = 3600;

/**
 * What strangers may cause in an hour. Each count is of one address, network or registration, generous since many
 * people share one: nobody can use up what others need. DC-06, CI-10.
 */
const QUOTAS: Record<Quota, Limit> = {
  registration: { name: "registration by address", failures: 60, windowSeconds: HOUR },
  "registration in a crowd": { name: "registration in a crowd by network", failures: 5, windowSeconds: HOUR },
  "registration change": { name: "change of one registration", failures: 20, windowSeconds: HOUR },
  "registration changes": { name: "changes of registrations by address", failures: 120, windowSeconds: HOUR },
  "client document": { name: "client document by address", failures: 120, windowSeconds: HOUR },
  "client fetch": { name: "fetch for clients by network", failures: 1200, windowSeconds: HOUR },
  "client fetch from host": { name: "fetch for clients by network and host", failures: 240, windowSeconds: HOUR },
};

/**
 * Pushed authorization requests in a minute. A client that an admin gave a secret pushes for all its users from one
 * address; anybody can act as any other client. RFC 9126 §2.3.
 */
const PUSH = {
  client: { name: "pushed request by client and address", failures: 60, windowSeconds: 60 },
  trustedClient: { name: "pushed request by trusted client and address", failures: 3000, windowSeconds: 60 },
  network: { name: "pushed request by network", failures: 300, windowSeconds: 60 },
};

/** A throttle refuses from memory, which its counter does not see. OP-75 */
function measureThrottle(throttle: Throttle, { name }: Limit): Throttle {
  const limited = metrics.rateLimited.series(name);
  return {
    ...throttle,
    waitSeconds(key) {
      const seconds = throttle.waitSeconds(key);
      if (seconds > 0) limited.add();
      return seconds;
    },
  };
}

/**
 * The rate limits of the protocol and of accounts. Their counts are in the database, so every process shares them.
 * `now` is in Unix seconds.
 */
export function createLimits(
  database: Pick<Database, "engine">,
  now: () => number,
  mail: { readonly mailWorks: boolean },
): Required<Pick<Deps, "throttle" | "quota" | "pushLimits">> & { limits: AccountLimits } {
  const throttle = (limit: Limit) => measureThrottle(createThrottle(createRateLimiter(database, limit), now), limit);
  const quotas = Object.fromEntries(QUOTA_NAMES.map((of) => [of, createRateLimiter(database, QUOTAS[of])])) as Record<
    Quota,
    RateLimiter
  >;
  return {
    throttle: throttle(CLIENT_SECRET),
    quota: (of, key) => quotas[of].attempt(key),
    limits: createAccountLimits((limit) => createRateLimiter(database, limit, { isPatient: true }), mail),
    pushLimits: {
      client: throttle(PUSH.client),
      trustedClient: throttle(PUSH.trustedClient),
      network: throttle(PUSH.network),
    },
  };
}
