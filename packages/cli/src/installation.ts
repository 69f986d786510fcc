import type { OperationDeps } from "@gatehouse/console/deps";
import {
  assertNotMoved,
  assertSecretInForce,
  type Installation,
  maintenanceSince,
  openInstallation,
  requireSchema,
  type Settings,
} from "@gatehouse/installation";

/** Commands print their own results; what goes wrong besides goes to standard error. */
const log = { info() {}, warn() {}, error: (fields: object, message: string) => console.error(message, fields) };

/**
 * Opens the installation, does the work and closes it. Changes the schema only of an empty database, and only with
 * `create`; any other schema has to fit, or SchemaError is thrown (OP-62). Throws `AnotherSecretError` when the
 * database is sealed with another secret, unless `anySecret` is set.
 */
export async function withInstallation<Result>(
  settings: Settings,
  work: (deps: OperationDeps) => Promise<Result>,
  { create = false, anySecret = false }: { create?: boolean; anySecret?: boolean } = {},
): Promise<Result> {
  return withOpen(settings, async ({ database, deps, settings: live }) => {
    await assertNotMoved(database);
    await requireSchema(database, { create });
    if (!anySecret) await assertSecretInForce(deps);
    // A command may write as little as a server.
    database.refuseWrites((await maintenanceSince(database.db)) !== undefined);
    await live.load();
    return work(deps);
  });
}

/** Opens the installation as it is, whatever its schema and secret, does the work and closes it. */
export async function withOpen<Result>(
  settings: Settings,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const installation = await openInstallation(settings, { log });
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}
