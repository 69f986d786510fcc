import type { Environment } from "@gatehouse/auth";
import { type ClientRow, findApplicationByName, listClientRows, listClientSecrets } from "@gatehouse/db";
import {
  configureEndpoint,
  createApplication,
  createResource,
  ensureSecret,
  holdsSecret,
  listResources,
  mintClientSecret,
  type OperationDeps,
  registerClient,
  setClientEnabled,
  setResourceEnabled,
  updateApplication,
  updateClient,
  updateResource,
} from "@gatehouse/operations";
import { operator } from "../operator.ts";
import { assertApplicable } from "./applicable.ts";
import type { Manifest, ManifestClient } from "./manifest.ts";
import { clientsOf, toDraft, toEndpointFile, toResourceDraft } from "./read-manifest.ts";
import { type AppliedUser, applyUser } from "./users.ts";

export type Status = "created" | "updated" | "unchanged";
export type AppliedClient = {
  client_id: string;
  status: Status;
  /** Only when this run generated it; it is not shown again. */
  client_secret?: string;
};
export type Applied = {
  changed: boolean;
  resources: { id: string; status: Status }[];
  users: AppliedUser[];
  applications: { name: string; id: string; status: Status; environments: Partial<Record<Environment, AppliedClient>> }[];
  webhooks: {
    provider: string;
    /** Left out for a provider's default endpoint. */
    endpoint?: string;
    status: Status;
    secrets_added: number;
    /** Secrets that could no longer be decrypted. */
    secrets_replaced: number;
    /** Secrets whose name or end changed. */
    secrets_changed: number;
    /** Secrets that the file no longer lists. */
    secrets_ended: number;
  }[];
};

/**
 * Changes the installation to match the file: adds what is missing, updates what differs, and leaves the rest alone.
 * Applying the same file again changes nothing. Throws `InputError` before the first write if any part cannot be applied.
 */
export async function apply(manifest: Manifest, deps: OperationDeps): Promise<Applied> {
  await assertApplicable(manifest, deps);
  const resources = await inSequence(manifest.resources, (resource) => applyResource(resource, deps));
  const users = await inSequence(manifest.users, (user) => applyUser(user, deps));
  const applications = await inSequence(manifest.applications, (application, at) => applyApplication(manifest, application, at, deps));
  const webhooks = await inSequence(manifest.webhooks, (webhook) => applyWebhook(webhook, deps));
  const statuses = [
    ...resources,
    ...users,
    ...applications,
    ...webhooks,
    ...applications.flatMap((one) => Object.values(one.environments)),
  ];
  return { changed: statuses.some(({ status }) => status !== "unchanged"), resources, users, applications, webhooks };
}

async function inSequence<Item, Result>(items: Item[], work: (item: Item, at: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const [at, item] of items.entries()) results.push(await work(item, at));
  return results;
}

const statusOf = (created: boolean, changed: boolean): Status => (created ? "created" : changed ? "updated" : "unchanged");

async function applyResource(wanted: Manifest["resources"][number], deps: OperationDeps): Promise<Applied["resources"][number]> {
  const draft = toResourceDraft(wanted);
  const known = (await listResources(deps)).find(({ id }) => id === wanted.id);
  const differs = known !== undefined && Object.entries(draft).some(([field, value]) => !sameSetting(value, Reflect.get(known, field)));
  if (!known) await createResource(draft, deps);
  else if (differs) await updateResource(draft, deps);
  const switched = wanted.enabled !== undefined && wanted.enabled !== (known?.enabled ?? true);
  if (switched) await setResourceEnabled({ id: wanted.id, enabled: wanted.enabled === true }, deps);
  return { id: wanted.id, status: statusOf(!known, differs || switched) };
}

async function applyApplication(
  manifest: Manifest,
  wanted: Manifest["applications"][number],
  at: number,
  deps: OperationDeps,
): Promise<Applied["applications"][number]> {
  const known = await findApplicationByName(deps.handle, wanted.name);
  const description = wanted.description ?? known?.description ?? "";
  const differs = known !== undefined && known.description !== description;
  const { id } = known ?? (await createApplication({ name: wanted.name, description }, deps));
  if (differs) await updateApplication({ id, name: wanted.name, description }, operator(), deps);

  const existing = await listClientRows(deps.handle, id);
  const environments: Partial<Record<Environment, AppliedClient>> = {};
  for (const { application, environment, client } of clientsOf(manifest)) {
    if (application !== at) continue;
    const row = existing.find((one) => one.environment === environment);
    environments[environment] = row ? await changeClient(row, client, deps) : await addClient(id, environment, client, deps);
  }
  return { name: wanted.name, id, status: statusOf(!known, differs), environments };
}

async function addClient(
  applicationId: string,
  environment: Environment,
  wanted: ManifestClient,
  deps: OperationDeps,
): Promise<AppliedClient> {
  const draft = { ...toDraft(wanted, environment), applicationId, clientId: wanted.client_id, secret: wanted.client_secret };
  const { client, secret } = await registerClient(draft, operator(), deps);
  if (wanted.enabled === false) await setClientEnabled({ clientId: client.clientId, enabled: false }, operator(), deps);
  return { client_id: client.clientId, status: "created", ...(secret === null ? {} : { client_secret: secret }) };
}

async function changeClient(row: ClientRow, wanted: ManifestClient, deps: OperationDeps): Promise<AppliedClient> {
  const { environment: _, type: __, ...settings } = toDraft(wanted, row.environment);
  const differs = Object.entries(settings).some(([field, value]) => !sameSetting(value, Reflect.get(row, field)));
  if (differs) await updateClient(row.id, settings, operator(), deps);

  const switched = wanted.enabled !== undefined && wanted.enabled !== (row.disabledAt === null);
  if (switched) await setClientEnabled({ clientId: row.id, enabled: wanted.enabled === true }, operator(), deps);

  const added = wanted.client_secret !== undefined && (await ensureSecret(row.id, wanted.client_secret, deps));
  const generated = wanted.client_secret === undefined ? await generateMissingSecret(row, deps) : undefined;
  const changed = differs || switched || added || generated !== undefined;
  return { client_id: row.id, status: statusOf(false, changed), ...(generated === undefined ? {} : { client_secret: generated }) };
}

/** Compares lists as sets, and objects whatever the order of their members: databases reorder both. */
function sameSetting(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.sort().join(",")}}`;
}

/** Generates a secret for a confidential client without one: the run that registered it may have been interrupted. */
async function generateMissingSecret(row: ClientRow, deps: OperationDeps): Promise<string | undefined> {
  if (!holdsSecret(row) || (await listClientSecrets(deps.handle, [row.id])).length > 0) return undefined;
  return (await mintClientSecret(row.id, deps)).secret;
}

async function applyWebhook(wanted: Manifest["webhooks"][number], deps: OperationDeps): Promise<Applied["webhooks"][number]> {
  const { created, changed: edited, secrets } = await configureEndpoint(toEndpointFile(wanted), operator(), deps);
  const { added, replaced, changed, ended } = secrets;
  return {
    provider: wanted.provider,
    ...(wanted.endpoint === undefined ? {} : { endpoint: wanted.endpoint }),
    status: statusOf(created, edited || added + replaced + changed + ended > 0),
    secrets_added: added,
    secrets_replaced: replaced,
    secrets_changed: changed,
    secrets_ended: ended,
  };
}
