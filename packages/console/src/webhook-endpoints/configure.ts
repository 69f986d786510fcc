import { type Environment, sha256 } from "@gatehouse/auth";
import type { WriteQuery } from "@gatehouse/db/query/db";
import type { AdapterSettings, Forward, SecretKind } from "@gatehouse/webhooks";
import { auditWrite, changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid, type Problem } from "../domain-error.ts";
import { assertUnlocked } from "../managed/lock.ts";
import type { Author } from "../permissions.ts";
import { DESTINATIONS, isRedirected } from "../secrets/destinations.ts";
import {
  endpointLock,
  listWebhookSecrets,
  type WebhookSecretRow,
  webhookSecretsRemoval,
  webhookSecretWrite,
} from "../webhook-secrets/queries.ts";
import { isActiveSecret, planSecret, type SecretDraft, type SecretEffect } from "../webhook-secrets/rows.ts";
import { secretProblems } from "../webhook-secrets/rules.ts";
import { auditName } from "./endpoints.ts";
import { type ForwardDraft, forwardProblems, toForward } from "./forwarding/rules.ts";
import { mintSecret, needsSecret } from "./forwarding/secrets.ts";
import { crossesProduction, moveProblems } from "./move.ts";
import { type EndpointRow, endpointInsert, findEndpointRow } from "./queries.ts";
import { environmentProblems, providerProblems, settingsProblems, slugProblems } from "./rules.ts";
import { endpointWrites } from "./writes.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random" | "seal" | "config">;

/**
 * An endpoint as a file describes it. Without `endpoint` it is the provider's default one. Fields that are left out do
 * not change; `secrets` replaces all signing secrets, and `apiKey` all API keys. Another `apiBaseUrl` ends the API keys
 * that the file does not name. A move into or out of production ends all secrets that it does not list, and forwarding
 * that it does not state.
 */
export type EndpointFile = {
  provider: string;
  endpoint?: string | undefined;
  environment?: Environment | undefined;
  name?: string | undefined;
  settings?: AdapterSettings | undefined;
  secrets?: SecretDraft[] | undefined;
  apiKey?: string | undefined;
  /** Null stops forwarding. */
  forward?: ForwardDraft | null | undefined;
  enabled?: boolean | undefined;
};

const slugOf = ({ provider, endpoint }: Pick<EndpointFile, "provider" | "endpoint">) => endpoint ?? provider;

/** Every problem that can be found without the database. */
export function endpointFileProblems(file: EndpointFile): Problem[] {
  const { provider, settings, secrets = [], apiKey } = file;
  const unknown = providerProblems(provider);
  if (unknown.length > 0) return unknown;
  const slug = slugProblems(slugOf(file), provider).map((problem) => ({ ...problem, path: "endpoint" }));
  return [
    ...slug,
    ...environmentProblems(slugOf(file), provider, file.environment ?? "production"),
    ...(settings ? settingsProblems(provider, settings) : []),
    ...secretListProblems(secrets, provider, settings ?? {}),
    ...(apiKey === undefined ? [] : keyProblems(apiKey, provider)),
  ];
}

/** Some schemes say in their settings what a secret is: without them, a secret cannot be checked. */
function secretListProblems(secrets: readonly SecretDraft[], provider: string, settings: AdapterSettings): Problem[] {
  const complete = settingsProblems(provider, settings).length === 0;
  const values = secrets.map(({ secret }) => secret.trim());
  return values.flatMap((value, at) => {
    const [problem] = complete ? secretProblems({ provider, kind: "signing", secret: value, settings }) : [];
    if (problem) return [{ ...problem, path: `secrets.${at}` }];
    return values.indexOf(value) < at ? [{ path: `secrets.${at}`, message: "is listed twice" }] : [];
  });
}

function keyProblems(apiKey: string, provider: string): Problem[] {
  return secretProblems({ provider, kind: "api_key", secret: apiKey, settings: {} }).map((problem) => ({
    ...problem,
    path: "apiKey",
  }));
}

/** What is stored of an endpoint, with all its secrets. */
type Stored = { row: EndpointRow | undefined; rows: WebhookSecretRow[]; now: number };

async function readStored(file: EndpointFile, { db, now }: Pick<Part, "db" | "now">): Promise<Stored> {
  const slug = slugOf(file);
  return { row: await findEndpointRow(db, slug), rows: await listWebhookSecrets(db, slug), now: now() };
}

/** Every problem with the file that depends on what is stored. */
export async function storedEndpointProblems(
  file: EndpointFile,
  deps: Pick<Part, "db" | "now" | "config">,
): Promise<Problem[]> {
  return problemsWith(file, await readStored(file, deps), deps);
}

