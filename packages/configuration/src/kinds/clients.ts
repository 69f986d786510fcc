import { type Environment, isFirstPartyKind, scopesOf } from "@gatehouse/auth";
import { type ClientRow, listClientSecrets } from "@gatehouse/db";
import {
  ensureSecret,
  holdsSecret,
  mintClientSecret,
  type OperationDeps,
  registerClient,
  secretStanding,
  setClientEnabled,
  updateClient,
} from "@gatehouse/operations";
import { type Applier, type Change, changeOf, differsIn, type FieldChange, type Status, statusOf } from "../change.ts";
import type { ManifestClient } from "../manifest/manifest.ts";
import { toDraft } from "../manifest/read-manifest.ts";

export type AppliedClient = {
  client_id: string;
  status: Status;
  /** Only when this run generated it; it is not shown again. */
  client_secret?: string;
};

/** `application`: its name. */
type Place = { application: string; name: string; environment: Environment };

/** What the file changes about a client in one environment. `row`: as it is now. */
export async function clientChange(place: Place, row: ClientRow | undefined, wanted: ManifestClient, deps: OperationDeps): Promise<Change> {
  const { environment: _, options, ...settings } = toDraft(wanted, place.environment);
  const stored = row && { ...row, ...noneOf(options ?? {}), ...noneOf(row.options), ...row.options, enabled: row.disabledAt === null };
  const draft = {
    ...settings,
    ...(row && noneOf(row.options)),
    ...options,
    enabled: wanted.enabled ?? stored?.enabled ?? true,
    ...(row === undefined && { clientId: wanted.client_id }),
  };
  const object = { kind: "client", name: `${place.application} / ${place.name}`, environment: place.environment } as const;
  const trusted = isTrusted(draft, deps) || (row !== undefined && isTrusted(row, deps));
  return { ...changeOf(object, stored, draft, await secretChange(row, wanted, deps)), ...(trusted && { trusted }) };
}

type Rights = { firstParty: boolean; resourceServer: boolean; scopes: readonly string[] };

/** Whether a client acts with all rights of its users, sees every token, or may request what only first-party clients may. */
function isTrusted({ firstParty, resourceServer, scopes }: Rights, { config }: Pick<OperationDeps, "config">): boolean {
  const known = scopesOf(config);
  return firstParty || resourceServer || scopes.some((name) => known[name] !== undefined && isFirstPartyKind(known[name].kind));
}

/** Every member as null, which stands for the default. */
const noneOf = (members: object) => Object.fromEntries(Object.keys(members).map((name) => [name, null]));

async function secretChange(row: ClientRow | undefined, wanted: ManifestClient, deps: OperationDeps): Promise<FieldChange[]> {
  const field = "client_secret";
  if (wanted.client_secret !== undefined) {
    const known = row !== undefined && (await secretStanding(row.id, wanted.client_secret, deps)) === "live";
    return known ? [] : [{ field, before: null, after: "added" }];
  }
  const holds = row ? holdsSecret(row) : holdsSecret({ type: wanted.type, options: wanted.options });
  const has = row !== undefined && (await listClientSecrets(deps.handle, [row.id])).length > 0;
  return holds && !has ? [{ field, before: null, after: "generated" }] : [];
}

export async function addClient(
  { application: _, ...place }: Place & { applicationId: string },
  wanted: ManifestClient,
  { author }: Applier,
  deps: OperationDeps,
): Promise<AppliedClient> {
  const draft = { ...toDraft(wanted, place.environment), ...place, clientId: wanted.client_id, secret: wanted.client_secret };
  const { client, secret } = await registerClient(draft, author, deps);
  if (wanted.enabled === false) await setClientEnabled({ clientId: client.clientId, enabled: false }, author, deps);
  return { client_id: client.clientId, status: "created", ...(secret === null ? {} : { client_secret: secret }) };
}

export async function changeClient(
  place: Place,
  row: ClientRow,
  wanted: ManifestClient,
  { author }: Applier,
  deps: OperationDeps,
): Promise<AppliedClient> {
  const change = await clientChange(place, row, wanted, deps);
  const { environment: _, type: __, ...settings } = toDraft(wanted, row.environment);
  if (differsIn(change, { except: ["enabled", "client_secret"] }))
    await updateClient(row.id, settings, author, deps, { action: "client.update", version: row.version });
  const { enabled } = wanted;
  if (enabled !== undefined && enabled !== (row.disabledAt === null)) await setClientEnabled({ clientId: row.id, enabled }, author, deps);
  const secret = change.fields.find(({ field }) => field === "client_secret");
  if (secret && wanted.client_secret !== undefined) await ensureSecret(row, wanted.client_secret, author, deps);
  const generated = secret?.after === "generated" ? (await mintClientSecret(row, author, deps)).secret : undefined;
  return { client_id: row.id, status: statusOf(change), ...(generated === undefined ? {} : { client_secret: generated }) };
}
