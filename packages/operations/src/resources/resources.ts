import type { ApiResource } from "@gatehouse/auth";
import { deleteResource, insertResource, listResources as listRows, updateResource as updateRow } from "@gatehouse/db";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { apiResourceProblems, type ResourceDraft } from "./resource-rules.ts";

/** A registered resource as the console shows it. The built-in API is not one of them. */
export type ResourceView = ResourceDraft & { createdAt: number; enabled: boolean };

type Part = Pick<OperationDeps, "handle" | "config" | "now">;

const view = ({ disabledAt, ...resource }: ApiResource): ResourceView => ({ ...resource, enabled: disabledAt === null });

/** All registered resources, including disabled ones, ordered by id. */
export async function listResources({ handle }: Pick<OperationDeps, "handle">): Promise<ResourceView[]> {
  return (await listRows(handle)).map(view);
}

/** Registers an API for which clients can request tokens. Throws `invalid` with every problem, `conflict` when the id is taken. */
export async function createResource(draft: ResourceDraft, deps: Part): Promise<ResourceView> {
  const others = await listRows(deps.handle);
  if (others.some(({ id }) => id === draft.id)) throw taken();
  const problems = apiResourceProblems(draft, others, deps.config);
  if (problems.length > 0) throw invalid(problems);
  const resource = { ...draft, createdAt: deps.now(), disabledAt: null };
  if (await insertResource(deps.handle, resource)) return view(resource);
  throw taken();
}

/** Replaces all settings but the id; applies within a second. New tokens no longer contain a scope that was removed. */
export async function updateResource(draft: ResourceDraft, deps: Part): Promise<ResourceView> {
  const all = await listRows(deps.handle);
  const known = existing(all, draft.id);
  const others = all.filter(({ id }) => id !== draft.id);
  const problems = apiResourceProblems(draft, others, deps.config);
  if (problems.length > 0) throw invalid(problems);
  const { id, ...change } = draft;
  await updateRow(deps.handle, id, change);
  return view({ ...known, ...change });
}

/** Disables or enables a resource. While it is disabled no tokens are issued for it, and within a second introspection reports none active. */
export async function setResourceEnabled({ id, enabled }: { id: string; enabled: boolean }, deps: Part): Promise<ResourceView> {
  const known = existing(await listRows(deps.handle), id);
  if ((known.disabledAt === null) === enabled) return view(known);
  const disabledAt = enabled ? null : deps.now();
  await updateRow(deps.handle, id, { disabledAt });
  return view({ ...known, disabledAt });
}

/** Deletes a resource, with the same effect on its tokens. Clients that had it can no longer request it. */
export async function removeResource(id: string, { handle }: Pick<OperationDeps, "handle">): Promise<void> {
  if (!(await deleteResource(handle, id))) throw missing();
}

function existing(all: readonly ApiResource[], id: string): ApiResource {
  const known = all.find((resource) => resource.id === id);
  if (!known) throw missing();
  return known;
}

function taken(): DomainError {
  return new DomainError("conflict", "This resource is already registered.", [{ path: "id", message: "is already registered" }]);
}

function missing(): DomainError {
  return new DomainError("not_found", "There is no such resource.");
}
