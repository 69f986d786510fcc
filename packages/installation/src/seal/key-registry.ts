import type { OperationDeps } from "@gatehouse/console/deps";
import { deleteFact, factDeletion, insertFact, listFacts } from "@gatehouse/db/facts";
import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";

type Part = Pick<OperationDeps, "db" | "seal">;

const PREFIX = "seal key ";

/**
 * The ids of the secrets that rows may be sealed with. A process registers its current secret before it seals anything
 * with it, and only `gatehouse seal rewrap` removes one, when no row needs it any more. OP-15 (decision 0036).
 */
export async function listRegisteredKeys(db: ReadDb): Promise<string[]> {
  return [...(await listFacts(db, PREFIX)).keys()];
}

/** Registers the current secret. */
export async function registerKey({ db, seal }: Part): Promise<void> {
  const [{ id }] = seal.keys;
  const registered = await listRegisteredKeys(db);
  if (!registered.includes(id)) await insertFact(db, PREFIX + id, "");
}

/** Removes keys that no row needs. */
export async function forgetKeys(keyIds: readonly string[], { db }: Pick<Part, "db">): Promise<void> {
  for (const id of keyIds) await deleteFact(db, PREFIX + id);
}

/** Removes keys whose values are given up. */
export function forgettingWrites(db: Db, keyIds: readonly string[]): WriteQuery[] {
  return keyIds.map((id) => factDeletion(db, PREFIX + id));
}

/** Keys that rows may need, and that this process does not have. */
export async function missingKeys({ db, seal }: Part): Promise<string[]> {
  const known = seal.keys.map(({ id }) => id);
  return (await listRegisteredKeys(db)).filter((id) => !known.includes(id));
}
