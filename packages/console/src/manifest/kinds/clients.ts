import { type Environment, isFirstPartyKind, scopesOf } from "@gatehouse/auth";
import { type ClientRow, findClientRow } from "../../clients/queries.ts";
import { holdsSecret, registerClient, setClientEnabled, updateClient } from "../../clients/register.ts";
import type { ClientDraft } from "../../clients/rules.ts";
import { listClientSecrets } from "../../clients/secret-queries.ts";
import { ensureSecret, mintClientSecret, secretStatus } from "../../clients/secrets.ts";
import type { OperationDeps } from "../../deps.ts";
import {
  type Applier,
  type Change,
  changeOf,
  differsIn,
  type FieldChange,
  type LiveChanges,
  type Status,
  statusOf,
} from "../change.ts";
import { type Entry, noneOf, snakeCased, stated } from "../export/entry.ts";
import type { ManifestClient } from "../file/manifest.ts";
import { toDraft } from "../file/read-manifest.ts";

export type AppliedClient = {
  client_id: string;
  status: Status;
  /** Only when this run generated it; it is not shown again. */
  client_secret?: string;
};

/** `application`: its name. */
type Place = { application: string; name: string; environment: Environment };

/** What the file states about a client, besides its secret. `name`: left out for the only client of an application. */
export function clientSettings(wanted: ManifestClient, environment: Environment, name?: string): Entry {
  const { environment: _, options, ...settings } = toDraft(wanted, environment);
  return stated({ ...settings, ...options, enabled: wanted.enabled, name });
}

type Rights = { firstParty: boolean; resourceServer: boolean; scopes: readonly string[] };

/**
 * Whether a client acts with all rights of its users, sees every token, or may request what only first-party clients
 * may.
 */
export function isTrusted(
  { firstParty, resourceServer, scopes }: Rights,
  { config }: Pick<OperationDeps, "config">,
): boolean {
  const known = scopesOf(config);
  return (
    firstParty ||
    resourceServer ||
    scopes.some((name) => known[name] !== undefined && isFirstPartyKind(known[name].kind))
  );
}

/** What the file changes about a client in one environment. `row`: as it is now. */
export async function clientChange(
  place: Place,
  row: ClientRow | undefined,
  wanted: ManifestClient,
  deps: OperationDeps,
): Promise<Change> {
  const settings = clientSettings(wanted, place.environment);
  const secrets = await secretChange(row, wanted, deps);
  const change = row
    ? changeTo(settings, row, place, secrets)
    : changeOf(objectAt(place), undefined, { enabled: true, ...settings, client_id: wanted.client_id }, secrets);
  const beforeAndAfter = [...(row ? [row] : []), toDraft(wanted, place.environment)];
  const trusted = beforeAndAfter.some((one) => isTrusted(one, deps));
  const origins = beforeAndAfter.map((one) => originsOf(one, deps));
  const isWebSignIn = origins.every((one) => one !== undefined);
  return {
    ...change,
    ...(trusted && { trusted }),
    ...(trusted && isWebSignIn && { origins: [...new Set(origins.flat())] }),
  };
}

const SIGN_IN_GRANTS: readonly string[] = ["authorization_code", "refresh_token"];

/**
 * The origins of everything that is sent for a client which only signs users in to a web app; undefined for a client that
 * can do more. PK-22.
 */
function originsOf(client: ClientDraft, { config }: Pick<OperationDeps, "config">): string[] | undefined {
  const { type, grantTypes, redirectUris, postLogoutRedirectUris, options = {} } = client;
  const mayMore = isTrusted({ ...client, firstParty: false }, { config });
  if (type !== "web" || mayMore || !grantTypes.every((grant) => SIGN_IN_GRANTS.includes(grant))) return undefined;
  const { backchannelLogoutUri, jwksUri } = options;
  return [...redirectUris, ...postLogoutRedirectUris, backchannelLogoutUri, jwksUri].flatMap((uri) =>
    uri === undefined ? [] : [URL.canParse(uri) ? new URL(uri).origin : "null"],
  );
}

/** The change to what a file states. An option that it leaves out gets its default. */
function changeTo(settings: Entry, row: ClientRow, place: Place, secrets: FieldChange[] = []): Change {
  const stored = { ...row, ...row.options, enabled: row.disabledAt === null };
  return changeOf(objectAt(place), stored, { ...snakeCased(noneOf(row.options)), ...settings }, secrets);
}

const objectAt = ({ application, name, environment }: Place) => ({
  kind: "client" as const,
  name: `${application} / ${name}`,
  environment,
});

/** What applying them again would change about clients. */
export const clientDrift: LiveChanges = (rows, { db }) =>
  Promise.all(
    rows.map(async ({ object, settings }) => {
      const row = await findClientRow(db, object);
      return row && changeTo(settings, row, { ...row, application: row.applicationName });
    }),
  );

async function secretChange(
  row: ClientRow | undefined,
  wanted: ManifestClient,
  deps: OperationDeps,
): Promise<FieldChange[]> {
  const field = "client_secret";
  if (wanted.client_secret !== undefined) {
    const known = row !== undefined && (await secretStatus(row.id, wanted.client_secret, deps)) === "live";
    return known ? [] : [{ field, before: null, after: "added" }];
  }
  const holds = row ? holdsSecret(row) : holdsSecret({ type: wanted.type, options: wanted.options });
  const has = row !== undefined && (await listClientSecrets(deps.db, [row.id])).length > 0;
  return holds && !has ? [{ field, before: null, after: "generated" }] : [];
}

export async function addClient(
  { application: _, ...place }: Place & { applicationId: string },
  wanted: ManifestClient,
  { author }: Applier,
  deps: OperationDeps,
): Promise<AppliedClient> {
  const draft = {
    ...toDraft(wanted, place.environment),
    ...place,
    clientId: wanted.client_id,
    secret: wanted.client_secret,
  };
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
  if (enabled !== undefined && enabled !== (row.disabledAt === null))
    await setClientEnabled({ clientId: row.id, enabled }, author, deps);
  const secret = change.fields.find(({ field }) => field === "client_secret");
  if (secret && wanted.client_secret !== undefined) await ensureSecret(row, wanted.client_secret, author, deps);
  const generated = secret?.after === "generated" ? (await mintClientSecret(row, author, deps)).secret : undefined;
  return {
    client_id: row.id,
    status: statusOf(change),
    ...(generated === undefined ? {} : { client_secret: generated }),
  };
}
