import {
  normaliseDomain,
  PRESETS,
  type ProviderSettings,
  type SignInProvider,
  secretPurpose,
} from "@gatehouse/accounts";
import {
  countIdentities,
  listSignInProviders as listRows,
  type SignInProviderChange,
  signInProviderDelete,
  signInProviderInsert,
  signInProviderUpdate,
} from "@gatehouse/db/stores/accounts/sign-in-providers";
import { changedMeanwhile } from "../audit/conflict.ts";
import { type AuditEntry, auditWrite, changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid, type Problem } from "../domain-error.ts";
import { assertUnlocked } from "../managed/lock.ts";
import { managedViews } from "../managed/managed-view.ts";
import { type Author, assertFresh } from "../permissions.ts";
import { type ProviderPlan, providerProblems, redirectedSecretProblems, settingsProblems } from "./rules.ts";
import { wasTested } from "./test-sign-in.ts";
import { providerView, type SignInProviderView } from "./view.ts";

type Part = Pick<OperationDeps, "db" | "reads" | "now" | "random" | "seal" | "config">;

/** A provider to add. `secret` is clear text. */
export type SignInProviderDraft = Pick<
  SignInProvider,
  "id" | "preset" | "issuer" | "clientId" | "secret" | "settings"
> & {
  name?: string | undefined;
  position?: number | undefined;
  /** Default: true. */
  enabled?: boolean | undefined;
};

/**
 * Members that are left out stay; `settings` are replaced as a whole. `version`: the `updatedAt` that the edit was made
 * from.
 */
export type SignInProviderEdit = { id: string; version?: number | undefined } & {
  [Member in "name" | "issuer" | "clientId" | "secret" | "settings" | "position"]?:
    | SignInProviderDraft[Member]
    | undefined;
};

type Viewing = Pick<OperationDeps, "db" | "reads" | "seal" | "config">;

/** All providers, in the order of their buttons. */
export async function listSignInProviders(deps: Viewing): Promise<SignInProviderView[]> {
  return viewed(await listRows(deps.db), deps);
}

/** One provider. Throws `not_found`. */
export async function getSignInProvider(id: string, deps: Viewing): Promise<SignInProviderView> {
  const [found] = await viewed([existing(await listRows(deps.db), id)], deps);
  if (!found) throw missing(id);
  return found;
}

async function viewed(rows: readonly SignInProvider[], deps: Viewing): Promise<SignInProviderView[]> {
  const ids = rows.map(({ id }) => id);
  const managed = await managedViews("sign_in_provider", ids, deps);
  const [users, tested] = await Promise.all([
    Promise.all(ids.map((id) => countIdentities(deps.reads, id))),
    Promise.all(ids.map((id) => wasTested(id, deps))),
  ]);
  return rows.map((row, at) => {
    const known = { managed: managed.get(row.id) ?? null, tested: tested[at] ?? false };
    return providerView(row, { users: 0, more: false, ...users[at], ...known }, deps);
  });
}

/**
 * Adds a provider, behind the others unless a position is given. Throws `invalid`, `forbidden`,
 * `stale_sign_in` and `conflict`.
 */
export async function createSignInProvider(
  draft: SignInProviderDraft,
  actor: Author,
  deps: Part,
): Promise<SignInProviderView> {
  assertMayConfigure(actor, deps.now());
  const others = await listRows(deps.db);
  const plan = { ...draft, settings: normalised(draft.settings) };
  assertNoProblems([...settingsProblems(draft.settings), ...providerProblems(plan, others, deps)]);
  const { id, preset, issuer, clientId, secret, settings } = plan;
  const { name = PRESETS[preset].name, position = Math.max(-1, ...others.map((other) => other.position)) + 1 } = draft;
  const at = deps.now();
  const { enabled = true } = draft;
  const row = { id, preset, issuer, clientId, settings, name, position, enabled, createdAt: at, updatedAt: at };
  const entry = {
    action: "sign_in_provider.create" as const,
    object: id,
    objectName: name,
    detail: { preset, name, issuer, clientId, settings, ...(!enabled && { enabled }) },
  };
  const insert = signInProviderInsert(deps.db, { ...row, secret: sealed(id, secret, deps) });
  if (!(await deps.db.guarded(insert, [auditWrite(actor, entry, deps)])))
    throw new DomainError("conflict", `There is already a provider ${id}. Choose another id.`, [
      { path: "id", message: "is taken" },
    ]);
  return getSignInProvider(id, deps);
}

/**
 * Changes a provider. Another issuer needs the secret again. Throws `invalid`, `forbidden`, `stale_sign_in`,
 * `not_found`, and `conflict` if it was changed since `version` (CO-45), or while this runs.
 */
