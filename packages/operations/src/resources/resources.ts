import type { ApiResource } from "@gatehouse/auth";
import { deleteResource, insertResource, listResources as listRows, updateResource as updateRow } from "@gatehouse/db";
import type { ApiDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { apiResourceProblems, type ResourceDraft } from "./resource-rules.ts";

/** A registered resource as it is shown; our own API is not among them. */
export type ResourceView = ResourceDraft & { createdAt: number; enabled: boolean };

type Part = Pick<ApiDeps, "handle" | "config" | "now">;

const view = ({ disabledAt, ...resource }: ApiResource): ResourceView => ({ ...resource, enabled: disabledAt === null });

/** All of them, switched off ones too, by id. */
export async function listResources({ handle }: Pick<ApiDeps, "handle">): Promise<ResourceView[]> {
  return (await listRows(handle)).map(view);
}

/** Registers an API that tokens can be asked for. Throws `invalid` with every problem, `conflict` when the id is taken. */
export async function createResource(draft: ResourceDraft, deps: Part): Promise<ResourceView> {
  const others = await listRows(deps.handle);
  if (others.some(({ id }) => id === draft.id)) throw taken();
  const problems = apiResourceProblems(draft, others, deps.config);
  if (problems.length > 0) throw invalid(problems);
  const resource = { ...draft, createdAt: deps.now(), disabledAt: null };
  if (await insertResource(deps.handle, resource)) return view(resource);
  throw taken();
}

/** Replaces all but the id; counts within a second. A scope that is taken away is gone from tokens issued from then on. */
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

/** Switches a resource off or on. Off, no token for it is issued, and within a second none counts where we are asked. */
export async function setResourceEnabled({ id, enabled }: { id: string; enabled: boolean }, deps: Part): Promise<ResourceView> {
  const known = existing(await listRows(deps.handle), id);
  if ((known.disabledAt === null) === enabled) return view(known);
  const disabledAt = enabled ? null : deps.now();
  await updateRow(deps.handle, id, { disabledAt });
  return view({ ...known, disabledAt });
}

/** Removes a resource, with the same effect on its tokens. Clients that were allowed it simply no longer reach it. */
export async function removeResource(id: string, { handle }: Pick<ApiDeps, "handle">): Promise<void> {
  if (!(await deleteResource(handle, id))) throw missing();
}

function existing(all: readonly ApiResource[], id: string): ApiResource {
  const known = all.find((resource) => resource.id === id);
  if (!known) throw missing();
  return known;
}

function taken(): DomainError {
  return new DomainError("conflict", "This resource is registered already.", [{ path: "id", message: "is registered already" }]);
}

function missing(): DomainError {
  return new DomainError("not_found", "There is no such resource.");
}
