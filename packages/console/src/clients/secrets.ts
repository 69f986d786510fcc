import { isConfidential, mintId, mintSecret, secretHint, sha256 } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { type Actor, type Author, assertFresh } from "../permissions.ts";
import { assertMayExtend } from "../resources/attached.ts";
import { usedRecently } from "../secrets/rotation.ts";
import { clientWrite, type NamedClient } from "./audit.ts";
import type { ClientRow } from "./queries.ts";
import {
  type ClientSecretRow,
  cancelClientSecretEnd,
  endClientSecret,
  insertAnotherSecret,
  insertClientSecret,
  listClientSecrets,
  setClientSecrets,
} from "./secret-queries.ts";
import { isLiveSecret, managedClient } from "./view.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random">;
const MAX_LIVE = 2;

async function liveSecrets(
  clientId: string,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): Promise<ClientSecretRow[]> {
  return (await listClientSecrets(db, [clientId])).filter((secret) => isLiveSecret(secret, now()));
}

/** A client whose secrets the actor may change. */
async function confidentialClient(
  clientId: string,
  actor: Actor,
  { db }: Pick<OperationDeps, "db">,
): Promise<ClientRow> {
  const client = await managedClient(clientId, actor, db);
  if (!isConfidential(client))
    throw new DomainError(
      "conflict",
      `A ${client.type} client is public: it cannot keep a secret and has only its client id.`,
    );
  if (client.options.authentication === "private_key_jwt")
    throw new DomainError(
      "conflict",
      "This client authenticates with its own keys (private_key_jwt) and has no secret.",
    );
  return client;
}

/** Generates a secret for a confidential client. Returns the plain text, which is not stored. */
export async function mintClientSecret(
  client: NamedClient,
  author: Author,
  deps: Part,
): Promise<{ secret: string; secretId: string }> {
  const { secret, row } = newSecret(client.id, deps);
  await insertClientSecret(deps.db, row, [addition(client, row.hint, author, deps)]);
  return { secret, secretId: row.id };
}

function newSecret(clientId: string, { now, random }: Pick<Part, "now" | "random">) {
  const { secret, hash } = mintSecret("clientSecret", random);
  return { secret, row: { id: mintId(random), clientId, hash, hint: secretHint(secret), createdAt: now() } };
}

/** The audit row of an added secret: its last four characters, as the console shows them. */
const addition = (client: NamedClient, hint: string, author: Author, deps: Part, detail = {}) =>
  clientWrite(author, client, { action: "client_secret.add", detail: { secret: `…${hint}`, ...detail } }, deps);

/** `expiresInSeconds`: when the older one ends. `confirmHint`: as in {@link SecretRetirement}, for the older one. */
export type SecretAddition = {
  clientId: string;
  expiresInSeconds?: number | undefined;
  confirmHint?: string | undefined;
};

/**
 * Adds a second secret, so that a client can switch to it without downtime. Throws `conflict` when the client already
 * has two active secrets, is public, or the older one would end without a confirmation, and `stale_sign_in` in
 * production. CO-31, CO-33, CO-88.
 */
export async function addSecret(
  { clientId, expiresInSeconds, confirmHint }: SecretAddition,
  author: Author,
  deps: Part,
): Promise<{ secret: string; secretId: string }> {
  const client = await confidentialClient(clientId, author, deps);
  assertFreshIn(client, author, deps);
  await assertMayExtend(client, author, deps);
  const { secret, row } = newSecret(clientId, deps);
  const now = deps.now();
  const endOthersAt = expiresInSeconds === undefined ? undefined : now + expiresInSeconds;
  if (endOthersAt !== undefined)
    for (const older of await liveSecrets(clientId, deps))
      assertTyped({ ending: older, endsAt: endOthersAt, confirmHint }, author, now);
  const also = [
    addition(client, row.hint, author, deps, endOthersAt === undefined ? {} : { others_end_at: endOthersAt }),
  ];
  if (await insertAnotherSecret(deps.db, row, { most: MAX_LIVE, endOthersAt, now }, also))
    return { secret, secretId: row.id };
  throw new DomainError(
    "conflict",
    "This client already has two active secrets. Retire the one that is no longer used, then add a new one.",
  );
}

/** `expiresInSeconds`: how long it still works; not at all if left out or 0. */
export type SecretRetirement = {
  clientId: string;
  secretId: string;
  expiresInSeconds?: number | undefined;
  /** Required where no other active secret without an end stays on an enabled client, which then stops working. */
  confirmLast: boolean;
  /**
   * The last four characters, which the console asks for before it ends a secret within the hour that was used in the
   * last 24 hours.
   */
  confirmHint?: string | undefined;
};

/**
 * Retires a secret, now or later. Throws `not_found` when it is not live, `conflict` without a confirmation or when
 * somebody else changed its end, `forbidden`, and `stale_sign_in` in production. CO-33, CO-88.
 */