export async function updateSignInProvider(
  { id, version, ...edit }: SignInProviderEdit,
  actor: Author,
  deps: Part,
): Promise<SignInProviderView> {
  assertMayConfigure(actor, deps.now());
  const rows = await listRows(deps.db);
  const before = existing(rows, id);
  if (version !== undefined && version !== before.updatedAt) throw await conflictWith(before, deps);
  const settings = edit.settings === undefined ? before.settings : normalised(edit.settings);
  const {
    issuer = before.issuer,
    clientId = before.clientId,
    name = before.name,
    position = before.position,
    secret,
  } = edit;
  const plan: ProviderPlan = { id, preset: before.preset, issuer, clientId, settings, secret };
  assertNoProblems([
    ...settingsProblems(edit.settings ?? {}),
    ...redirectedSecretProblems(before, plan),
    ...providerProblems(plan, rows, deps),
  ]);
  const change: SignInProviderChange = { issuer, clientId, settings, name, position };
  const edited = changedFields(before, change);
  // The secret is not in any file, so a new one needs no unlocking.
  if (Object.keys(edited).length > 0) await assertUnlocked("sign_in_provider", id, actor, deps);
  const changes = { ...edited, ...(secret !== undefined && { secret: { before: null, after: "changed" } }) };
  if (Object.keys(changes).length === 0) return getSignInProvider(id, deps);
  const written = secret === undefined ? change : { ...change, secret: sealed(id, secret, deps) };
  await write(
    { id, version: before.updatedAt },
    written,
    { action: "sign_in_provider.update", objectName: name, detail: { changes } },
    actor,
    deps,
  );
  return getSignInProvider(id, deps);
}

/**
 * Switches a provider off or on. Its users cannot sign in with it while it is off. Throws `forbidden`, `stale_sign_in`
 * and `not_found`.
 */
export async function setSignInProviderEnabled(
  { id, enabled }: { id: string; enabled: boolean },
  actor: Author,
  deps: Part,
): Promise<SignInProviderView> {
  assertMayConfigure(actor, deps.now());
  const before = existing(await listRows(deps.db), id);
  const action = enabled ? "sign_in_provider.enable" : "sign_in_provider.disable";
  if (before.enabled === enabled) return getSignInProvider(id, deps);
  await assertUnlocked("sign_in_provider", id, actor, deps);
  await write({ id }, { enabled }, { action, objectName: before.name }, actor, deps);
  return getSignInProvider(id, deps);
}

/**
 * Deletes a provider with the connections of its users, who keep their accounts. Throws `conflict` while it is enabled,
 * so that nobody loses a way in by one click, `forbidden`, `stale_sign_in` and `not_found`.
 */
export async function removeSignInProvider(id: string, actor: Author, deps: Part): Promise<void> {
  assertMayConfigure(actor, deps.now());
  const before = existing(await listRows(deps.db), id);
  await assertUnlocked("sign_in_provider", id, actor, deps);
  if (before.enabled)
    throw new DomainError("conflict", `Switch ${before.name} off first: its users cannot sign in with it afterwards.`);
  const entry = {
    action: "sign_in_provider.remove" as const,
    object: id,
    objectName: before.name,
    detail: { preset: before.preset, name: before.name },
  };
  const [first, ...rest] = signInProviderDelete(deps.db, id);
  if (!(await deps.db.guarded(first, [...rest, auditWrite(actor, entry, deps)]))) throw missing(id);
}

async function write(
  { id, version }: Pick<SignInProviderEdit, "id" | "version">,
  change: SignInProviderChange,
  entry: Pick<AuditEntry, "action" | "objectName" | "detail">,
  actor: Author,
  deps: Part,
): Promise<void> {
  const update = signInProviderUpdate(deps.db, { id, version, now: deps.now() }, change);
  if (!(await deps.db.guarded(update, [auditWrite(actor, { ...entry, object: id }, deps)])))
    throw await conflictWith(existing(await listRows(deps.db), id), deps);
}

/** What the form has, setting by setting, so that each can be chosen. The secret is never read back. */
function conflictWith(
  { id, name, issuer, clientId, settings, updatedAt: version }: SignInProvider,
  deps: Part,
): Promise<DomainError> {
  return changedMeanwhile({ object: id, theirs: { name, issuer, clientId, ...settings }, version }, deps);
}

/** UP-01: only admins, and only soon after signing in: a provider can let anybody in. */
function assertMayConfigure(actor: Author, now: number): void {
  if (actor.role !== "admin") throw new DomainError("forbidden", "Only admins can change sign-in providers.");
  assertFresh(actor, now);
}

function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalid(problems);
}

/** The settings as they are stored: domains in the form in which they are compared. */
export function normalised(settings: ProviderSettings): ProviderSettings {
  if (settings.domains === undefined) return settings;
  return { ...settings, domains: [...new Set(settings.domains.map((domain) => normaliseDomain(domain) ?? domain))] };
}

function sealed(id: string, secret: string | null, { seal }: Pick<Part, "seal">): string | null {
  return secret === null ? null : seal.seal(secretPurpose(id), secret);
}

function existing(rows: readonly SignInProvider[], id: string): SignInProvider {
  const row = rows.find((one) => one.id === id);
  if (!row) throw missing(id);
  return row;
}

function missing(id: string): DomainError {
  return new DomainError("not_found", `There is no sign-in provider ${id}.`);
}
