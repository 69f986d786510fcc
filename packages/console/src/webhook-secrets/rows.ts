import { mintTimeOrderedId, secretHint, sha256 } from "@gatehouse/auth";
import { WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db/stores/webhooks/store";
import type { SecretKind } from "@gatehouse/webhooks";
import type { OperationDeps } from "../deps.ts";
import type { WebhookSecretChange, WebhookSecretRow, WebhookSecretWrite } from "./queries.ts";

/** A secret to be set. Fields that are left out do not change; an `endsAt` of null removes the end. Unix seconds. */
export type SecretDraft = { secret: string; name?: string | undefined; endsAt?: number | null | undefined };

/** Enough for any rotation; a delivery may be checked against each. */
export const MAX_WEBHOOK_SECRETS = 10;

/** What a planned write does to the secret. `replaced`: it could not be decrypted. */
export type SecretEffect = "added" | "replaced" | "changed" | "none";

/** The write that makes this secret match the draft, given the existing rows of its endpoint. */
export function planSecret(
  { secret, name, endsAt }: SecretDraft,
  { endpoint, kind }: { endpoint: string; kind: SecretKind },
  rows: readonly WebhookSecretRow[],
  { now, random, seal }: Pick<OperationDeps, "now" | "random" | "seal">,
): { write: WebhookSecretWrite; effect: SecretEffect } {
  const value = secret.trim();
  const hash = sha256(value);
  const row = rows.find((one) => one.hash === hash);
  const sealed = row && isReadable(row, seal) ? row.sealed : seal.seal(WEBHOOK_SECRET_PURPOSE, value);
  const fresh = {
    id: mintTimeOrderedId({ now, random }),
    endpoint,
    kind,
    hash,
    hint: secretHint(value),
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

function effectOf(row: WebhookSecretRow | undefined, change: WebhookSecretChange, now: number): SecretEffect {
  if (!row) return "added";
  if (Object.keys(change).length === 0) return "none";
  if (!isActiveSecret(row, now) && isActiveSecret({ ...row, ...change }, now)) return "added";
  return change.sealed === undefined ? "changed" : "replaced";
}

function differences(row: WebhookSecretRow, after: Required<WebhookSecretChange>): WebhookSecretChange {
  return Object.fromEntries(Object.entries(after).filter(([field, value]) => Reflect.get(row, field) !== value));
}

export function isActiveSecret(
  { removedAt, expiresAt }: Pick<WebhookSecretRow, "removedAt" | "expiresAt">,
  now: number,
): boolean {
  return removedAt === null && (expiresAt === null || expiresAt > now);
}

/** False if it was encrypted with another GATEHOUSE_SECRET. */
export function isReadable(
  { sealed }: Pick<WebhookSecretRow, "sealed">,
  seal: Pick<OperationDeps["seal"], "open">,
): boolean {
  return seal.open(WEBHOOK_SECRET_PURPOSE, sealed) !== undefined;
}
