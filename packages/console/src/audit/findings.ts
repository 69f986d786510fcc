import { MOVED_BACK, NEW_SECRET, sealedAtOf } from "./chain.ts";
import type { SealedRow } from "./chain-queries.ts";

/** What verification found besides a broken chain. */
export type Findings = {
  /** The first row of each segment after the first: an operator accepted a new secret there. */
  segments: number[];
  /**
   * Rows that were sealed long after they were written, as without a running server, or by somebody who changed them
   * before.
   */
  sealedLate: { from: number; to: number; sealedAt: number }[];
  /** The row in which a server noted that it had seen a later end of the chain. The first one counts. */
  movedBack: number | null;
};

export const NOTHING_FOUND: Findings = { segments: [], sealedLate: [], movedBack: null };

/** Without a server that seals each second, changes on the command line wait for the next start. */
const LATE_SECONDS = 600;
/** How many are listed. */
export const MOST_FINDINGS = 20;

/** The findings with those of the next row. */
export function found({ segments, sealedLate, movedBack }: Findings, row: SealedRow, begins: boolean): Findings {
  const sealedAt = sealedAtOf(row);
  return {
    segments: begins && row.action === NEW_SECRET ? [...segments, row.number].slice(0, MOST_FINDINGS) : segments,
    sealedLate:
      sealedAt !== undefined && sealedAt - row.at > LATE_SECONDS
        ? withLate(sealedLate, row.number, sealedAt)
        : sealedLate,
    movedBack: movedBack ?? (row.action === MOVED_BACK ? row.number : null),
  };
}

function withLate(ranges: Findings["sealedLate"], number: number, sealedAt: number): Findings["sealedLate"] {
  const last = ranges.at(-1);
  if (last && last.to === number - 1) return [...ranges.slice(0, -1), { ...last, to: number }];
  return ranges.length < MOST_FINDINGS ? [...ranges, { from: number, to: number, sealedAt }] : ranges;
}
