import type { Environment } from "@gatehouse/auth";
import { createApplication, updateApplication } from "../../applications/applications.ts";
import { type ApplicationRow, findApplication, findApplicationByName } from "../../applications/queries.ts";
import { setBranding } from "../../branding/branding.ts";
import { findBranding } from "../../branding/queries.ts";
import { clientNameOf } from "../../clients/names.ts";
import { type ClientRow, listClientRows } from "../../clients/queries.ts";
import type { OperationDeps } from "../../deps.ts";
import { type Applier, type Change, changeOf, type LiveChanges, type Status, statusOf } from "../change.ts";
import { type Entry, type StatedObject, stated } from "../export/entry.ts";
import type { Manifest } from "../file/manifest.ts";
import { clientsOf, type ListedClient } from "../file/read-manifest.ts";

import { type AppliedClient, addClient, changeClient, clientChange, clientSettings } from "./clients.ts";

type Wanted = Manifest["applications"][number];
type AppliedEnvironments = Partial<Record<Environment, AppliedClient>>;

/** With `environments` or `clients`, as in the file. */
export type AppliedApplication = {
  name: string;
  id: string;
  status: Status;
  environments?: AppliedEnvironments;
  clients?: { name: string; environments: AppliedEnvironments }[];
};

/** What the file changes about an application itself, and about each of its clients. */
export async function applicationChanges(
  manifest: Manifest,
  wanted: Wanted,
  at: number,
  deps: OperationDeps,
): Promise<Change[]> {
  const known = await findApplicationByName(deps.db, wanted.name);
  const rows = known ? await listClientRows(deps.db, known.id) : [];
  const changes = [await applicationChange(wanted, known, deps)];
  for (const { listed, name, row } of registrationsOf(manifest, at, rows)) {
    changes.push(
      await clientChange({ application: wanted.name, name, environment: listed.environment }, row, listed.client, deps),
    );
  }
  return changes;
}

/** What the file states about an application itself. */
const applicationSettings = ({ name, description, branding }: Wanted): Entry => stated({ name, description, branding });

async function applicationChange(
  wanted: Wanted,
  known: ApplicationRow | undefined,
  deps: OperationDeps,
): Promise<Change> {
  const settings = applicationSettings(wanted);
  if (known) return changeTo(settings, known, deps);
  const { name, ...rest } = settings;
  return changeOf({ kind: "application", name: wanted.name }, undefined, { description: "", ...rest });
}

/** The change to what a file states. */
async function changeTo(
  settings: Entry,
  { id, name, description }: ApplicationRow,
  { db }: OperationDeps,
): Promise<Change> {
  const branding = settings["branding"] === undefined ? undefined : ((await findBranding(db, id))?.settings ?? {});
  return changeOf({ kind: "application", name }, { name, description, branding }, settings);
}

/** What applying them again would change about applications. */
export const applicationDrift: LiveChanges = (rows, deps) =>
  Promise.all(
    rows.map(async ({ object, settings }) => {
      const known = await findApplication(deps.db, object);
      return known && changeTo(settings, known, deps);
    }),
  );

/** What the file states about one of its applications and each of its clients, as far as they exist. */
export async function statedApplication(
  manifest: Manifest,
  wanted: Wanted,
  at: number,
  deps: OperationDeps,
): Promise<StatedObject[]> {
  const known = await findApplicationByName(deps.db, wanted.name);
  if (!known) return [];
  const rows = await listClientRows(deps.db, known.id);
  const clients = registrationsOf(manifest, at, rows).flatMap(({ listed: { client, environment, name }, row }) =>
    row ? [{ kind: "client" as const, object: row.id, settings: clientSettings(client, environment, name) }] : [],
  );
  return [{ kind: "application", object: known.id, settings: applicationSettings(wanted) }, ...clients];
}

/** The clients of one application of the file, with their names and stored rows. */
function registrationsOf(
  manifest: Manifest,
  at: number,
  rows: readonly ClientRow[],
): { listed: ListedClient; name: string; row: ClientRow | undefined }[] {
  return clientsOf(manifest)
    .filter(({ application }) => application === at)
    .map((listed) => {
      const name = clientNameOf(listed.name, rows);
      return { listed, name, row: rows.find((one) => one.environment === listed.environment && one.name === name) };
    });
}

export async function applyApplication(
  manifest: Manifest,
  wanted: Wanted,
  at: number,
  applier: Applier,
  deps: OperationDeps,
): Promise<AppliedApplication> {
  const known = await findApplicationByName(deps.db, wanted.name);
  const change = await applicationChange(wanted, known, deps);
  const id = await applyOwnFields(wanted, known, change, applier, deps);
  const rows = await listClientRows(deps.db, id);
  const applied = new Map<string, AppliedEnvironments>();
  for (const { listed, name, row } of registrationsOf(manifest, at, rows)) {
    const place = { application: wanted.name, applicationId: id, name, environment: listed.environment };
    const result = row
      ? await changeClient(place, row, listed.client, applier, deps)
      : await addClient(place, listed.client, applier, deps);
    applied.set(name, { ...applied.get(name), [listed.environment]: result });
  }
  const status = statusOf(change);
  if (wanted.clients === undefined)
    return { name: wanted.name, id, status, environments: [...applied.values()][0] ?? {} };
  const clients = wanted.clients.map(({ name }) => ({ name, environments: applied.get(name) ?? {} }));
  return { name: wanted.name, id, status, clients };
}

async function applyOwnFields(
  { name, description, branding }: Wanted,
  known: ApplicationRow | undefined,
  { fields }: Change,
  { author }: Applier,
  deps: OperationDeps,
): Promise<string> {
  const changed = (field: string) => fields.some((one) => one.field === field);
  const draft = { name, description: description ?? known?.description ?? "" };
  const { id } = known ?? (await createApplication(draft, author, deps));
  if (known && changed("description")) await updateApplication({ id, ...draft, version: known.version }, author, deps);
  if (branding && changed("branding")) await setBranding({ applicationId: id, settings: branding }, author, deps);
  return id;
}
