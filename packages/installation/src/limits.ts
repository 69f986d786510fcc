import { type AccountLimits, createAccountLimits } from "@gatehouse/accounts";
import { createThrottle, type Deps } from "@gatehouse/auth";
import { createRateLimiter, type Database } from "@gatehouse/db";

/** Secrets have 256 bits: this limits the noise of guessing, not its chance of success. */
const CLIENT_SECRET = { name: "client secret by client and address", failures: 60, windowSeconds: 60 };

/** What one address may cause in an hour without being registered; generous, since many people share one. DC-06, CI-10. */
const REGISTRATION = { name: "registration by address", failures: 60, windowSeconds: 3600 };
const CLIENT_DOCUMENT = { name: "client document by address", failures: 120, windowSeconds: 3600 };

/**
 * Pushed authorization requests in a minute. A client that an admin gave a secret pushes for all its users from one address; anybody
 * can act as any other client. RFC 9126 §2.3.
 */
const PUSH = {
  client: { name: "pushed request by client and address", failures: 60, windowSeconds: 60 },
  trustedClient: { name: "pushed request by trusted client and address", failures: 3000, windowSeconds: 60 },
  network: { name: "pushed request by network", failures: 300, windowSeconds: 60 },
};

/** The rate limits of the protocol and of accounts. Their counts are in the database, so every process shares them. `now` is in Unix seconds. */
export function createLimits(
  database: Pick<Database, "engine">,
  now: () => number,
  mail: { available: boolean },
): Required<Pick<Deps, "throttle" | "quota" | "pushLimits">> & { limits: AccountLimits } {
  const throttle = (limit: Parameters<typeof createRateLimiter>[1]) => createThrottle(createRateLimiter(database, limit), now);
  const registration = createRateLimiter(database, REGISTRATION);
  const clientDocument = createRateLimiter(database, CLIENT_DOCUMENT);
  return {
    throttle: throttle(CLIENT_SECRET),
    quota: (of, key) => (of === "registration" ? registration : clientDocument).attempt(key),
    limits: createAccountLimits((limit) => createRateLimiter(database, limit), { mailWorks: mail.available }),
    pushLimits: { client: throttle(PUSH.client), trustedClient: throttle(PUSH.trustedClient), network: throttle(PUSH.network) },
  };
}
