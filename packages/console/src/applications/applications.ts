import { ENVIRONMENTS, type Environment, mintId } from "@gatehouse/auth";
import { toPage } from "@gatehouse/db/query/page";
import { changedMeanwhile } from "../audit/conflict.ts";
import { type AuditDeps, auditWrite, changedFields } from "../audit/entry.ts";
import { listClientRows } from "../clients/queries.ts";
import { viewClients } from "../clients/view.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { ListInput } from "../lists/filter.ts";
import type { ApplicationFilter } from "../lists/lists.ts";
import { assertUnlocked } from "../managed/lock.ts";
import { type ManagedView, managedView, managedViews } from "../managed/managed-view.ts";
import { positionOf } from "../paging.ts";
import { type Actor, type Author, assertMayChange } from "../permissions.ts";
import { applicationPosition, listApplicationRows } from "./list-queries.ts";
import {
  type ApplicationClientRow,
  type ApplicationRow,
  findApplication,
  insertApplication,
  listClientsOfApplications,
  updateApplicationRow,
} from "./queries.ts";

/** By the name of the client, and the registrations of one client by environment. */
function inOrder<Row extends { name: string; environment: Environment }>(rows: Row[]): Row[] {
  const rank = ({ environment }: Row) => ENVIRONMENTS.indexOf(environment);
  return rows.toSorted((a, b) => a.name.localeCompare(b.name, "en") || rank(a) - rank(b));
}

const shortView = (
  { clientId, name, environment, type, disabledAt }: ApplicationClientRow,
  managed: ManagedView | undefined,
) => ({
  clientId,
  name,
  environment,
  type,
  enabled: disabledAt === null,
  lockedBy: managed?.locked ? managed.file : null,
});

/**
 * A page of applications with their clients, when they last got a token, and their refusals of the last 24 hours.
 * CO-18.
 */
export async function listApplications(
  { cursor, limit, ...filter }: ListInput<ApplicationFilter>,
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
) {
  const found = await listApplicationRows(reads, { filter, position: positionOf(cursor), limit, now: now() });
  const { items, nextCursor, searchedBackTo } = toPage(found, limit, (row) => applicationPosition(row, filter.sort));
  const clients = await listClientsOfApplications(
    reads,
    items.map(({ id }) => id),
  );
  const clientIds = clients.map(({ clientId }) => clientId);
  const managed = await managedViews("client", clientIds, { db: reads });
  const of = (id: string) =>
    inOrder(clients.filter(({ applicationId }) => applicationId === id)).map((client) =>
      shortView(client, managed.get(client.clientId)),
    );
  const byTime = filter.sort === undefined || filter.sort === "created" || filter.sort === "lastToken";
  return {
    items: items.map((row) => ({ ...row, clients: of(row.id) })),
    nextCursor,
    searchedBackTo: byTime ? searchedBackTo : null,
  };
}

/** One application with its clients in full. Throws `not_found`. */
export async function getApplication(id: string, { db, now }: Pick<OperationDeps, "db" | "now">) {
  const row = await existingApplication(id, db);
  const clients = await viewClients(inOrder(await listClientRows(db, id)), db, now());
  return { ...row, managed: await managedView("application", id, { db }), clients };
}

/** Throws `conflict` when the name is taken: users tell applications apart by it. */
export async function createApplication(
  draft: { name: string; description: string },
  author: Author,
  deps: AuditDeps,
): Promise<ApplicationRow> {
  const id = mintId(deps.random);
  const entry = {
    action: "application.create" as const,
    object: id,
    objectName: draft.name,
    detail: { changes: changedFields({}, draft) },
  };
  const also = [auditWrite(author, entry, deps)];
  const added = await insertApplication(deps.db, { ...draft, id, createdAt: deps.now() }, also);
  if (!added) throw nameTaken();
  return added;
}

/**
 * Changes name and description. Users of every environment see the name, so the actor must be allowed to manage all of
 * them.
 */
export async function updateApplication(
  {
    id,
    name,
    description,
    version,
  }: Pick<ApplicationRow, "id" | "name" | "description"> & { version?: number | undefined },
  author: Author,
  deps: AuditDeps,
): Promise<ApplicationRow> {
  await assertMayManageAll(id, author, deps.db);
  await assertUnlocked("application", id, author, deps);
  const before = await existingApplication(id, deps.db);
  const conflict = (now: ApplicationRow) =>
    changedMeanwhile(
      { object: id, theirs: { name: now.name, description: now.description }, version: now.version },
      deps,
    );
  if (version !== undefined && version !== before.version) throw await conflict(before);
  const changes = changedFields(before, { name, description });
  if (Object.keys(changes).length === 0) return before;
  const also = [
    auditWrite(author, { action: "application.update", object: id, objectName: name, detail: { changes } }, deps),
  ];
  const changed = await updateApplicationRow(deps.db, { id, name, description, version }, also);
  if (changed) return changed;
  const now = await existingApplication(id, deps.db);
  throw version === undefined || version === now.version ? nameTaken() : await conflict(now);
}

/** Throws unless the actor may manage the application in every environment. */
export async function assertMayManageAll(id: string, actor: Actor, db: OperationDeps["db"]): Promise<void> {
  await existingApplication(id, db);
  for (const client of await listClientRows(db, id)) assertMayChange(actor, client);
}

/** Throws `not_found`. */
export async function existingApplication(id: string, db: OperationDeps["db"]): Promise<ApplicationRow> {
  const row = await findApplication(db, id);
  if (!row) throw unknown();
  return row;
}

const unknown = () => new DomainError("not_found", "There is no such application.");

function nameTaken(): DomainError {
  const message = "An application with this name already exists. Choose another name.";
  return new DomainError("conflict", message, [{ path: "name", message }]);
}
