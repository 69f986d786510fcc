import { maintainKeys, sendLogoutNotices } from "@gatehouse/auth";
import { sweep } from "@gatehouse/db";
import { findUnacceptedClients } from "@gatehouse/operations";
import type { Installation } from "./installation.ts";
import { createPeriodic, type Periodic } from "./periodic.ts";

const SWEEP_EVERY_MS = 10 * 60 * 1000;
/** The longest that a client waits to learn of a sign-out, apart from the network. */
const NOTICES_EVERY_MS = 2000;
const MOST_WARNINGS = 20;

/** Starts what runs from time to time, in one process of an installation: key rotation, sweeping, logout notices. */
export function startMaintenance({ database, deps, log }: Installation): Periodic {
  const periodic = createPeriodic((error, failure) => log.error({ err: error }, failure));
  const keys = [() => maintainKeys(deps), "the signing keys could not be maintained"] as const;
  periodic.run(...keys); // in the background: the first request that needs a key creates it
  periodic.every(SWEEP_EVERY_MS, ...keys);
  periodic.every(SWEEP_EVERY_MS, () => sweep(database.background, deps.now()), "sweeping failed");
  periodic.every(NOTICES_EVERY_MS, () => sendLogoutNotices({ ...deps, ...deps.console }), "logout notices could not be sent");
  periodic.run(() => warnOfUnacceptedClients({ database, deps, log }), "clients that no API accepts could not be looked up");
  return periodic;
}

/** Logs each client that is registered for an API which refuses its environment. D22. */
async function warnOfUnacceptedClients({ database, deps, log }: Pick<Installation, "database" | "deps" | "log">): Promise<void> {
  const found = await findUnacceptedClients({ ...deps, handle: database.background }, MOST_WARNINGS + 1);
  for (const { clientId, applicationName, environment, api, accepted } of found.slice(0, MOST_WARNINGS)) {
    const message = `${applicationName} (${clientId}) can never be accepted: it is a ${environment} client, and ${api} accepts ${accepted.join(", ")}`;
    log.warn({ clientId, environment, api, accepted }, message);
  }
  if (found.length > MOST_WARNINGS) log.warn({}, `more than ${MOST_WARNINGS} clients can never be accepted; the others are not listed`);
}
