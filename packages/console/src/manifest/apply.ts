import type { OperationDeps } from "../deps.ts";
import type { ManagedKey } from "../managed/queries.ts";
import { assertApplicable } from "./applicable.ts";
import type { Applier, Status } from "./change.ts";
import type { Manifest } from "./file/manifest.ts";
import { type AppliedApplication, applyApplication } from "./kinds/applications.ts";
import type { AppliedClient } from "./kinds/clients.ts";
import { applyResource } from "./kinds/resources.ts";
import { applySignInProvider } from "./kinds/sign-in-providers.ts";
import { type AppliedUser, applyUser } from "./kinds/users.ts";
import { type AppliedWebhook, applyWebhook } from "./kinds/webhooks.ts";
import { keyOf, recordManaged } from "./managed/recording.ts";

export type Applied = {
  changed: boolean;
  resources: { id: string; status: Status }[];
  users: AppliedUser[];
  applications: AppliedApplication[];
  webhooks: AppliedWebhook[];
  sign_in_providers: { id: string; status: Status }[];
};

/**
 * Changes the installation to match the file: adds what is missing, updates what differs, and leaves the rest alone.
 * Records which objects the file manages (CO-73). Applying the same file again changes nothing. Throws `ManifestError`
 * before the first write if any part cannot be applied.
 */
export async function apply(manifest: Manifest, applier: Applier, deps: OperationDeps): Promise<Applied> {
  await assertApplicable(manifest, applier, deps);
  const startedAt = deps.now();
  const resources = await inSequence(manifest.resources, (resource) => applyResource(resource, applier, deps));
  const users = await inSequence(manifest.users, (user) => applyUser(user, applier, deps));
  const applications = await inSequence(manifest.applications, (application, at) =>
    applyApplication(manifest, application, at, applier, deps),
  );
  const webhooks = await inSequence(manifest.webhooks, (webhook) => applyWebhook(webhook, applier, deps));
  const providers = await inSequence(manifest.sign_in_providers, (provider) =>
    applySignInProvider(provider, applier, deps),
  );
  const clients = applications.flatMap(clientsIn);
  await recordManaged(
    manifest,
    changedObjects({ resources, applications, webhooks, providers }),
    { ...applier, startedAt },
    deps,
  );
  const all = [...resources, ...users, ...applications, ...clients, ...webhooks, ...providers];
  return {
    changed: all.some(({ status }) => status !== "unchanged"),
    resources,
    users,
    applications,
    webhooks,
    sign_in_providers: providers,
  };
}

/** Whether the apply changed an object. */
function changedObjects({
  resources,
  applications,
  webhooks,
  providers,
}: ChangedParts): (object: ManagedKey) => boolean {
  const clients = applications.flatMap(clientsIn);
  const changed = new Set([
    ...idsOf("resource", resources, ({ id }) => id),
    ...idsOf("application", applications, ({ id }) => id),
    ...idsOf("client", clients, ({ client_id }) => client_id),
    ...idsOf("webhook_endpoint", webhooks, ({ endpoint, provider }) => endpoint ?? provider),
    ...idsOf("sign_in_provider", providers, ({ id }) => id),
  ]);
  return (object) => changed.has(keyOf(object));
}

type ChangedParts = Pick<Applied, "resources" | "applications" | "webhooks"> & {
  providers: Applied["sign_in_providers"];
};

function idsOf<Item extends { status: Status }>(
  kind: ManagedKey["kind"],
  items: readonly Item[],
  idOf: (item: Item) => string,
): string[] {
  return items.filter(({ status }) => status !== "unchanged").map((item) => keyOf({ kind, object: idOf(item) }));
}

function clientsIn({ environments, clients = [] }: AppliedApplication): AppliedClient[] {
  return [environments ?? {}, ...clients.map((client) => client.environments)].flatMap((applied) =>
    Object.values(applied),
  );
}

async function inSequence<Item, Result>(
  items: Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [at, item] of items.entries()) results.push(await work(item, at));
  return results;
}
