import type { OperationDeps } from "../deps.ts";
import {
  CHECKPOINT_CHANGED,
  type ChainKeys,
  chainKeysOf,
  checkpointParts,
  endProblem,
  keyWithId,
  NEW_SECRET,
  rowHash,
  rowVerifies,
} from "./chain.ts";
import { type AuditChain, findAuditChain, listSealedRows, type SealedRow } from "./chain-queries.ts";
import { type Findings, found, NOTHING_FOUND } from "./findings.ts";

/** The number and MAC of a row, as logs and exports note it. */
export type AuditHead = { number: number; mac: string };

/** Where a verification continues: the next row, and the hash and key of the one before. */
export type VerifyCursor = { next: number; hash: string; keyId: string | null; findings: Findings };

export type Verification = {
  /**
   * `more`: nothing is wrong so far; call again with `cursor`. `moved_back`: the rows fit, but a server saw later ones
   * before.
   */
  state: "intact" | "broken" | "moved_back" | "more";
  /** The first row that is wrong, and how. */
  broken: { number: number; problem: string } | null;
  /** What an operator should know of the rows that were checked, although they fit together. */
  findings: Findings;
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
 * Checks at most `maxRows` of the audit log: that none was changed, inserted, moved or deleted since it was sealed.
 * `noted` is a head from the log or an export: without one, rows that were cut off at the end together with the end of
 * the chain go unnoticed. CO-65.
 */
export async function verifyAuditLog(
  {
    cursor,
    noted,
    maxRows = ROWS_PER_CALL,
  }: { cursor?: VerifyCursor | null | undefined; noted?: AuditHead | undefined; maxRows?: number },
  deps: Part,
): Promise<Verification> {
  const keys = chainKeysOf(deps.seal);
  const chain = await findAuditChain(deps.reads);
  const begin = cursor ?? begins(chain, keys);
  if ("problem" in begin) return broken(begin, { through: begin.number - 1, findings: NOTHING_FOUND }, chain);
  let at: VerifyCursor = begin;
  const limit = Math.min(PAGE, maxRows);
  for (let read = 0; read < maxRows; read += limit) {
    const rows = await listSealedRows(deps.reads, at.next, limit);
    for (const row of rows) {
      const wrong = misplaced(row, at, keys) ?? unlikeNoted(row, noted);
      if (wrong) return broken(wrong, soFar(at), chain);
      const findings = found(at.findings, row, row.keyId !== at.keyId);
      at = { next: row.number + 1, hash: row.hash, keyId: row.keyId, findings };
    }
    if (rows.length < limit) return atEnd(at, { keys, noted, deps });
  }
  return { state: "more", broken: null, ...soFar(at), head: headOf(chain), cursor: at };
}

/** Where the kept part of the chain begins. */
function begins(chain: AuditChain | undefined, keys: ChainKeys): VerifyCursor | Wrong {
  const start = { keyId: null, findings: NOTHING_FOUND };
  if (!chain || chain.prunedNumber === 0) return { ...start, next: 1, hash: "" };
  // Under another secret the end of the chain is wrong anyway, which comes after the rows.
  const key = keyWithId(keys, chain.keyId);
  if (!key || key.verifies(chain.prunedMac, ...checkpointParts(chain)))
    return { ...start, next: chain.prunedNumber + 1, hash: chain.prunedHash };
  return { number: chain.prunedNumber, problem: CHECKPOINT_CHANGED };
}

function misplaced(row: SealedRow, at: VerifyCursor, keys: ChainKeys): Wrong | undefined {
  const { number } = row;
  if (number > at.next) return { number: at.next, problem: "this row is missing" };
  if (number < at.next) return { number, problem: "a second row has this number" };
  if (row.hash !== rowHash(at.hash, number, row))
    return { number, problem: "this row, or an earlier one, was changed" };
  // Behind a row under one of our secrets, every row is.
  const key = keyWithId(keys, row.keyId);
  if (key ? !rowVerifies(key, row) : keyWithId(keys, at.keyId ?? undefined))
    return { number, problem: "this row was not sealed with the installation's secret" };
  if (at.keyId !== null && row.keyId !== at.keyId && row.action !== NEW_SECRET)
    return {
      number,
      problem: "this row was sealed with another secret than the row before, and no operator accepted a new one",
    };
  return undefined;
}

function unlikeNoted({ number, mac }: SealedRow, noted: AuditHead | undefined): Wrong | undefined {
  if (noted === undefined || noted.number !== number || noted.mac === mac) return undefined;
  return { number, problem: "this row is not the one that was noted" };
}

/** The last row must be the chain's end, sealed with one of the installation's secrets, and not before the noted one. */
async function atEnd(
  at: VerifyCursor,
  { keys, noted, deps }: { keys: ChainKeys; noted: AuditHead | undefined; deps: Part },
): Promise<Verification> {
  const chain = await findAuditChain(deps.reads);
  const last = at.next - 1;
  const end = chain?.number ?? 0;
  // The sealer went on meanwhile, unless the rows are really missing.
  if (end > last && (await listSealedRows(deps.reads, at.next, 1)).length > 0)
    return { state: "more", broken: null, ...soFar(at), head: headOf(chain), cursor: at };
  const wrong = wrongEnd(at, chain, keys) ?? (noted && noted.number > last ? cutOff(last, noted.number) : undefined);
  if (wrong) return broken(wrong, soFar(at), chain);
  const state = at.findings.movedBack ? "moved_back" : "intact";
  return { state, broken: null, ...soFar(at), head: headOf(chain), cursor: null };
}

function wrongEnd({ next, hash }: VerifyCursor, chain: AuditChain | undefined, keys: ChainKeys): Wrong | undefined {
  const last = next - 1;
  if (!chain) return last > 0 ? { number: last, problem: "the end of the chain is missing" } : undefined;
  if (chain.number > last) return cutOff(last, chain.number);
  if (chain.number < last) return { number: chain.number + 1, problem: "this row is behind the end of the chain" };
  const problem = endProblem(chain, keys);
  if (problem !== undefined) return { number: last, problem };
  return chain.hash === hash ? undefined : { number: last, problem: "the end of the chain was changed" };
}

const cutOff = (last: number, end: number): Wrong => ({
  number: last + 1,
  problem: `the rows from here to ${end} are missing`,
});

const headOf = (chain: AuditChain | undefined): AuditHead | null =>
  chain ? { number: chain.number, mac: chain.mac } : null;

const soFar = ({ next, findings }: VerifyCursor) => ({ through: next - 1, findings });

const broken = (
  wrong: Wrong,
  checked: Pick<Verification, "through" | "findings">,
  chain: AuditChain | undefined,
): Verification => ({
  state: "broken",
  broken: wrong,
  ...checked,
  head: headOf(chain),
  cursor: null,
});
