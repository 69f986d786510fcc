import { keyIdOfSealed, type SigningKey, unreadableKeys } from "@gatehouse/auth";
import { auditWrite } from "@gatehouse/console/audit/entry";
import { beginAuditSegment } from "@gatehouse/console/audit/sealer";
import type { OperationDeps } from "@gatehouse/console/deps";
import { DomainError } from "@gatehouse/console/domain-error";
import type { Author } from "@gatehouse/console/permissions";
import { listWebhookSecrets, type WebhookSecretView } from "@gatehouse/console/webhook-secrets/webhook-secrets";
import type { Database } from "@gatehouse/db/database";
import { factReplacement, insertFact, readFact } from "@gatehouse/db/facts";
import { COMMAND } from "@gatehouse/runtime/distribution";
import { forgettingWrites, missingKeys, registerKey } from "./seal/key-registry.ts";

type Part = Pick<OperationDeps, "db" | "store" | "seal" | "now">;
type Accepting = Part & Pick<OperationDeps, "random">;

/** Keys and secrets in use that the current GATEHOUSE_SECRET cannot decrypt. */
export type Unreadable = {
  signingKeys: Pick<SigningKey, "kid" | "algorithm">[];
  webhookSecrets: Pick<WebhookSecretView, "id" | "provider" | "name" | "hint">[];
};

/** The database was encrypted with another GATEHOUSE_SECRET, so nothing may be written with this one. OP-14. */
export class AnotherSecretError extends Error {
  override readonly name = "AnotherSecretError";
  /** EX_CONFIG of sysexits.h. */
  readonly exitCode = 78;

  constructor(unreadable: Unreadable = { signingKeys: [], webhookSecrets: [] }) {
    super(
      `The database was encrypted with another GATEHOUSE_SECRET; ${inWords(unreadable)} cannot be decrypted with this one. ` +
        'To go back, set GATEHOUSE_SECRET to the earlier value (a generated one is in the file "secret" of the data directory). ' +
        `To continue with this one, run: ${COMMAND} secret accept-new`,
    );
  }
}

/** The database has values that were sealed with a secret that this process does not have. OP-15. */
export class MissingSecretError extends Error {
  override readonly name = "MissingSecretError";
  /** EX_CONFIG of sysexits.h. */
  readonly exitCode = 78;

  constructor(keyIds: readonly string[]) {
    super(
      `The database needs ${keyIds.length === 1 ? "another secret" : "other secrets"} as well, with the key id ${keyIds.join(", ")}. ` +
        `Add the earlier value to GATEHOUSE_SECRET_PREVIOUS, and run: ${COMMAND} seal rewrap. Then it can be removed. ` +
        `If it is lost, and with it what it sealed, run: ${COMMAND} secret accept-new`,
    );
  }
}

/** A value that only the secret of this database decrypts. */
const CANARY = "seal canary";

/**
 * Throws {@link AnotherSecretError} when the canary does not open. Comes before the migrations, so that a server with
 * the wrong secret or the wrong database changes nothing; a database without a canary passes. OP-14.
 */
export async function assertSecretUnchanged(database: Pick<Database, "schema">, deps: Part): Promise<void> {
  const { kind } = await database.schema();
  if (kind === "empty") return;
  // An older schema may lack what `findUnreadable` reads
  if ((await sealedWith(deps)) === "another")
    throw new AnotherSecretError(kind === "older" ? undefined : await findUnreadable(deps));
  await assertNoKeyMissing(deps);
}

/**
 * Throws {@link AnotherSecretError} when the database was encrypted with another secret. An empty database takes this
 * one. A database from before the canary belongs to another secret if this one decrypts none of its values. OP-14.
 */
export async function assertSecretInForce(deps: Part): Promise<void> {
  if ((await readFact(deps.db, CANARY)) === undefined) {
    if (await isSealedByAnother(deps)) throw new AnotherSecretError(await findUnreadable(deps));
    await insertFact(deps.db, CANARY, newCanary(deps));
  }
  if ((await sealedWith(deps)) !== "this") throw new AnotherSecretError(await findUnreadable(deps));
  await assertNoKeyMissing(deps);
  await registerKey(deps);
}

async function assertNoKeyMissing(deps: Pick<Part, "db" | "seal">): Promise<void> {
  const missing = await missingKeys(deps);
  if (missing.length > 0) throw new MissingSecretError(missing);
}

