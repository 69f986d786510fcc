import type { SigningAlgorithm } from "@gatehouse/auth";
import type { OperationDeps } from "@gatehouse/console/deps";
import { type KeyState, listKeys, rotateKeys } from "@gatehouse/console/keys/keys";
import { operator } from "./operator.ts";

export type ListedKey = {
  kid: string;
  algorithm: SigningAlgorithm;
  state: KeyState;
  signs_from: string;
  published_until: string | null;
};

/** Every published key with its state, oldest first. */
export async function listedKeys(deps: Pick<OperationDeps, "store" | "now">): Promise<ListedKey[]> {
  const { keys } = await listKeys(deps);
  return keys.toReversed().map(({ kid, algorithm, state, signsFrom, goneAt, planned }) => ({
    kid,
    algorithm,
    state,
    signs_from: instant(signsFrom),
    published_until: planned ? null : instant(goneAt),
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
export async function rotate({ algorithms, now, distrust }: Rotation, deps: OperationDeps): Promise<ListedKey[]> {
  const mode = distrust ? "distrust" : now ? "now" : "ahead";
  for (const algorithm of algorithms) await rotateKeys({ algorithm, mode }, operator(), deps);
  return listedKeys(deps);
}

const instant = (seconds: number) => new Date(seconds * 1000).toISOString();