export async function retireSecret(retirement: SecretRetirement, author: Author, deps: Part): Promise<void> {
  const { clientId, secretId, expiresInSeconds = 0, confirmLast, confirmHint } = retirement;
  const client = await confidentialClient(clientId, author, deps);
  assertFreshIn(client, author, deps);
  const retired = await liveSecret({ clientId, secretId }, deps);
  const now = deps.now();
  const endsAt = now + expiresInSeconds;
  if (retired.expiresAt !== null && endsAt > retired.expiresAt) await assertMayExtend(client, author, deps);
  assertTyped({ ending: retired, endsAt, confirmHint }, author, now);
  const detail = { secret: `…${retired.hint}`, ...(endsAt > now && { ends_at: endsAt }) };
  const also = [clientWrite(author, client, { action: "client_secret.retire", detail }, deps)];
  const seen = { clientId, secretId, endsAt: retired.expiresAt };
  const end = { needsAnother: !confirmLast, now, ...(endsAt > now && { at: endsAt }) };
  if (await endClientSecret(deps.db, seen, end, also)) return;
  if ((await liveSecret({ clientId, secretId }, deps)).expiresAt !== retired.expiresAt) throw moved();
  throw new DomainError(
    "conflict",
    "No other active secret of this client is without an end, so the client will stop working. Add a new one first, or confirm.",
  );
}

const HOUR = 3_600;

/** A person who ends a secret within the hour that was used within 24 hours types its last four characters. CO-33. */
function assertTyped(
  { ending, endsAt, confirmHint }: { ending: ClientSecretRow; endsAt: number; confirmHint: string | undefined },
  { via }: Author,
  now: number,
): void {
  // A program names the secret by its id, so only people can pick the wrong row.
  const typed = via !== "console" || ending.hint === "" || confirmHint === ending.hint;
  if (typed || endsAt - now >= HOUR || !usedRecently(ending.lastUsedAt, now)) return;
  throw new DomainError(
    "conflict",
    "The secret was used in the last 24 hours. Type its last four characters to end it within an hour.",
  );
}

/**
 * Cancels the end of a live secret, so that it works until it is retired. Throws `not_found` when it is not live,
 * `conflict` when no end is set or somebody else changed it, `forbidden`, and `stale_sign_in` in production. CO-33,
 * CO-88.
 */
export async function keepSecret(
  { clientId, secretId }: { clientId: string; secretId: string },
  author: Author,
  deps: Part,
): Promise<void> {
  const client = await confidentialClient(clientId, author, deps);
  assertFreshIn(client, author, deps);
  await assertMayExtend(client, author, deps);
  const kept = await liveSecret({ clientId, secretId }, deps);
  if (kept.expiresAt === null) throw new DomainError("conflict", "No end is set for this secret.");
  const entry = { action: "client_secret.keep" as const, detail: { secret: `…${kept.hint}`, ends_at: kept.expiresAt } };
  const seen = { clientId, secretId, endsAt: kept.expiresAt };
  if (await cancelClientSecretEnd(deps.db, seen, deps.now(), [clientWrite(author, client, entry, deps)])) return;
  await liveSecret({ clientId, secretId }, deps);
  throw moved();
}

/** Throws `not_found` for one that is not live. */
async function liveSecret(
  of: { clientId: string; secretId: string },
  deps: Pick<OperationDeps, "db" | "now">,
): Promise<ClientSecretRow> {
  const found = (await liveSecrets(of.clientId, deps)).find(({ id }) => id === of.secretId);
  if (!found) throw missing();
  return found;
}

const moved = () =>
  new DomainError("conflict", "Somebody else has changed the end of this secret. Reload the page, then decide again.");

/** Secrets of production change only after a fresh sign-in. CO-88. */
function assertFreshIn({ environment }: ClientRow, author: Author, { now }: Pick<Part, "now">): void {
  if (environment === "production") assertFresh(author, now());
}

const missing = () => new DomainError("not_found", "There is no such active secret.");

/**
 * The state of a declared secret: active · not there yet · retired or expired · not there, and two others are active.
 */
export type SecretStatus = "live" | "absent" | "ended" | "no_room";

export async function secretStatus(
  clientId: string,
  secret: string,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): Promise<SecretStatus> {
  const secrets = await listClientSecrets(db, [clientId]);
  const same = secrets.filter(({ hash }) => hash === sha256(secret));
  if (same.some((one) => isLiveSecret(one, now()))) return "live";
  if (same.length > 0) return "ended";
  return secrets.filter((one) => isLiveSecret(one, now())).length >= MAX_LIVE ? "no_room" : "absent";
}

/** Adds a given secret unless it is active already; concurrent calls add it once. Returns whether it was added. */
export async function ensureSecret(client: NamedClient, secret: string, author: Author, deps: Part): Promise<boolean> {
  if ((await secretStatus(client.id, secret, deps)) === "live") return false;
  const row = chosenSecret(client.id, secret, deps.now());
  return insertClientSecret(deps.db, row, [addition(client, row.hint, author, deps)]);
}

/**
 * Makes these secrets the client's only active ones, even those that were retired before. Safe when several processes
 * do it at once.
 */
export async function enforceSecrets(
  clientId: string,
  secrets: readonly string[],
  deps: Pick<OperationDeps, "db" | "now">,
): Promise<void> {
  const rows = secrets.map((secret) => chosenSecret(clientId, secret, deps.now()));
  const live = (await liveSecrets(clientId, deps)).map(({ id }) => id);
  const isSet = live.length === rows.length && rows.every(({ id }) => live.includes(id));
  if (!isSet) await setClientSecrets(deps.db, clientId, rows, deps.now());
}

/** The id is derived from the secret, so that concurrent inserts collide on the primary key. */
function chosenSecret(clientId: string, secret: string, createdAt: number) {
  const hash = sha256(secret);
  const id = sha256(`${clientId} ${hash}`).slice(0, 22);
  return { id, clientId, hash, hint: secretHint(secret), createdAt };
}
