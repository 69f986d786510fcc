import { ensureKeys, replaceKey, rotateKey, type SigningAlgorithm, type SigningKey } from "@gatehouse/auth";
import type { OperationDeps } from "@gatehouse/operations";

type KeyState = "next" | "current" | "previous";
export type ListedKey = { kid: string; algorithm: SigningAlgorithm; state: KeyState; signs_from: string; published_until: string | null };

/** Every published key, with its state. */
export async function listKeys({ store, now }: Pick<OperationDeps, "store" | "now">): Promise<ListedKey[]> {
  const at = now();
  const stored = await store.listSigningKeys();
  return stored
    .filter(({ removeAfter }) => removeAfter === null || removeAfter > at)
    .map((key) => ({
      kid: key.kid,
      algorithm: key.algorithm,
      state: stateOf(key, stored, at),
      signs_from: instant(Math.max(key.activeFrom, key.createdAt)),
      published_until: key.removeAfter === null ? null : instant(key.removeAfter),
    }));
}

export type Rotation = {
  algorithms: readonly SigningAlgorithm[];
  /** Sign with the new key at once. */
  now: boolean;
  /** Sign with the new key at once, and withdraw the others. */
  distrust: boolean;
};

/** Rotates the key of each algorithm, then lists all keys. Running servers pick the new keys up within a minute. */
export async function rotateKeys({ algorithms, now, distrust }: Rotation, deps: OperationDeps): Promise<ListedKey[]> {
  await ensureKeys(algorithms, deps);
  for (const algorithm of algorithms) await (distrust ? replaceKey(algorithm, deps) : rotateKey(algorithm, now, deps));
  return listKeys(deps);
}

/** The newest active key is current, even before servers have marked the older ones as retired. */
function stateOf(key: SigningKey, all: readonly SigningKey[], now: number): KeyState {
  if (key.activeFrom > now) return "next";
  const replaced = all.some((other) => other.algorithm === key.algorithm && other.activeFrom <= now && other.activeFrom > key.activeFrom);
  return key.retiredAt !== null || replaced ? "previous" : "current";
}

const instant = (seconds: number) => new Date(seconds * 1000).toISOString();
