import type { Environment } from "@gatehouse/auth";
import { toPage } from "@gatehouse/db/query/page";
import { RESTORABLE_SECONDS } from "@gatehouse/db/schema/removed-rows";
import { findApplication, findApplicationByName } from "../applications/queries.ts";
import { type AuditDeps, type AuditEntry, auditWrite } from "../audit/entry.ts";
import { clientNames, MAX_CLIENTS } from "../clients/names.ts";
import { listClientRows } from "../clients/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { ListInput } from "../lists/filter.ts";
import type { RemovedFilter } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import { type Author, assertMayChange } from "../permissions.ts";
import { assertMayExtend } from "../resources/attached.ts";
import { findRemoved, listRemoved, type RemovedObject, restoreApplicationRows, restoreClientRow } from "./queries.ts";
import { assertFreshFor } from "./remove.ts";
import { type RemovedClient, removedClients } from "./removed-clients.ts";

/** Of an application or client that was removed. Times are in Unix seconds. */
export type RemovedView = Omit<RemovedObject, "rows"> & {
  /** Of the clients that are restored, each once. */
  environments: Environment[];
  /** How many clients an application had; 1 for a client. */
  clients: number;
  restorableUntil: number;
};

function viewOf({ rows, ...removed }: RemovedObject): RemovedView {
  const clients = removedClients(rows);
  const environments = [...new Set(clients.map(({ environment }) => environment))];
  return { ...removed, environments, clients: clients.length, restorableUntil: removed.removedAt + RESTORABLE_SECONDS };
}

/** A page of what can be restored, newest first. CO-44. */
export async function listRemovedObjects(
  { cursor, limit, ...filter }: ListInput<RemovedFilter>,
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
) {
  const found = await listRemoved(reads, { ...filter, now: now() }, positionOf(cursor), limit);
  const { items, ...page } = toPage(found, limit, ({ removedAt, id }) => ({ at: removedAt, id }));
  return { items: items.map(viewOf), ...page };
}

/** One removed object; null if there is none with this id, or if it can no longer be restored. */
export async function getRemovedObject(
  id: string,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): Promise<RemovedView | null> {
  const removed = await findRemoved(db, id, now());
  return removed ? viewOf(removed) : null;
}

/** Where what was restored is. */
export type Restored = {
  kind: RemovedObject["kind"];
  applicationId: string;
  name: string;
  environment: Environment | null;
};

/**
 * Restores everything but secrets and tokens, under its id. `name`: another name, if its own is taken. Throws
 * `not_found` seven days after the removal, `conflict` (at the field `name` if the name is taken), `forbidden` without
 * the rights that the removal needs, and `stale_sign_in` with a production client. CO-44.
 */
export async function restoreRemoved(
  { id, name: asked }: { id: string; name?: string | undefined },
  author: Author,
  deps: AuditDeps,
): Promise<Restored> {
  const removed = await findRemoved(deps.db, id, deps.now());
  if (!removed)
    throw new DomainError("not_found", "This was removed more than seven days ago, or is restored already.");
  const clients = removedClients(removed.rows);
  for (const client of clients) {
    assertMayChange(author, client);
    await assertMayExtend(client, author, deps);
  }
  assertFreshFor(clients, author, deps);
  const name = asked ?? removed.name;
  const { kind, applicationId, environment } = removed;
  await (kind === "application"
    ? restoreApplication(removed, name, clients, author, deps)
    : restoreClient(removed, name, author, deps));
  return { kind, applicationId, name, environment };
}

async function restoreApplication(
  removed: RemovedObject,
  name: string,
  clients: readonly RemovedClient[],
  author: Author,
  deps: AuditDeps,
): Promise<void> {
  const { db, now } = deps;
  if (await findApplicationByName(db, name)) throw applicationNameTaken(name);
  const detail = {
    clients: clients.map((client) => `${client.name} (${client.environment}) ${client.id}`),
    ...renaming(removed, name),
  };
  const also = [
    auditWrite(author, { action: "application.restore", object: removed.id, objectName: name, detail }, deps),
  ];
  if (await restoreApplicationRows(db, removed, name, now(), also)) return;
  throw (await findApplication(db, removed.id)) ? alreadyRestored() : applicationNameTaken(name);
}

async function restoreClient(removed: RemovedObject, name: string, author: Author, deps: AuditDeps): Promise<void> {
  const { db, now } = deps;
  const { id, applicationId, environment } = removed;
  const application = await findApplication(db, applicationId);
  if (!application) throw new DomainError("conflict", `Restore the application ${removed.applicationName} first.`);
  const others = await listClientRows(db, applicationId);
  if (others.some((other) => other.name === name && other.environment === environment)) throw clientNameTaken(name);
  if (clientNames([...others, { name }]).length > MAX_CLIENTS)
    throw new DomainError("conflict", `An application has at most ${MAX_CLIENTS} clients. Remove one first.`);
  const entry: AuditEntry = { action: "client.restore", object: id, environment, detail: renaming(removed, name) };
  const also = [auditWrite(author, { ...entry, objectName: `${application.name} · ${name}` }, deps)];
  if (await restoreClientRow(db, removed, name, now(), also)) return;
  throw (await findRemoved(db, id, now())) ? clientNameTaken(name) : alreadyRestored();
}

const renaming = ({ name: before }: RemovedObject, after: string) =>
  before === after ? {} : { changes: { name: { before, after } } };

const alreadyRestored = () => new DomainError("conflict", "This is restored already.");

const applicationNameTaken = (name: string) =>
  nameTaken(`An application called ${name} exists. Restore this one under another name.`);

const clientNameTaken = (name: string) =>
  nameTaken(
    `The application has another client called ${name} in this environment. Restore this one under another name.`,
  );

const nameTaken = (message: string) => new DomainError("conflict", message, [{ path: "name", message }]);
