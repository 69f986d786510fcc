import { type Environment, sha256 } from "@gatehouse/auth";
import type { EnteredSecretKind, SecretKind } from "@gatehouse/webhooks";
import { auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid, type Problem } from "../domain-error.ts";
import { type Author, assertFresh, assertMayManage } from "../permissions.ts";
import { longestPause, rotationVerdict, usedRecently } from "../secrets/rotation.ts";
import {
  type EndpointRow,
  endpointInsert,
  endpointUnchanged,
  findEndpointRow,
  listAcceptingDays,
  listEndpoints,
} from "../webhook-endpoints/queries.ts";
import { providerProblems } from "../webhook-endpoints/rules.ts";
import { endpointToChange } from "../webhook-endpoints/view.ts";
import {
  endWebhookSecret as endRow,
  findSameSecrets,
  findWebhookSecret,
  listWebhookSecrets as listRows,
  type WebhookSecretRow,
  webhookSecretWrite,
} from "./queries.ts";
import { isActiveSecret, isReadable, MAX_WEBHOOK_SECRETS, planSecret, type SecretDraft } from "./rows.ts";
import { secretProblems, secretWarnings } from "./rules.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random" | "seal">;
type ViewPart = Pick<Part, "db" | "now" | "seal">;

/** A secret as the console shows it, without the secret itself. Times are Unix seconds. */
export type WebhookSecretView = {
  id: string;
  /** The slug of its endpoint. */
  endpoint: string;
  provider: string;
  environment: Environment;
  kind: SecretKind;
  name: string | null;
  /** Its last characters: see `secretHint`. */
  hint: string;
  /** `unreadable`: encrypted with another GATEHOUSE_SECRET; it verifies nothing until it is entered again. */
  state: "active" | "ended" | "unreadable";
  createdAt: number;
  endsAt: number | null;
  /** When it last verified a delivery; up to ten seconds old. */
  lastMatchedAt: number | null;
  /** Only for active signing secrets. */
  rotation: WebhookRotation | null;
};

/** The verdict of `rotationVerdict`, in this view's words: a webhook secret is used when it matches. CO-58. */
type WebhookRotation = {
  state: "never_used" | "in_use" | "quiet" | "safe_to_remove";
  lastMatchedAt: number | null;
  replacedBy: { id: string; hint: string; lastMatchedAt: number } | null;
};

/** An endpoint, by its slug or, for a provider's default endpoint, by the provider. */
export type EndpointReference = { endpoint?: string | undefined; provider?: string | undefined };

/** The secrets of one endpoint or of all, including ended ones, oldest first. */
export async function listWebhookSecrets(of: EndpointReference, deps: ViewPart): Promise<WebhookSecretView[]> {
  const rows = await listRows(deps.db, of.endpoint ?? of.provider);
  const endpoints = await listEndpoints(deps.db);
  const views = endpoints.map(async (endpoint) =>
    viewsOf(
      endpoint,
      rows.filter((row) => row.endpoint === endpoint.slug),
      deps,
    ),
  );
  return (await Promise.all(views)).flat();
}

/**
 * Adds a secret; the endpoint's other secrets stay. Warnings say what an admin should know about it. Throws `invalid`,
 * `forbidden`, `stale_sign_in` in production, `not_found`, and `conflict` when it is already active or there are too
 * many.
 */
export async function addWebhookSecret(
  { endpoint, provider, kind = "signing", ...draft }: SecretDraft & EndpointReference & { kind?: EnteredSecretKind },
  actor: Author,
  deps: Part,
): Promise<WebhookSecretView & { warnings: string[] }> {
  const now = deps.now();
  const target = await endpointFor({ endpoint, provider }, deps);
  const { slug, environment } = target.endpoint;
  assertMayManage(actor, environment);
  if (environment === "production") assertFresh(actor, now);
  const checked = {
    provider: target.endpoint.provider,
    kind,
    secret: draft.secret,
    settings: target.endpoint.settings,
  };
  const problems = [...secretProblems(checked), ...endProblems(draft.endsAt ?? null, now)];
  if (problems.length > 0) throw invalid(problems);

  const rows = await listRows(deps.db, slug);
  const { write, effect } = planSecret(
    { ...draft, endsAt: draft.endsAt ?? null },
    { endpoint: slug, kind },
    rows,
    deps,
  );
  const known = rows.find(({ hash }) => hash === write.row.hash);
  assertAddable(known, write.row, rows, effect === "replaced", now);

  const id = known?.id ?? write.row.id;
  const detail = { kind, hint: write.row.hint, name: write.row.name, ends_at: write.row.expiresAt };
  const named = { object: id, objectName: auditName(write.row), environment };
  const audited = auditWrite(
    actor,
    { action: "webhook_secret.add", ...named, detail: { endpoint: slug, ...detail } },
    deps,
  );
  // An API key is for the address that the endpoint had when it was read.
  const first = target.stored ? endpointUnchanged(deps.db, target.endpoint) : endpointInsert(deps.db, target.endpoint);
  if (!(await deps.db.guarded(first, [webhookSecretWrite(deps.db, write), audited])))
    throw new DomainError(
      "conflict",
      `The endpoint ${slug} was changed by somebody else at the same time. Look at it, then add the secret again.`,
    );
  return { ...(await existing(id, deps)), warnings: await warningsOf(draft.secret, kind, target.endpoint, deps) };
}

