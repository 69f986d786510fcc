import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { SEALED_COLUMNS, type SealedColumnName, type SealedValue } from "./sealed-columns.ts";

/** Sealed values of a column in the order of their keys, from the first after `after`; empty ones are none. OP-15. */
export function listSealedValues(
  db: ReadDb,
  name: SealedColumnName,
  after: string,
  limit: number,
): Promise<SealedValue[]> {
  return SEALED_COLUMNS[name].list(db, after, limit);
}

/** Replaces a value. Returns no row if it is another one by now. */
export function sealedValueReplacement(db: Db, name: SealedColumnName, from: SealedValue, sealed: string): WriteQuery {
  return SEALED_COLUMNS[name].replacement(db, from, sealed);
}
