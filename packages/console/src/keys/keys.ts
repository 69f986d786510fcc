import {
  ensureKeys,
  KEY_LIFETIME,
  replaceKey,
  rotateKey,
  type SigningAlgorithm,
  type SigningKey,
} from "@gatehouse/auth";
import { saveSigningKey } from "@gatehouse/db/stores/auth/signing-keys";
import { auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import type { Author } from "../permissions.ts";

/** `next` is published and does not sign yet; `previous` no longer signs and is still published. */
export type KeyState = "next" | "current" | "previous";

/** A published signing key and its times, in Unix seconds. */
export type KeyView = {
  kid: string;
  algorithm: SigningAlgorithm;
  state: KeyState;
  publishedAt: number;
  signsFrom: number;
  /** When another key takes over. */
  signsUntil: number;
  /** When it leaves the key set: what it signed is no longer valid. */
  goneAt: number;
  /** Whether the last two follow from the schedule and can still move. */
  planned: boolean;
};

/** `ahead` signs a day later, `now` at once, and `distrust` at once without any of the earlier keys. */
export type Rotation = { algorithm: SigningAlgorithm; mode: "ahead" | "now" | "distrust" };

/** Every published key, newest first, and the time at which their states hold. CO-60. */
export async function listKeys({
  store,
  now,
}: Pick<OperationDeps, "store" | "now">): Promise<{ now: number; keys: KeyView[] }> {
  const at = now();
  const stored = await store.listSigningKeys();
  const published = stored.filter(({ removeAfter }) => removeAfter === null || removeAfter > at);
  return {
    now: at,
    keys: published.map((key) => viewOf(key, published, at)).sort((one, other) => other.signsFrom - one.signsFrom),
  };
}

/**
 * Rotates the key of one algorithm, and writes an audit row in the same transaction. `ahead` changes nothing if the
 * next key is published already. Other processes load the new key within a minute.
 */
export async function rotateKeys({ algorithm, mode }: Rotation, author: Author, deps: OperationDeps): Promise<void> {
  await ensureKeys([algorithm], deps);
  const save = (key: SigningKey, withdrawn: readonly string[]) => {
    const entry = {
      action: mode === "distrust" ? ("signing_key.distrust" as const) : ("signing_key.rotate" as const),
      object: key.kid,
      objectName: `${algorithm} · ${key.kid}`,
      detail: { algorithm, signsFrom: key.activeFrom, ...(withdrawn.length > 0 && { withdrawn }) },
    };
    return saveSigningKey(deps.db, key, withdrawn, [auditWrite(author, entry, deps)]);
  };
  await (mode === "distrust" ? replaceKey(algorithm, deps, save) : rotateKey(algorithm, mode === "now", deps, save));
}

function viewOf(key: SigningKey, all: readonly SigningKey[], now: number): KeyView {
  const { kid, algorithm, createdAt: publishedAt } = key;
  const signsFrom = Math.max(key.activeFrom, publishedAt);
  const successor = all
    .filter((other) => other.algorithm === algorithm && other.activeFrom > key.activeFrom)
    .sort((one, other) => one.activeFrom - other.activeFrom)[0];
  const signsUntil = key.retiredAt ?? successor?.activeFrom ?? signsFrom + KEY_LIFETIME.rotationSeconds;
  const goneAt = key.removeAfter ?? signsUntil + KEY_LIFETIME.publishedAfterSeconds;
  const state = stateOf(key, successor, now);
  return { kid, algorithm, state, publishedAt, signsFrom, signsUntil, goneAt, planned: key.retiredAt === null };
}

/** The newest active key is current, even before a server has marked the older ones as retired. */
function stateOf(key: SigningKey, successor: SigningKey | undefined, now: number): KeyState {
  if (key.retiredAt !== null) return "previous";
  if (key.activeFrom > now) return "next";
  return successor && successor.activeFrom <= now ? "previous" : "current";
}
