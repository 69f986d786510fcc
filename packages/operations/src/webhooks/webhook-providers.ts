import { mintId, sha256 } from "@gatehouse/auth";
import {
  findProviderSwitch,
  listWebhookSecrets,
  WEBHOOK_SECRET_PURPOSE,
  type WebhookSecretChange,
  type WebhookSecretRow,
  type WebhookSecretWrite,
  writeProvider,
} from "@gatehouse/db";
import { isProvider, PROVIDERS } from "@gatehouse/webhooks";
import type { OperationDeps } from "../deps.ts";
import { invalid, type Problem } from "../domain-error.ts";

type Part = Pick<OperationDeps, "handle" | "now" | "random" | "seal">;

/** A signing secret to be set. Fields that are left out do not change; an `endsAt` of null removes the end. Unix seconds. */
export type WebhookSecretDraft = { secret: string; name?: string | undefined; endsAt?: number | null | undefined };

/** `secrets` replaces all secrets of the provider. Fields that are left out do not change. */
export type ProviderDraft = { provider: string; secrets?: WebhookSecretDraft[] | undefined; enabled?: boolean | undefined };

/** Enough for any rotation; a delivery may be checked against each. */
export const MAX_WEBHOOK_SECRETS = 10;

/** Every problem with a provider's settings; empty if they are valid. */
export function providerProblems({ provider, secrets = [] }: ProviderDraft): Problem[] {
  if (!isProvider(provider)) return unknownProvider();
  const values = secrets.map(({ secret }) => secret.trim());
  return values.flatMap((value, at) => {
    const [problem] = webhookSecretProblems(provider, value);
    if (problem) return [{ ...problem, path: `secrets.${at}` }];
    return values.indexOf(value) < at ? [{ path: `secrets.${at}`, message: "is listed twice" }] : [];
  });
}

/** Every problem with a signing secret of this provider. Surrounding white space is ignored. */
export function webhookSecretProblems(provider: string, secret: string): Problem[] {
  if (!isProvider(provider)) return unknownProvider();
  const { name, keysOf } = PROVIDERS[provider];
  const value = secret.trim();
  const problem = (message: string) => [{ path: "secret", message }];
  if (value === "") return problem(`is empty. Paste the signing secret as ${name} shows it`);
  if (/\s/.test(value)) return problem(`contains white space. Paste the signing secret as ${name} shows it`);
  return keysOf(value, {}).length > 0 ? [] : problem(`is not a signing secret of ${name}`);
}

function unknownProvider(): Problem[] {
  return [{ path: "provider", message: `is not a known provider. Known providers: ${Object.keys(PROVIDERS).join(", ")}` }];
}

/** The listed secrets that an admin has ended. Listing them again does not make them valid, unless the file sets `ends_at`. */
export async function endedSecretProblems(
  { provider, secrets = [] }: ProviderDraft,
  { handle, now }: Pick<Part, "handle" | "now">,
): Promise<Problem[]> {
  const rows = await listWebhookSecrets(handle, provider);
  return secrets.flatMap(({ secret, endsAt }, at) => {
    const ended = rows.find(({ hash }) => hash === sha256(secret.trim()))?.expiresAt ?? null;
    if (endsAt !== undefined || ended === null || ended > now()) return [];
    const when = new Date(ended * 1000).toISOString();
    return [{ path: `secrets.${at}`, message: `ended at ${when}. Remove it, or set "ends_at": null to make it valid again` }];
  });
}

export type ConfiguredProvider = {
  created: boolean;
  switched: boolean;
  /** How many secrets are newly valid · replace one that could not be decrypted · changed name or end · ended. */
  secrets: { added: number; replaced: number; changed: number; ended: number };
};

/** Changes a provider to match the draft, atomically. Returns what changed. Throws `invalid` with every problem. */
export async function configureProvider(draft: ProviderDraft, deps: Part): Promise<ConfiguredProvider> {
  const problems = [...providerProblems(draft), ...(await endedSecretProblems(draft, deps))];
  if (problems.length > 0) throw invalid(problems);
  const { provider, enabled } = draft;
  const now = deps.now();

  const known = await findProviderSwitch(deps.handle, provider);
  const rows = await listWebhookSecrets(deps.handle, provider);
  const plans = (draft.secrets ?? []).map((secret) => planSecret(secret, provider, rows, deps));
  const keep = draft.secrets && plans.map(({ write }) => write.row.hash);
  const ended = keep ? rows.filter((row) => isActiveSecret(row, now) && !keep.includes(row.hash)).length : 0;

  const writes = plans.filter(({ effect }) => effect !== "none").map(({ write }) => write);
  const switched = known !== undefined && enabled !== undefined && (known.disabledAt === null) !== enabled;
  if (!known || switched || writes.length > 0 || ended > 0)
    await writeProvider(deps.handle, { provider, enabled, secrets: writes, keep }, now);

  const count = (effect: Effect) => plans.filter((plan) => plan.effect === effect).length;
  return {
    created: !known,
    switched,
    secrets: { added: count("added"), replaced: count("replaced"), changed: count("changed"), ended },
  };
}

type Effect = "added" | "replaced" | "changed" | "none";

/** The write that makes this secret match the draft, given the existing rows. */
export function planSecret(
  { secret, name, endsAt }: WebhookSecretDraft,
  provider: string,
  rows: readonly WebhookSecretRow[],
  { now, random, seal }: Pick<Part, "now" | "random" | "seal">,
): { write: WebhookSecretWrite; effect: Effect } {
  const value = secret.trim();
  const hash = sha256(value);
  const row = rows.find((one) => one.hash === hash);
  const sealed = row && isReadable(row, seal) ? row.sealed : seal.seal(WEBHOOK_SECRET_PURPOSE, value);
  const fresh = {
    id: mintId(random),
    endpoint: provider,
    kind: "signing" as const,
    hash,
    hint: value.slice(-4),
    createdAt: now(),
    lastMatchedAt: null,
  };
  const after = {
    sealed,
    name: name ?? row?.name ?? null,
    expiresAt: endsAt === undefined ? (row?.expiresAt ?? null) : endsAt,
    removedAt: null,
  };
  const change = row ? differences(row, after) : after;
  return { write: { row: { ...fresh, ...after }, change }, effect: effectOf(row, change, now()) };
}

function effectOf(row: WebhookSecretRow | undefined, change: WebhookSecretChange, now: number): Effect {
  if (!row) return "added";
  if (Object.keys(change).length === 0) return "none";
  if (!isActiveSecret(row, now) && isActiveSecret({ ...row, ...change }, now)) return "added";
  return change.sealed === undefined ? "changed" : "replaced";
}

function differences(row: WebhookSecretRow, after: Required<WebhookSecretChange>): WebhookSecretChange {
  return Object.fromEntries(Object.entries(after).filter(([field, value]) => Reflect.get(row, field) !== value));
}

export function isActiveSecret({ removedAt, expiresAt }: Pick<WebhookSecretRow, "removedAt" | "expiresAt">, now: number): boolean {
  return removedAt === null && (expiresAt === null || expiresAt > now);
}

/** False if it was encrypted with another GATEHOUSE_SECRET. */
export function isReadable({ sealed }: Pick<WebhookSecretRow, "sealed">, seal: Pick<OperationDeps["seal"], "open">): boolean {
  return seal.open(WEBHOOK_SECRET_PURPOSE, sealed) !== undefined;
}