function assertAddable(
  known: WebhookSecretRow | undefined,
  row: WebhookSecretRow,
  rows: readonly WebhookSecretRow[],
  replaces: boolean,
  now: number,
): void {
  const conflict = (message: string) => new DomainError("conflict", message);
  if (known && known.kind !== row.kind)
    throw conflict(`This value is already stored as ${NOUN[known.kind]} (${known.id}).`);
  if (known && isActiveSecret(known, now) && !replaces) throw conflict(`This secret is already active (${known.id}).`);
  const others = rows.filter((one) => one.kind === row.kind && isActiveSecret(one, now) && one.hash !== row.hash);
  if (others.length < MAX_WEBHOOK_SECRETS) return;
  throw conflict(`${MAX_WEBHOOK_SECRETS} secrets are already active. End those that are no longer used first.`);
}

const NOUN: Record<SecretKind, string> = {
  signing: "a signing secret",
  api_key: "an API key",
  forwarding: "a forwarding secret",
};

async function warningsOf(
  secret: string,
  kind: EnteredSecretKind,
  { slug, environment, settings }: EndpointRow,
  deps: ViewPart,
): Promise<string[]> {
  const same = await findSameSecrets(deps.db, sha256(secret.trim()));
  const active = same.filter((row) => row.endpoint !== slug && isActiveSecret(row, deps.now()));
  const endpoints = await listEndpoints(deps.db);
  const others = active.flatMap(({ endpoint }) => {
    const found = endpoints.find((one) => one.slug === endpoint);
    return found ? [{ endpoint, environment: found.environment }] : [];
  });
  return secretWarnings({ secret, kind, environment, settings, others });
}

/**
 * Ends a secret, now or at `endsAt`. The last active signing secret of an endpoint without an end ends only with
 * `confirmLast`, also when several are ended at once. One that matched within a day ends now only with its last
 * characters in `confirmHint`, except on the command line. The forwarding secret ends by a rotation only. Throws `not_found` when it is not active, `conflict` without
 * a confirmation, `invalid` for an end in the past, `forbidden`, and `stale_sign_in` in production. CO-58.
 */
export async function endWebhookSecret(
  {
    id,
    endsAt,
    confirmLast = false,
    confirmHint,
  }: { id: string; endsAt?: number | undefined; confirmLast?: boolean; confirmHint?: string | undefined },
  actor: Author,
  deps: Part,
): Promise<WebhookSecretView> {
  const now = deps.now();
  const problems = endProblems(endsAt ?? null, now);
  if (problems.length > 0) throw invalid(problems);
  const row = await findWebhookSecret(deps.db, id);
  const endpoint = row && (await findEndpointRow(deps.db, row.endpoint));
  if (!row || !endpoint || !isActiveSecret(row, now)) throw missing();
  assertMayManage(actor, endpoint.environment);
  if (endpoint.environment === "production") assertFresh(actor, now);

  if (row.kind === "forwarding" && row.expiresAt === null)
    throw new DomainError("conflict", "Forwarded events are signed with this secret. Rotate it, or stop forwarding.");
  const needsAnother = row.kind === "signing" && !confirmLast;
  if (needsAnother && (await isLast(row, deps))) throw last(row);
  const typed = actor.via === "cli" || row.hint === "" || confirmHint === row.hint;
  if (endsAt === undefined && !typed && usedRecently(row.lastMatchedAt, now))
    throw new DomainError(
      "conflict",
      `This secret verified a delivery in the last 24 hours. Type its ${lastOf(row.hint)} to end it now.`,
    );

  const detail = { endpoint: row.endpoint, kind: row.kind, hint: row.hint, ends_at: endsAt ?? now };
  const named = { object: id, objectName: auditName(row), environment: endpoint.environment };
  const entry = { action: "webhook_secret.end" as const, ...named, detail };
  const end = { id, ...placeOf(endpoint), endsAt: endsAt ?? now, needsAnother };
  if (!(await endRow(deps.db, end, now, [auditWrite(actor, entry, deps)])))
    throw needsAnother && (await isLast(row, deps)) ? last(row) : missing();
  return existing(id, deps);
}