function problemsWith(file: EndpointFile, { row, rows, now }: Stored, { config }: Pick<Part, "config">): Problem[] {
  const { provider, secrets = [] } = file;
  if (row && row.provider !== provider)
    return [
      { path: "endpoint", message: `belongs to ${row.provider} in this installation; a provider cannot be changed` },
    ];
  const invalidSecrets = file.settings === undefined && row ? secretListProblems(secrets, provider, row.settings) : [];
  const missing = row || file.settings ? [] : settingsProblems(provider, {});
  const ended = secrets.flatMap(({ secret, endsAt }, at) => endedProblem(rows, secret, endsAt, at, now));
  const moved = row ? moveProblems(row, file) : [];
  const { forward, environment } = applied(file, row, now);
  const forwarded = forward ? forwardProblems(forward, { environment, config }) : [];
  return [...missing, ...moved, ...invalidSecrets, ...ended, ...unstatedAddress(file, row, rows, now), ...forwarded];
}

/**
 * A file that names an API key and no settings would send the key wherever somebody has let the endpoint point
 * meanwhile, and so undo that their change ended it.
 */
function unstatedAddress(
  { apiKey, settings }: EndpointFile,
  row: EndpointRow | undefined,
  rows: readonly WebhookSecretRow[],
  now: number,
): Problem[] {
  const address = row && DESTINATIONS["webhook API key"](row);
  if (apiKey === undefined || settings !== undefined || address === undefined) return [];
  const [hash] = keysOf({ apiKey });
  if (rows.some((one) => one.hash === hash && isActiveSecret(one, now))) return [];
  const message = `would be sent to ${address}, which the file does not state. Add "settings" with this "apiBaseUrl", or with none for the provider's own`;
  return [{ path: "apiKey", message }];
}

/** A secret that an admin has ended: listing it again does not make it valid, unless the file sets `ends_at`. */
function endedProblem(
  rows: readonly WebhookSecretRow[],
  secret: string,
  endsAt: SecretDraft["endsAt"],
  at: number,
  now: number,
): Problem[] {
  const ended = rows.find(({ hash }) => hash === sha256(secret.trim()))?.expiresAt ?? null;
  if (endsAt !== undefined || ended === null || ended > now) return [];
  const when = new Date(ended * 1000).toISOString();
  return [
    { path: `secrets.${at}`, message: `ended at ${when}. Remove it, or set "ends_at": null to make it valid again` },
  ];
}

export type ConfiguredEndpoint = {
  created: boolean;
  /** Environment, name, settings or the switch. */
  changed: boolean;
  /**
   * How many secrets are newly valid · replace one that could not be decrypted · changed name or end · ended. API keys
   * count as well.
   */
  secrets: { added: number; replaced: number; changed: number; ended: number };
  /** Whether a secret for forwarded events is made. */
  mintsForwardingSecret: boolean;
};

/** What {@link configureEndpoint} would change, without changing it. Throws `invalid` with every problem. */
export async function planEndpoint(
  file: EndpointFile,
  deps: Part,
): Promise<{ slug: string; environment: Environment; forward: Forward | null; outcome: ConfiguredEndpoint }> {
  const { slug, after, outcome } = await planned(file, deps);
  return { slug, environment: after.environment, forward: after.forward, outcome };
}

/**
 * Changes an endpoint to match the file, atomically and with an audit row. Returns what changed, and the secret for
 * forwarded events if this made one: it is not shown again. Throws `invalid` with
 * every problem, and `conflict` if somebody changed the endpoint, or its secrets where the file changes them too, since
 * they were read. CO-58.
 */
export async function configureEndpoint(
  file: EndpointFile,
  actor: Author,
  deps: Part,
): Promise<ConfiguredEndpoint & { forwardingSecret?: string }> {
  const { slug, row, after, outcome, fields, lists, activeSecrets } = await planned(file, deps);
  const { created, changed, secrets, mintsForwardingSecret } = outcome;
  if (!created && !changed && !mintsForwardingSecret && Object.values(secrets).every((count) => count === 0))
    return outcome;
  if (changed) await assertUnlocked("webhook_endpoint", slug, actor, deps);

  const minted = mintsForwardingSecret ? mintSecret(slug, deps) : undefined;
  const changes = row ? fields : changedFields({}, createdFields(file, after));
  const detail = { changes, secrets, ...(minted && { forwarding_secret: `…${minted.row.hint}` }) };
  const action = row ? "webhook_endpoint.apply" : "webhook_endpoint.create";
  const secretWrites = lists.flatMap((list) => list.writes);
  const writes: WriteQuery[] = [
    ...secretWrites,
    auditWrite(
      actor,
      { action, object: slug, objectName: auditName({ ...after, slug }), environment: after.environment, detail },
      deps,
    ),
  ];
  const { provider: _, ...change } = after;
  // Otherwise a file that keeps one secret and ends another would leave none, if somebody ends the first one meanwhile.
  const asRead = secretWrites.length > 0 ? activeSecrets : undefined;
  const { first, others } = row
    ? endpointWrites({ before: row, change, keep: keysOf(file), minted, activeSecrets: asRead }, deps)
    : {
        first: endpointInsert(deps.db, { ...after, slug, createdAt: deps.now() }),
        others: minted ? [webhookSecretWrite(deps.db, { row: minted.row, change: {} })] : [],
      };
  if (!(await deps.db.guarded(first, [...others, ...writes], endpointLock(deps.db, slug))))
    throw new DomainError(
      "conflict",
      `The webhook endpoint ${slug} was changed by somebody else at the same time. Apply the file again.`,
    );
  return { ...outcome, ...(minted && { forwardingSecret: minted.secret }) };
}

