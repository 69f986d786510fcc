import { assertMayManageAll, existingApplication } from "../applications/applications.ts";
import { type ApplicationRow, deleteApplication } from "../applications/queries.ts";
import { type AuditDeps, auditWrite } from "../audit/entry.ts";
import { clientWrite } from "../clients/audit.ts";
import { type ClientRow, deleteClient, listClientRows } from "../clients/queries.ts";
import { managedClient } from "../clients/view.ts";
import { DomainError } from "../domain-error.ts";
import { assertUnlocked } from "../managed/lock.ts";
import { type Author, assertFresh } from "../permissions.ts";
import { moveApplicationToRemoved, moveClientToRemoved } from "./queries.ts";

/**
 * Removes an application with its clients. Their tokens are invalid when this returns. What an admin registered can be
 * restored for seven days; an application that registered itself can only register again. Throws `not_found`,
 * `forbidden`, `conflict` if it changes meanwhile, and `stale_sign_in` with a production client. CO-44, CO-88.
 */
export async function removeApplication(id: string, author: Author, deps: AuditDeps): Promise<void> {
  await assertMayManageAll(id, author, deps.db);
  const application = await existingApplication(id, deps.db);
  const clients = await listClientRows(deps.db, id);
  await assertUnlocked("application", id, author, deps);
  await assertUnlocked(
    "client",
    clients.map((client) => client.id),
    author,
    deps,
  );
  assertFreshFor(clients, author, deps);
  const also = [applicationRemoval(application, clients, author, deps)];
  const removed = clients.every(isRestorable)
    ? await moveApplicationToRemoved(deps.db, application, clients, by(author, deps), also)
    : await deleteApplication(deps.db, id, also);
  if (!removed) throw changedMeanwhile(application.name);
}

/** Deletes an application that was only just created, so that there is nothing to restore. */
export async function discardApplication(application: ApplicationRow, author: Author, deps: AuditDeps): Promise<void> {
  await deleteApplication(deps.db, application.id, [applicationRemoval(application, [], author, deps)]);
}

function applicationRemoval(
  { id, name }: ApplicationRow,
  clients: readonly ClientRow[],
  author: Author,
  deps: AuditDeps,
) {
  const detail = { clients: clients.map((client) => `${client.name} (${client.environment}) ${client.id}`) };
  return auditWrite(author, { action: "application.remove", object: id, objectName: name, detail }, deps);
}

/** Removes a client, as {@link removeApplication} does all of an application. CO-44, CO-88. */
export async function removeClient(clientId: string, author: Author, deps: AuditDeps): Promise<void> {
  const client = await managedClient(clientId, author, deps.db);
  await assertUnlocked("client", clientId, author, deps);
  assertFreshFor([client], author, deps);
  const also = [clientWrite(author, client, { action: "client.remove" }, deps)];
  const { id, name, environment, applicationId, applicationName, version } = client;
  const object = { id, name, environment, applicationId, applicationName, version };
  const removed = isRestorable(client)
    ? await moveClientToRemoved(deps.db, object, by(author, deps), also)
    : await deleteClient(deps.db, clientId, also);
  if (!removed) throw changedMeanwhile(name);
}

/** A client that registered itself can register again, with the settings it wants then. */
const isRestorable = ({ origin }: ClientRow) => origin === "registered";

const by = ({ name }: Author, { now }: AuditDeps) => ({ removedAt: now(), removedBy: name });

/** Removing and restoring in production needs a fresh sign-in. CO-88. */
export function assertFreshFor(
  clients: readonly { environment: unknown }[],
  author: Author,
  { now }: Pick<AuditDeps, "now">,
): void {
  if (clients.some(({ environment }) => environment === "production")) assertFresh(author, now());
}

const changedMeanwhile = (name: string) =>
  new DomainError("conflict", `${name} changed while it was being removed, so nothing was removed. Look at it again.`);
