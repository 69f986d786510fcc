import {
  type ApiResourceRow,
  deleteResource,
  insertResource,
  listResources as listRows,
  updateResource as updateRow,
} from "@gatehouse/db/stores/auth/api-resources";
import { changedMeanwhile, fieldsOf } from "../audit/conflict.ts";
import { auditWrite, changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { assertUnlocked } from "../managed/lock.ts";
import { type ManagedView, managedView, managedViews } from "../managed/managed-view.ts";
import type { Author } from "../permissions.ts";
import { apiResourceProblems, type ResourceDraft } from "./rules.ts";

/** A registered resource as the console shows it. The built-in API is not one of them. */
export type ResourceView = ResourceDraft & {
  createdAt: number;
  enabled: boolean;
  version: number;
  managed: ManagedView | null;
};

type Part = Pick<OperationDeps, "db" | "config" | "now" | "random">;

const view = ({ disabledAt, ...resource }: ApiResourceRow, managed: ManagedView | null): ResourceView => ({
  ...resource,
  enabled: disabledAt === null,
  managed,
});

const viewOf = async (row: ApiResourceRow, deps: Pick<OperationDeps, "db">) =>
  view(row, await managedView("resource", row.id, deps));

/** All registered resources, including disabled ones, ordered by id. */
export async function listResources({ db }: Pick<OperationDeps, "db">): Promise<ResourceView[]> {
  const rows = await listRows(db);
  const ids = rows.map(({ id }) => id);
  const managed = await managedViews("resource", ids, { db });
  return rows.map((row) => view(row, managed.get(row.id) ?? null));
}

/**
 * Registers an API for which clients can request tokens. Throws `invalid` with every problem, `conflict` when the id is
 * taken.
 */
export async function createResource(draft: ResourceDraft, author: Author, deps: Part): Promise<ResourceView> {
  const others = await listRows(deps.db);
  if (others.some(({ id }) => id === draft.id)) throw taken();
  const problems = apiResourceProblems(draft, others, deps.config);
  if (problems.length > 0) throw invalid(problems);
  const resource = { ...draft, createdAt: deps.now(), disabledAt: null };
  const entry = {
    action: "resource.create" as const,
    object: draft.id,
    objectName: draft.name,
    detail: { changes: changedFields({}, draft) },
  };
  if (await insertResource(deps.db, resource, [auditWrite(author, entry, deps)]))
    return viewOf({ ...resource, version: 1 }, deps);
  assertScopesFree(draft, await listRows(deps.db), deps);
  throw taken();
}

/** Replaces all settings but the id; applies within a second. New tokens no longer contain a scope that was removed. */
export async function updateResource(
  { version, ...draft }: ResourceDraft & { version?: number | undefined },
  author: Author,
  deps: Part,
): Promise<ResourceView> {
  const all = await listRows(deps.db);
  const known = existing(all, draft.id);
  await assertUnlocked("resource", draft.id, author, deps);
  const others = all.filter(({ id }) => id !== draft.id);
  const problems = apiResourceProblems(draft, others, deps.config);
  if (problems.length > 0) throw invalid(problems);
  const { id, ...change } = draft;
  const conflict = (now: ApiResourceRow) =>
    changedMeanwhile({ object: id, theirs: fieldsOf(change, now), version: now.version }, deps);
  if (version !== undefined && version !== known.version) throw await conflict(known);
  const changes = changedFields(known, change);
  if (Object.keys(changes).length === 0) return viewOf(known, deps);
  const also = [
    auditWrite(author, { action: "resource.update", object: id, objectName: draft.name, detail: { changes } }, deps),
  ];
  if (!(await updateRow(deps.db, id, change, { version, also }))) {
    const now = await listRows(deps.db);
    assertScopesFree(draft, now, deps);
    throw await conflict(existing(now, id));
  }
  return viewOf({ ...known, ...change, version: known.version + 1 }, deps);
}

/**
 * Disables or enables a resource. While it is disabled no tokens are issued for it, and within a second introspection
 * reports none active.
 */
export async function setResourceEnabled(
  { id, enabled }: { id: string; enabled: boolean },
  author: Author,
  deps: Part,
): Promise<ResourceView> {
  const known = existing(await listRows(deps.db), id);
  if ((known.disabledAt === null) === enabled) return viewOf(known, deps);
  await assertUnlocked("resource", id, author, deps);
  const disabledAt = enabled ? null : deps.now();
  const entry = {
    action: enabled ? ("resource.enable" as const) : ("resource.disable" as const),
    object: id,
    objectName: known.name,
  };
  if (!(await updateRow(deps.db, id, { disabledAt }, { also: [auditWrite(author, entry, deps)] }))) throw missing();
  return viewOf({ ...known, disabledAt, version: known.version + 1 }, deps);
}

/** Deletes a resource, with the same effect on its tokens. Clients that had it can no longer request it. */
export async function removeResource(id: string, author: Author, deps: Part): Promise<void> {
  const { name } = existing(await listRows(deps.db), id);
  await assertUnlocked("resource", id, author, deps);
  const also = [auditWrite(author, { action: "resource.remove", object: id, objectName: name }, deps)];
  if (!(await deleteResource(deps.db, id, also))) throw missing();
}

/** Throws `invalid` if another resource took a scope since the draft was checked. */
function assertScopesFree(
  draft: ResourceDraft,
  all: readonly ApiResourceRow[],
  { config }: Pick<Part, "config">,
): void {
  const others = all.filter(({ id }) => id !== draft.id);
  const problems = apiResourceProblems(draft, others, config);
  if (problems.length > 0) throw invalid(problems);
}

function existing(all: readonly ApiResourceRow[], id: string): ApiResourceRow {
  const known = all.find((resource) => resource.id === id);
  if (!known) throw missing();
  return known;
}

function taken(): DomainError {
  return new DomainError("conflict", "This resource is already registered.", [
    { path: "id", message: "is already registered" },
  ]);
}

function missing(): DomainError {
  return new DomainError("not_found", "There is no such resource.");
}
