import type { Environment } from "@gatehouse/auth";
import type { AdapterSettings } from "@gatehouse/webhooks";
import { changedMeanwhile, fieldsOf } from "../audit/conflict.ts";
import { type AuditEntry, auditWrite, changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid, type Problem } from "../domain-error.ts";
import { assertUnlocked } from "../managed/lock.ts";
import { managedView, managedViews } from "../managed/managed-view.ts";
import { type Author, assertFresh, assertMayManage } from "../permissions.ts";
import { listWebhookSecrets as listSecretRows, webhookSecretWrite } from "../webhook-secrets/queries.ts";
import { forwardProblems } from "./forwarding/rules.ts";
import type { MintedSecret } from "./forwarding/secrets.ts";
import { crossesProduction, moveProblems, planMove } from "./move.ts";
import {
  type EndpointChange,
  type EndpointRow,
  endpointDelete,
  endpointInsert,
  findEndpointRow,
  listEndpoints as listRows,
} from "./queries.ts";
import { environmentProblems, providerProblems, settingsProblems, slugProblems } from "./rules.ts";
import { type EndpointView, endpointToChange, endpointView } from "./view.ts";
import { endpointWrites } from "./writes.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random" | "seal" | "config">;

export type EndpointDraft = {
  slug: string;
  provider: string;
  environment: Environment;
  name?: string | null | undefined;
  settings?: AdapterSettings | undefined;
};

/** Fields that are left out stay. */
export type EndpointEdit = Pick<EndpointDraft, "slug" | "name" | "settings"> & {
  environment?: Environment | undefined;
  /** The ids of the secrets that stay active if the endpoint goes into production or leaves it; the others end. */
  keepSecrets?: readonly string[] | undefined;
  /** The version that was read: a later one is a conflict. CO-45. */
  version?: number | undefined;
};

/** The configured endpoints, by provider and age. */
export async function listWebhookEndpoints(
  deps: Pick<Part, "db" | "now" | "seal" | "config">,
): Promise<EndpointView[]> {
  const [rows, secrets] = await Promise.all([listRows(deps.db), listSecretRows(deps.db)]);
  const slugs = rows.map(({ slug }) => slug);
  const managed = await managedViews("webhook_endpoint", slugs, deps);
  return rows.map((row) => {
    const own = secrets.filter(({ endpoint }) => endpoint === row.slug);
    return endpointView(row, own, deps, { managed: managed.get(row.slug) });
  });
}

/** One endpoint; a provider's default endpoint also before it is configured. Throws `not_found`. */
export async function getWebhookEndpoint(
  slug: string,
  deps: Pick<Part, "db" | "now" | "seal" | "config">,
): Promise<EndpointView> {
  const { endpoint, stored } = await endpointToChange(slug, deps);
  return endpointView(endpoint, await listSecretRows(deps.db, slug), deps, {
    configured: stored,
    managed: await managedView("webhook_endpoint", slug, deps),
  });
}

/** Every problem with a new endpoint that can be found without the database. */
function endpointProblems({ slug, provider, environment, settings = {} }: EndpointDraft) {
  const unknown = providerProblems(provider);
  if (unknown.length > 0) return unknown;
  const misplaced = environmentProblems(slug, provider, environment);
  return [...slugProblems(slug, provider), ...misplaced, ...settingsProblems(provider, settings)];
}

/**
 * Creates an endpoint, enabled. Throws `invalid`, `forbidden`, `stale_sign_in` in production, and `conflict` if the
 * slug is taken.
 */
export async function createWebhookEndpoint(draft: EndpointDraft, actor: Author, deps: Part): Promise<EndpointView> {
  const problems = endpointProblems(draft);
  if (problems.length > 0) throw invalid(problems);
  const { slug, provider, environment, name = null, settings = {} } = draft;
  assertMayConfigure(actor, [environment], deps.now());
  const row = { slug, provider, environment, name, settings, createdAt: deps.now() };
  const entry = {
    action: "webhook_endpoint.create" as const,
    object: slug,
    objectName: auditName(row),
    environment,
    detail: { provider, name, settings },
  };
  if (!(await deps.db.guarded(endpointInsert(deps.db, row), [auditWrite(actor, entry, deps)])))
    throw new DomainError("conflict", `There is already an endpoint ${slug}. Choose another name for the URL.`);
  return getWebhookEndpoint(slug, deps);
}

/**
 * Changes an endpoint. Throws `invalid`, `forbidden`, `stale_sign_in` in production, and `not_found`. Another
 * `apiBaseUrl` ends the endpoint's API keys: otherwise a user who cannot read a key could have it sent to a server of
 * their own. A move into or out of production ends all secrets but `keepSecrets`, and stops forwarding.
 */
export async function updateWebhookEndpoint(
  { slug, version, keepSecrets, ...change }: EndpointEdit,
  actor: Author,
  deps: Part,
): Promise<EndpointView> {
  const { endpoint } = await endpointToChange(slug, deps);
  const { provider } = endpoint;
  const environment = change.environment ?? endpoint.environment;
  const stopped = crossesProduction(endpoint.environment, environment);
  const problems = [
    ...environmentProblems(slug, provider, environment),
    ...(stopped ? [] : misplacedForwarding(endpoint, environment, deps)),
    ...moveProblems(endpoint, change),
    ...settingsProblems(provider, change.settings ?? {}),
  ];
  if (problems.length > 0) throw invalid(problems);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const forward = stopped ? { forward: null } : {};
  return changeEndpoint(
    slug,
    { ...given, ...forward },
    { action: "webhook_endpoint.update", version, keepSecrets },
    actor,
    deps,
  );
}

