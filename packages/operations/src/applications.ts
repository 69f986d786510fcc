import { mintId } from "@gatehouse/auth";
import {
  type ApplicationClientRow,
  type ApplicationRow,
  deleteApplication,
  findApplication,
  insertApplication,
  listApplicationRows,
  listClientRows,
  listClientsOfApplications,
  toPage,
  updateApplicationRow,
} from "@gatehouse/db";
import type { ApplicationFilter, ListInput } from "@gatehouse/lists";
import { viewClients } from "./clients/client-view.ts";
import type { OperationDeps } from "./deps.ts";
import { DomainError } from "./domain-error.ts";
import { positionOf } from "./page.ts";
import { type Actor, assertMayChange } from "./permissions.ts";

type HandleOnly = Pick<OperationDeps, "handle">;

const byEnvironment = ["development", "staging", "production"];
const inOrder = <Row extends { environment: string }>(rows: Row[]) =>
  rows.toSorted((a, b) => byEnvironment.indexOf(a.environment) - byEnvironment.indexOf(b.environment));

const shortView = ({ clientId, environment, type, disabledAt }: ApplicationClientRow) => ({
  clientId,
  environment,
  type,
  enabled: disabledAt === null,
});

export async function listApplications({ query, cursor, limit }: ListInput<ApplicationFilter>, { reads }: Pick<OperationDeps, "reads">) {
  const found = await listApplicationRows(reads, query, positionOf(cursor), limit);
  const { items, ...page } = toPage(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  const clients = await listClientsOfApplications(
    reads,
    items.map(({ id }) => id),
  );
  const of = (id: string) => inOrder(clients.filter(({ applicationId }) => applicationId === id)).map(shortView);
  return { items: items.map((row) => ({ ...row, clients: of(row.id) })), ...page };
}

/** One application with its clients in full. Throws `not_found`. */
export async function getApplication(id: string, { handle, now }: Pick<OperationDeps, "handle" | "now">) {
  const row = await existing(id, handle);
  return { ...row, clients: await viewClients(inOrder(await listClientRows(handle, id)), handle, now()) };
}

/** Throws `conflict` when the name is taken: users tell applications apart by it. */
export async function createApplication(
  { name, description }: { name: string; description: string },
  deps: Pick<OperationDeps, "handle" | "now" | "random">,
): Promise<ApplicationRow> {
  const added = await insertApplication(deps.handle, { id: mintId(deps.random), name, description, createdAt: deps.now() });
  if (!added) throw nameTaken();
  return added;
}

/** Changes name and description. Users of every environment see the name, so the actor must be allowed to manage all of them. */
export async function updateApplication(
  change: Omit<ApplicationRow, "createdAt">,
  actor: Actor,
  { handle }: HandleOnly,
): Promise<ApplicationRow> {
  await assertMayManageAll(change.id, actor, handle);
  const changed = await updateApplicationRow(handle, change);
  if (changed === "taken") throw nameTaken();
  if (!changed) throw unknown();
  return changed;
}

/** Deletes the application with its clients. Their tokens are no longer valid when this returns. */
export async function removeApplication(id: string, actor: Actor, { handle }: HandleOnly): Promise<void> {
  await assertMayManageAll(id, actor, handle);
  await deleteApplication(handle, id);
}

async function assertMayManageAll(id: string, actor: Actor, handle: OperationDeps["handle"]): Promise<void> {
  await existing(id, handle);
  for (const client of await listClientRows(handle, id)) assertMayChange(actor, client);
}

async function existing(id: string, handle: OperationDeps["handle"]): Promise<ApplicationRow> {
  const row = await findApplication(handle, id);
  if (!row) throw unknown();
  return row;
}

const unknown = () => new DomainError("not_found", "There is no such application.");

function nameTaken(): DomainError {
  const message = "An application with this name already exists. Choose another name.";
  return new DomainError("conflict", message, [{ path: "name", message }]);
}
