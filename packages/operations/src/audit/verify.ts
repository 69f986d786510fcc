import { type AuditChain, findAuditChain, listSealedRows, type SealedRow } from "@gatehouse/db";
import type { OperationDeps } from "../deps.ts";
import { type ChainKey, chainKeyOf, checkpointParts, rowHash, rowParts } from "./chain.ts";

/** The number and MAC of a row, as logs and exports note it. */
export type AuditHead = { number: number; mac: string };

/** Where a verification goes on: the next row, the hash before it, and whether a row under the current secret was seen. */
export type VerifyCursor = { next: number; hash: string; current: boolean };

export type Verification = {
  /** `more`: nothing is wrong so far; call again with `cursor`. */
  state: "intact" | "broken" | "more";
  /** The first row that is wrong, and how. */
  broken: { number: number; problem: string } | null;
  /** The last row that was checked. */
  through: number;
  /** The last row of the chain, to note somewhere else. */
  head: AuditHead | null;
  cursor: VerifyCursor | null;
};

type Part = Pick<OperationDeps, "reads" | "seal">;
type Wrong = { number: number; problem: string };

const PAGE = 1_000;
const ROWS_PER_CALL = 5_000;

/**
 * Checks at most `maxRows` of the audit log: that none was changed, inserted, moved or deleted since it was sealed. `noted` is a head from
 * the log or an export: without one, rows that were cut off at the end together with the end of the chain go unnoticed. CO-65.
 */
export async function verifyAuditLog(
  { cursor, noted, maxRows = ROWS_PER_CALL }: { cursor?: VerifyCursor | null | undefined; noted?: AuditHead | undefined; maxRows?: number },
  deps: Part,
): Promise<Verification> {
  const key = chainKeyOf(deps.seal);
  const chain = await findAuditChain(deps.reads);
  const begin = cursor ?? begins(chain, key);
  if ("problem" in begin) return broken(begin, begin.number - 1, chain);
  let at: VerifyCursor = begin;
  const limit = Math.min(PAGE, maxRows);
  for (let read = 0; read < maxRows; read += limit) {
    const rows = await listSealedRows(deps.reads, at.next, limit);
    for (const row of rows) {
      const wrong = misplaced(row, at, key) ?? unlikeNoted(row, noted);
      if (wrong) return broken(wrong, at.next - 1, chain);
      at = { next: row.number + 1, hash: row.hash, current: at.current || row.keyId === key.id };
    }
    if (rows.length < limit) return atEnd(at, { key, noted, deps });
  }
  return { state: "more", broken: null, through: at.next - 1, head: headOf(chain), cursor: at };
}

/** Where the kept part of the chain begins. */
function begins(chain: AuditChain | undefined, key: ChainKey): VerifyCursor | Wrong {
  if (!chain || chain.prunedNumber === 0) return { next: 1, hash: "", current: false };
  if (chain.keyId !== key.id || key.verifies(chain.prunedMac, ...checkpointParts(chain)))
    return { next: chain.prunedNumber + 1, hash: chain.prunedHash, current: false };
  return { number: chain.prunedNumber, problem: "the mark of the rows that were deleted because of their age was changed" };
}

function misplaced(row: SealedRow, at: VerifyCursor, key: ChainKey): Wrong | undefined {
  if (row.number > at.next) return { number: at.next, problem: "this row is missing" };
  if (row.number < at.next) return { number: row.number, problem: "a second row has this number" };
  if (row.hash !== rowHash(at.hash, row.number, row)) return { number: row.number, problem: "this row, or an earlier one, was changed" };
  const current = row.keyId === key.id;
  if (current ? !key.verifies(row.mac, ...rowParts(row)) : at.current)
    return { number: row.number, problem: "this row was not sealed with the installation's secret" };
  return undefined;
}

function unlikeNoted({ number, mac }: SealedRow, noted: AuditHead | undefined): Wrong | undefined {
  if (noted === undefined || noted.number !== number || noted.mac === mac) return undefined;
  return { number, problem: "this row is not the one that was noted" };
}

/** The last row must be the chain's end, sealed with the current secret, and not before the noted one. */
async function atEnd(
  at: VerifyCursor,
  { key, noted, deps }: { key: ChainKey; noted: AuditHead | undefined; deps: Part },
): Promise<Verification> {
  const chain = await findAuditChain(deps.reads);
  const last = at.next - 1;
  const end = chain?.number ?? 0;
  // The sealer went on meanwhile, unless the rows are really missing.
  if (end > last && (await listSealedRows(deps.reads, at.next, 1)).length > 0)
    return { state: "more", broken: null, through: last, head: headOf(chain), cursor: at };
  const wrong = wrongEnd(at, chain, key) ?? (noted && noted.number > last ? cutOff(last, noted.number) : undefined);
  if (wrong) return broken(wrong, last, chain);
  return { state: "intact", broken: null, through: last, head: headOf(chain), cursor: null };
}

function wrongEnd({ next, hash, current }: VerifyCursor, chain: AuditChain | undefined, key: ChainKey): Wrong | undefined {
  const last = next - 1;
  if (!chain) return last > 0 ? { number: last, problem: "the end of the chain is missing" } : undefined;
  if (chain.number > last) return cutOff(last, chain.number);
  if (chain.number < last) return { number: chain.number + 1, problem: "this row is behind the end of the chain" };
  const pruned = chain.prunedNumber === last;
  if (chain.hash !== hash || (chain.keyId === key.id && !key.verifies(chain.mac, ...rowParts(chain))))
    return { number: last, problem: "the end of the chain was changed" };
  if (!current && !pruned) return { number: last, problem: "no row is sealed with the installation's current secret" };
  return undefined;
}

const cutOff = (last: number, end: number): Wrong => ({ number: last + 1, problem: `the rows from here to ${end} are missing` });

const headOf = (chain: AuditChain | undefined): AuditHead | null => (chain ? { number: chain.number, mac: chain.mac } : null);

const broken = (wrong: Wrong, through: number, chain: AuditChain | undefined): Verification => ({
  ...{ state: "broken", broken: wrong, through, head: headOf(chain), cursor: null },
});
