import type { OperationDeps } from "../../deps.ts";
import {
  createResource,
  listResources,
  type ResourceView,
  setResourceEnabled,
  updateResource,
} from "../../resources/resources.ts";
import { type Applier, type Change, changeOf, differsIn, type LiveChanges, type Status, statusOf } from "../change.ts";
import { type Entry, stated } from "../export/entry.ts";
import type { Manifest } from "../file/manifest.ts";
import { toResourceDraft } from "../file/read-manifest.ts";

type Wanted = Manifest["resources"][number];

/** What the file states about an API. */
export function resourceSettings(wanted: Wanted): Entry {
  const { id: _, ...draft } = toResourceDraft(wanted);
  return stated({ ...draft, enabled: wanted.enabled });
}

/** What the file changes about an API. `known`: as it is now. */
export function resourceChange(wanted: Wanted, known: ResourceView | undefined): Change {
  const defaults = known ? {} : { enabled: true };
  return changeOf({ kind: "resource", name: wanted.id }, known && { ...known }, {
    ...defaults,
    ...resourceSettings(wanted),
  });
}

/** What applying them again would change about APIs. */
export const resourceDrift: LiveChanges = async (rows, deps) => {
  const all = await listResources(deps);
  return rows.map(({ object, settings }) => {
    const known = all.find(({ id }) => id === object);
    return known && changeOf({ kind: "resource", name: object }, { ...known }, settings);
  });
};

export async function applyResource(
  wanted: Wanted,
  { author }: Applier,
  deps: OperationDeps,
): Promise<{ id: string; status: Status }> {
  const { id } = wanted;
  const draft = toResourceDraft(wanted);
  const known = (await listResources(deps)).find((one) => one.id === id);
  const change = resourceChange(wanted, known);
  if (!known) await createResource(draft, author, deps);
  else if (differsIn(change, { except: ["enabled"] }))
    await updateResource({ ...draft, version: known.version }, author, deps);
  const enabled = wanted.enabled ?? true;
  if (wanted.enabled !== undefined && enabled !== (known?.enabled ?? true))
    await setResourceEnabled({ id, enabled }, author, deps);
  return { id, status: statusOf(change) };
}
