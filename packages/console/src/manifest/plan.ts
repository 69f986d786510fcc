import { sha256 } from "@gatehouse/auth";
import { isBuiltInClient } from "../clients/built-in-clients.ts";
import type { ClientRow } from "../clients/queries.ts";
import type { OperationDeps } from "../deps.ts";
import type { ManagedKey } from "../managed/queries.ts";
import { listResources } from "../resources/resources.ts";
import { assertApplicable } from "./applicable.ts";
import { type Applier, type Change, canonicalText } from "./change.ts";
import type { Manifest } from "./file/manifest.ts";
import { ManifestError } from "./file/manifest-error.ts";
import { clientsOf } from "./file/read-manifest.ts";
import { listInventory } from "./inventory.ts";
import { applicationChanges } from "./kinds/applications.ts";
import { isTrusted } from "./kinds/clients.ts";
import { resourceChange } from "./kinds/resources.ts";
import { providerChange } from "./kinds/sign-in-providers.ts";
import { userChange } from "./kinds/users.ts";
import { webhookChange } from "./kinds/webhooks.ts";
import { lockedElsewhere } from "./managed/locked-elsewhere.ts";
import { type PlannedRecording, planRecording } from "./managed/recording.ts";

/**
 * Something that an admin registered, the file does not mention, and no other file locks. `id`: what its removal takes.
 * `trusted`: as of a change, also of an application with such a client.
 */
export type Unlisted = Pick<Change, "kind" | "name" | "environment" | "trusted"> & { id: string };

export type Plan = {
  /** Names this plan: another file, or a change of anything it touches, gives another id. */
  id: string;
  /** The same for the changes alone: what the file does not mention can change without changing it. */
  changesId: string;
  /** One for each object of the file, in its order. */
  changes: Change[];
  notInFile: Unlisted[];
  /** Not part of the ids: it changes no setting. */
  recording: PlannedRecording;
};

/**
 * What {@link apply} would do, without doing it. Throws `ManifestError` with everything in the file that this
 * installation cannot apply. The values of secrets are neither shown nor part of the plan's id. CO-72.
 */
export async function planConfiguration(manifest: Manifest, applier: Applier, deps: OperationDeps): Promise<Plan> {
  await assertApplicable(manifest, applier, deps);
  const known = await listResources(deps);
  const changes: Change[] = manifest.resources.map((wanted) =>
    resourceChange(
      wanted,
      known.find(({ id }) => id === wanted.id),
    ),
  );
  for (const user of manifest.users) changes.push(await userChange(user, applier, deps));
  for (const [at, application] of manifest.applications.entries())
    changes.push(...(await applicationChanges(manifest, application, at, deps)));
  for (const webhook of manifest.webhooks) changes.push(await webhookChange(webhook, deps));
  for (const provider of manifest.sign_in_providers) changes.push(await providerChange(provider, applier, deps));
  const notInFile = await unlisted(manifest, applier, deps);
  const recording = await planRecording(manifest, changes, applier, deps);
  return {
    id: sha256(canonicalText([changes, notInFile])),
    changesId: sha256(canonicalText(changes)),
    changes,
    notInFile,
    recording,
  };
}

/** Throws {@link ManifestError} unless `plan` is the one that somebody approved. */
export function assertApproved({ id }: Pick<Plan, "id">, approved: string): void {
  if (id === approved) return;
  const message = "something has changed since this plan was made: the file, or what it touches. Make a new plan";
  throw new ManifestError([{ path: "plan", message }]);
}

/** `parts`: what its removal takes as well. */
type Candidate = Unlisted & { parts?: readonly ManagedKey[] };

async function unlisted(manifest: Manifest, { author }: Applier, deps: OperationDeps): Promise<Unlisted[]> {
  const found = await notMentioned(manifest, deps);
  const keysOf = ({ kind, id, parts = [] }: Candidate): ManagedKey[] =>
    kind === "user" ? [] : [{ kind, object: id }, ...parts];
  const isLocked = await lockedElsewhere(found.flatMap(keysOf), author.file, deps);
  return found.filter((one) => !keysOf(one).some(isLocked)).map(({ parts: _, ...one }) => one);
}

async function notMentioned(manifest: Manifest, deps: OperationDeps): Promise<Candidate[]> {
  const { resources, applications, endpoints, providers } = await listInventory(deps);
  const listedClients = clientsOf(manifest);
  const trustOf = (rows: readonly ClientRow[]) => rows.some((row) => isTrusted(row, deps)) && { trusted: true };
  const found: Candidate[] = [];
  for (const { application, clients } of applications) {
    const at = manifest.applications.findIndex(({ name }) => name === application.name);
    if (at === -1) {
      const parts = clients.map(({ id: object }) => ({ kind: "client" as const, object }));
      found.push({ kind: "application", name: application.name, id: application.id, ...trustOf(clients), parts });
      continue;
    }
    const listed = listedClients.filter((one) => one.application === at);
    const isListed = (name: string, environment: string) =>
      listed.some((one) => one.environment === environment && (one.name ?? name) === name);
    for (const row of clients) {
      const { id, name, environment } = row;
      if (!isListed(name, environment) && !isBuiltInClient(id))
        found.push({ kind: "client", name: `${application.name} / ${name}`, environment, id, ...trustOf([row]) });
    }
  }
  const missing = <Item>(
    kind: Change["kind"],
    items: readonly Item[],
    idOf: (item: Item) => string,
    listed: readonly string[],
  ) =>
    items
      .map(idOf)
      .filter((id) => !listed.includes(id))
      .map((id) => ({ kind, name: id, id }));
  return [
    ...found,
    ...missing(
      "resource",
      resources,
      ({ id }) => id,
      manifest.resources.map(({ id }) => id),
    ),
    ...missing(
      "webhook_endpoint",
      endpoints,
      ({ slug }) => slug,
      manifest.webhooks.map(({ endpoint, provider }) => endpoint ?? provider),
    ),
    ...missing(
      "sign_in_provider",
      providers,
      ({ id }) => id,
      manifest.sign_in_providers.map(({ id }) => id),
    ),
  ];
}
