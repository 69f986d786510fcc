import { type AdminOutcome, bootstrap } from "./bootstrap.ts";
import { reportConnections } from "./connections.ts";
import type { Installation } from "./installation.ts";
import { assertLocalDisk } from "./local-disk.ts";
import { assertPasskeyDomain } from "./passkey-domain.ts";
import { assertNotMoved } from "./read-only.ts";
import { migrateOrWait, type Waiting } from "./schema.ts";
import { assertSecretInForce, assertSecretUnchanged, findUnreadable } from "./secret-in-force.ts";

/**
 * Makes the database ready to be served from: everything that a start does to it, in this order. Runs in one process of
 * a server; several servers may start at once. `wait` says how to wait for somebody else's migration; without it an
 * older schema is an error. Throws MovedError and AnotherSecretError before the first write, SchemaError, SettingsError,
 * an error if stored passkeys belong to another domain, or a `conflict` when there is no admin and none can be created.
 */
export async function prepare(installation: Installation, wait?: Waiting): Promise<AdminOutcome> {
  const { settings, database, deps, log } = installation;
  await assertLocalDisk(settings.current.databaseUrl, log);
  await assertNotMoved(database);
  await assertSecretUnchanged(database, deps);
  await migrateOrWait(database, { mode: settings.current.migrate, log, wait });
  await assertSecretInForce(deps);
  await settings.load();
  await reportConnections(database, settings.current, log);
  await assertPasskeyDomain(deps);
  await reportUnreadable(installation);
  return bootstrap(settings.current, deps);
}

/**
 * After a change of GATEHOUSE_SECRET: deliveries of these webhook providers are refused until their secrets are entered
 * again.
 */
async function reportUnreadable({ deps, log }: Installation): Promise<void> {
  const { signingKeys, webhookSecrets } = await findUnreadable(deps);
  if (signingKeys.length > 0) log.warn({ signingKeys }, "signing keys cannot be decrypted; new ones replace them");
  if (webhookSecrets.length > 0)
    log.error({ webhookSecrets }, "webhook secrets cannot be decrypted with this GATEHOUSE_SECRET; enter them again");
}