/** True if one of this process's secrets decrypts the canary, and no row needs another one. */
export async function isSecretInForce(deps: Pick<Part, "db" | "seal">): Promise<boolean> {
  return (await sealedWith(deps)) === "this" && (await missingKeys(deps)).length === 0;
}

/** Seals the canary with the current secret. OP-15. */
export async function rewrapCanary({ db, seal }: Pick<Part, "db" | "seal">): Promise<void> {
  const from = await readFact(db, CANARY);
  if (from === undefined || keyIdOfSealed(from) === seal.keys[0].id) return;
  await db.transaction([factReplacement(db, CANARY, { from, to: newCanary({ seal }) })]);
}

/** Whether a database, or a backup, is encrypted with this secret; unknown if it is older than the canary. */
export async function sealedWith({ db, seal }: Pick<Part, "db" | "seal">): Promise<"this" | "another" | "unknown"> {
  const canary = await readFact(db, CANARY);
  if (canary === undefined) return "unknown";
  return seal.open(CANARY, canary) === CANARY ? "this" : "another";
}

/**
 * Makes this secret the database's secret, with a row of the audit log, which continues in a new segment.
 * `continueAuditLog`: also if only the audit log ends under another secret. Values encrypted with the earlier secret
 * stay, unreadable: the next start replaces signing keys, and users have to enter webhook secrets again. Returns those
 * values, and whether anything changed.
 */
export async function acceptSecret(
  { continueAuditLog = false }: { continueAuditLog?: boolean | undefined },
  author: Author,
  deps: Accepting,
): Promise<{ accepted: boolean; unreadable: Unreadable }> {
  const unreadable = await findUnreadable(deps);
  if (await isSecretInForce(deps))
    return { accepted: continueAuditLog && (await beginAuditSegment(author, [], deps)), unreadable };
  await insertFact(deps.db, CANARY, "");
  const from = (await readFact(deps.db, CANARY)) ?? "";
  const canary = factReplacement(deps.db, CANARY, { from, to: newCanary(deps) });
  const giveUp = forgettingWrites(deps.db, await missingKeys(deps));
  if (await beginAuditSegment(author, [canary, ...giveUp], deps)) return { accepted: true, unreadable };
  const row = auditWrite(author, { action: "secret.accept", object: "secret", objectName: "GATEHOUSE_SECRET" }, deps);
  if (!(await deps.db.guarded(canary, [row, ...giveUp])))
    throw new DomainError("conflict", "Another process has just changed the secret of the database. Run this again.");
  return { accepted: true, unreadable };
}

/** The keys and secrets in use that cannot be decrypted; those that have ended are left out. */
export async function findUnreadable(deps: Part): Promise<Unreadable> {
  const keys = await unreadableKeys(deps);
  const secrets = (await listWebhookSecrets({}, deps)).filter(({ state }) => state === "unreadable");
  return {
    signingKeys: keys.map(({ kid, algorithm }) => ({ kid, algorithm })),
    webhookSecrets: secrets.map(({ id, provider, name, hint }) => ({ id, provider, name, hint })),
  };
}

async function isSealedByAnother(deps: Part): Promise<boolean> {
  const { signingKeys, webhookSecrets } = await findUnreadable(deps);
  const unreadable = signingKeys.length + webhookSecrets.length;
  const keys = (await deps.store.listSigningKeys()).filter(({ retiredAt }) => retiredAt === null);
  const secrets = (await listWebhookSecrets({}, deps)).filter(({ state }) => state !== "ended");
  return unreadable > 0 && unreadable === keys.length + secrets.length;
}

function newCanary({ seal }: Pick<Part, "seal">): string {
  return seal.seal(CANARY, CANARY);
}

/** "3 signing keys (…) and 1 webhook secret (stripe …6789)". */
function inWords({ signingKeys, webhookSecrets }: Unreadable): string {
  const parts = [
    counted(
      "signing key",
      signingKeys.map(({ algorithm }) => algorithm),
    ),
    counted(
      "webhook secret",
      webhookSecrets.map(({ provider, name, hint }) => `${provider} ${name ?? `…${hint}`}`),
    ),
  ];
  return parts.filter((part) => part !== "").join(" and ") || "what it contains";
}

function counted(what: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${names.length} ${what}${names.length === 1 ? "" : "s"} (${names.join(", ")})`;
}
