/** How many rows one statement writes or deletes at most. */
export const BATCH = 500;

/** Splits rows for statements of at most {@link BATCH} each. */
export function inBatches<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, at) => rows.slice(at * BATCH, (at + 1) * BATCH));
}
