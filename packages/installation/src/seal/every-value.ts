import type { OperationDeps } from "@gatehouse/console/deps";
import { SEALED_COLUMNS, type SealedColumnName, type SealedValue } from "@gatehouse/db/stores/seal/sealed-columns";
import { listSealedValues } from "@gatehouse/db/stores/seal/sealed-values";

/** How many values are read, and written in one transaction. OP-15. */
export const SEALED_BATCH = 500;

export const SEALED_COLUMN_NAMES = Object.keys(SEALED_COLUMNS) as SealedColumnName[];

/** The sealed values of a column, in batches, in the order of their keys. */
export async function* sealedValues(
  name: SealedColumnName,
  { db }: Pick<OperationDeps, "db">,
): AsyncGenerator<SealedValue[]> {
  for (let after = ""; ; ) {
    const found = await listSealedValues(db, name, after, SEALED_BATCH);
    const last = found.at(-1);
    if (!last) return;
    yield found.filter(({ sealed }) => sealed !== "");
    after = last.key;
  }
}