/** An environment that the endpoint's events cannot be forwarded from to where they are. */
function misplacedForwarding(
  { forward }: EndpointRow,
  environment: Environment,
  deps: Pick<Part, "config">,
): Problem[] {
  const [problem] = forward ? forwardProblems(forward, { environment, config: deps.config }) : [];
  if (!problem) return [];
  return [
    {
      path: "environment",
      message: `does not go with where its events are forwarded: ${forward?.url} ${problem.message}`,
    },
  ];
}

/**
 * A disabled endpoint answers 404, and the provider's retries may give up. Throws `forbidden`, `stale_sign_in` in
 * production, and `not_found`.
 */
export function setWebhookEndpointEnabled(
  { slug, enabled }: { slug: string; enabled: boolean },
  actor: Author,
  deps: Part,
): Promise<EndpointView> {
  const entry = {
    action: enabled ? ("webhook_endpoint.enable" as const) : ("webhook_endpoint.disable" as const),
    detail: {},
  };
  return changeEndpoint(slug, { disabledAt: enabled ? null : deps.now() }, entry, actor, deps);
}

/** What the audit log calls an endpoint. CO-64. */
export const auditName = ({ name, slug }: Pick<EndpointRow, "name" | "slug">) => name ?? slug;

/** Throws `forbidden` or `stale_sign_in` unless the actor may change endpoints of all these environments now. */
export function assertMayConfigure(actor: Author, environments: readonly Environment[], now: number): void {
  for (const environment of environments) assertMayManage(actor, environment);
  if (environments.includes("production")) assertFresh(actor, now);
}

/**
 * Writes the change with its audit row, unless there is nothing to change. A default endpoint that is not stored yet is
 * added.
 */
export async function changeEndpoint(
  slug: string,
  change: EndpointChange,
  {
    version,
    keepSecrets = [],
    minted,
    ...entry
  }: Pick<AuditEntry, "action" | "detail"> &
    Pick<EndpointEdit, "version" | "keepSecrets"> & { minted?: MintedSecret | undefined },
  actor: Author,
  deps: Part,
): Promise<EndpointView> {
  const { endpoint, stored } = await endpointToChange(slug, deps);
  const after = { ...endpoint, ...change };
  assertMayConfigure(actor, [endpoint.environment, after.environment], deps.now());
  const conflict = (now: EndpointRow) =>
    changedMeanwhile({ object: slug, theirs: fieldsOf(change, now), version: now.version }, deps);
  if (version !== undefined && version !== endpoint.version) throw await conflict(endpoint);
  const changes = changedFields(endpoint, change);
  const switchedAlready = "disabledAt" in change && (endpoint.disabledAt === null) === (change.disabledAt === null);
  if ((Object.keys(changes).length === 0 && !minted) || switchedAlready) return getWebhookEndpoint(slug, deps);
  await assertUnlocked("webhook_endpoint", slug, actor, deps);

  const { db } = deps;
  const secrets = await listSecretRows(db, slug);
  const move = planMove({ endpoint, environment: after.environment, keepSecrets, secrets }, deps);
  const { first, others } = stored
    ? endpointWrites({ before: endpoint, change, minted }, deps)
    : {
        first: endpointInsert(db, { ...after, createdAt: deps.now() }),
        others: minted ? [webhookSecretWrite(db, { row: minted.row, change: {} })] : [],
      };
  const about = { object: slug, objectName: auditName(after), environment: after.environment };
  const detail = { changes, ...move.detail, ...entry.detail };
  const audited = auditWrite(actor, { action: entry.action, detail, ...about }, deps);
  if (!(await db.guarded(first, [...others, ...move.writes, audited])))
    throw await conflict((await endpointToChange(slug, deps)).endpoint);
  return getWebhookEndpoint(slug, deps);
}

/**
 * Removes an endpoint with its secrets. Throws `conflict` while the log has deliveries of it, `forbidden`, and
 * `not_found`.
 */
export async function removeWebhookEndpoint(slug: string, actor: Author, deps: Part): Promise<void> {
  const row = await findEndpointRow(deps.db, slug);
  if (!row) throw new DomainError("not_found", `There is no webhook endpoint ${slug}.`);
  assertMayManage(actor, row.environment);
  await assertUnlocked("webhook_endpoint", slug, actor, deps);
  assertFresh(actor, deps.now());
  const about = { object: slug, objectName: auditName(row), environment: row.environment };
  const entry = { action: "webhook_endpoint.remove" as const, ...about, detail: { provider: row.provider } };
  if (await deps.db.guarded(endpointDelete(deps.db, row), [auditWrite(actor, entry, deps)])) return;
  throw new DomainError(
    "conflict",
    "The log still has deliveries of this endpoint, so it cannot be removed. Disable it: it then answers 404. You can remove it when its deliveries have been deleted because of their age.",
  );
}