const createdFields = ({ provider }: EndpointFile, { settings, forward }: ReturnType<typeof applied>) => ({
  provider,
  settings,
  ...(forward && { forward }),
});

async function planned(file: EndpointFile, deps: Part) {
  const unsound = endpointFileProblems(file);
  if (unsound.length > 0) throw invalid(unsound);
  const stored = await readStored(file, deps);
  const problems = problemsWith(file, stored, deps);
  if (problems.length > 0) throw invalid(problems);
  const { row, rows, now } = stored;
  const slug = slugOf(file);
  const after = applied(file, row, now);
  const fields = changedFields(row ?? {}, after);
  const unlisted = row && crossesProduction(row.environment, after.environment) ? [] : undefined;
  const lists = [
    planList("signing", file.secrets ?? unlisted, slug, rows, deps),
    planList("api_key", file.apiKey === undefined ? unlisted : [{ secret: file.apiKey }], slug, rows, deps),
  ];
  const redirected = unlisted ? [] : [redirectedKeys(file, row, rows, now)];
  const secrets = sum([...lists.map(({ counts }) => counts), ...redirected]);
  const changed = row !== undefined && Object.keys(fields).length > 0;
  const mintsForwardingSecret = needsSecret(row, after, rows, deps);
  const outcome = { created: !row, changed, secrets, mintsForwardingSecret };
  const activeSecrets = { now, secrets: rows.filter((one) => isActiveSecret(one, now)) };
  return { slug, row, after, outcome, fields, lists, activeSecrets };
}

const keysOf = ({ apiKey }: Pick<EndpointFile, "apiKey">) => (apiKey === undefined ? [] : [sha256(apiKey.trim())]);

/** The API keys that end because the file sends them to another address without naming one for it. */
function redirectedKeys(
  { apiKey, settings }: EndpointFile,
  row: EndpointRow | undefined,
  rows: readonly WebhookSecretRow[],
  now: number,
): ConfiguredEndpoint["secrets"] {
  const none = { added: 0, replaced: 0, changed: 0, ended: 0 };
  if (!row || apiKey !== undefined || !isRedirected("webhook API key", row, { settings: settings ?? row.settings }))
    return none;
  return { ...none, ended: rows.filter((one) => one.kind === "api_key" && isActiveSecret(one, now)).length };
}

/** The columns as they will be. */
function applied(
  { provider, environment: wanted, name, settings, forward: forwarded, enabled }: EndpointFile,
  row: EndpointRow | undefined,
  now: number,
) {
  const environment = wanted ?? row?.environment ?? ("production" as const);
  const moved = row !== undefined && crossesProduction(row.environment, environment);
  const forward = forwarded === undefined ? (moved ? null : (row?.forward ?? null)) : forwarded && toForward(forwarded);
  const disabledAt = row?.disabledAt ?? null;
  const switched = enabled === undefined ? disabledAt : enabled ? null : (disabledAt ?? now);
  return {
    provider,
    environment,
    name: name ?? row?.name ?? null,
    settings: settings ?? row?.settings ?? {},
    forward,
    disabledAt: switched,
  };
}

/** The writes for one kind of secret; the active ones that the list leaves out end. */
function planList(
  kind: SecretKind,
  list: readonly SecretDraft[] | undefined,
  endpoint: string,
  rows: readonly WebhookSecretRow[],
  deps: Part,
) {
  if (!list) return { writes: [], counts: { added: 0, replaced: 0, changed: 0, ended: 0 } };
  const now = deps.now();
  const plans = list.map((secret) => planSecret(secret, { endpoint, kind }, rows, deps));
  const keep = plans.map(({ write }) => write.row.hash);
  const ended = rows.filter((row) => row.kind === kind && isActiveSecret(row, now) && !keep.includes(row.hash)).length;
  const writes = plans.filter(({ effect }) => effect !== "none").map(({ write }) => webhookSecretWrite(deps.db, write));
  const count = (effect: SecretEffect) => plans.filter((plan) => plan.effect === effect).length;
  return {
    writes: ended > 0 ? [...writes, webhookSecretsRemoval(deps.db, { endpoint, kind, keep }, now)] : writes,
    counts: { added: count("added"), replaced: count("replaced"), changed: count("changed"), ended },
  };
}

function sum(counts: readonly ConfiguredEndpoint["secrets"][]): ConfiguredEndpoint["secrets"] {
  const total = { added: 0, replaced: 0, changed: 0, ended: 0 };
  for (const one of counts) for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += one[name];
  return total;
}