const placeOf = ({ slug: endpoint, environment }: EndpointRow) => ({ endpoint, environment });

const NUMBERS = ["", "", "two ", "three ", "four "];
const lastOf = ({ length }: string) => `last ${NUMBERS[length] ?? ""}character${length === 1 ? "" : "s"}`;

/** Whether no other secret of its kind stays: one with an end does not. */
async function isLast(row: WebhookSecretRow, deps: ViewPart): Promise<boolean> {
  const rows = await listRows(deps.db, row.endpoint);
  return !rows.some(
    (one) => one.id !== row.id && one.kind === row.kind && one.expiresAt === null && isActiveSecret(one, deps.now()),
  );
}

function last({ endpoint }: WebhookSecretRow): DomainError {
  return new DomainError(
    "conflict",
    `This is the last active secret of ${endpoint} without an end. Without it, deliveries are rejected. Add the new one first, or confirm.`,
  );
}

/** What the audit log calls a secret: its endpoint, and its name or its last characters. CO-64. */
const auditName = ({ endpoint, name, hint }: Pick<WebhookSecretRow, "endpoint" | "name" | "hint">) =>
  `${endpoint} · ${name ?? hint}`;

async function endpointFor({ endpoint, provider }: EndpointReference, deps: ViewPart) {
  if (endpoint !== undefined) return endpointToChange(endpoint, deps);
  if (provider === undefined)
    throw invalid([{ path: "endpoint", message: "is required. Name the endpoint, or its provider" }]);
  const problems = providerProblems(provider);
  if (problems.length > 0) throw invalid(problems);
  return endpointToChange(provider, deps);
}

function endProblems(endsAt: number | null, now: number): Problem[] {
  if (endsAt === null || endsAt > now) return [];
  return [{ path: "endsAt", message: "is in the past. Use a later time, or leave it out" }];
}

async function existing(id: string, deps: ViewPart): Promise<WebhookSecretView> {
  const row = await findWebhookSecret(deps.db, id);
  const endpoint = row && (await findEndpointRow(deps.db, row.endpoint));
  const [view] = endpoint
    ? (await viewsOf(endpoint, await listRows(deps.db, endpoint.slug), deps)).filter((one) => one.id === id)
    : [];
  if (!view) throw missing();
  return view;
}

/** The views of all secrets of one endpoint. */
async function viewsOf(
  endpoint: EndpointRow,
  rows: readonly WebhookSecretRow[],
  deps: ViewPart,
): Promise<WebhookSecretView[]> {
  const now = deps.now();
  const signing = rows.filter(
    (row) => row.kind === "signing" && isActiveSecret(row, now) && isReadable(row, deps.seal),
  );
  const pause = signing.length > 1 ? longestPause(await listAcceptingDays(deps.db, endpoint, now)) : 0;
  return rows.map((row) => {
    const { id, kind, name, hint, createdAt, expiresAt, removedAt, lastMatchedAt } = row;
    const state = !isActiveSecret(row, now) ? "ended" : isReadable(row, deps.seal) ? "active" : "unreadable";
    const ends = [expiresAt, removedAt].filter((end) => end !== null);
    return {
      id,
      endpoint: endpoint.slug,
      provider: endpoint.provider,
      environment: endpoint.environment,
      kind,
      name,
      hint,
      state,
      createdAt,
      endsAt: ends.length > 0 ? Math.min(...ends) : null,
      lastMatchedAt,
      rotation: signing.includes(row) ? rotationOf(row, signing, pause, now) : null,
    };
  });
}

function rotationOf(
  row: WebhookSecretRow,
  signing: readonly WebhookSecretRow[],
  pause: number,
  now: number,
): WebhookRotation {
  const used = (one: WebhookSecretRow) => ({ ...one, lastUsedAt: one.lastMatchedAt });
  const { state, replacedBy } = rotationVerdict(used(row), signing.map(used), pause, now);
  const successor = replacedBy && { id: replacedBy.id, hint: replacedBy.hint, lastMatchedAt: replacedBy.lastUsedAt };
  return { state, lastMatchedAt: row.lastMatchedAt, replacedBy: successor };
}

function missing(): DomainError {
  return new DomainError("not_found", "There is no such active secret.");
}
