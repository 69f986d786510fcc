import { auditInsert } from "@gatehouse/db/audit";
import type { OperationDeps } from "../deps.ts";
import { type ChainKeys, chainKeysOf, checkpointParts, endProblem, keyWithId, rowHash, rowVerifies } from "./chain.ts";
import { findAuditChain, listSealedRows, pruneAuditRows } from "./chain-queries.ts";
import { AuditChainError } from "./sealer.ts";
import { rowAboutLog } from "./server-row.ts";
import { verifyAuditLog } from "./verify.ts";

type Part = Pick<OperationDeps, "db" | "reads" | "seal" | "now" | "random">;

const PRUNE_BATCH = 1_000;

/**
 * Deletes sealed rows that are older than `keepSeconds`, and leaves a checkpoint from which the rest verifies. Verifies
 * every row first: deleting a changed one would hide the change, so it throws then. Returns how many rows are gone.
 * CO-66.
 */
export async function pruneAuditLog(keepSeconds: number, deps: Part): Promise<number> {
  const keys = chainKeysOf(deps.seal);
  for (let pruned = 0; ; ) {
    const chain = await findAuditChain(deps.db);
    if (!chain) return pruned;
    const oldest = await listSealedRows(deps.db, chain.prunedNumber + 1, PRUNE_BATCH);
    const young = oldest.findIndex(({ at }) => at >= deps.now() - keepSeconds);
    const old = young === -1 ? oldest : oldest.slice(0, young);
    const last = old.at(-1);
    if (!last) return pruned;
    const problem = endProblem(chain, keys);
    if (problem !== undefined) throw new AuditChainError(problem);
    await assertUnchanged(old, chain.prunedHash, chain.prunedNumber, keys, deps);
    const checkpoint = { prunedNumber: last.number, prunedHash: last.hash };
    const row = rowAboutLog("audit.prune", { through: last.number, rows: old.length }, deps);
    const mac = (keyWithId(keys, chain.keyId) ?? keys[0]).mac(...checkpointParts(checkpoint));
    const also = [auditInsert(deps.db, row)];
    if (!(await pruneAuditRows(deps.db, chain.prunedNumber, { ...checkpoint, prunedMac: mac }, also))) continue;
    pruned += old.length;
    if (old.length < PRUNE_BATCH) return pruned;
  }
}

async function assertUnchanged(
  rows: Awaited<ReturnType<typeof listSealedRows>>,
  before: string,
  number: number,
  keys: ChainKeys,
  deps: Part,
): Promise<void> {
  let at = { number, hash: before };
  for (const row of rows) {
    const hash = rowHash(at.hash, at.number + 1, row);
    const key = keyWithId(keys, row.keyId);
    if (row.number !== at.number + 1 || row.hash !== hash || (key && !rowVerifies(key, row)))
      throw changed(at.number + 1);
    at = { number: row.number, hash };
  }
  // Rows of a secret that is gone are covered by the later rows alone.
  if (keyWithId(keys, rows.at(-1)?.keyId)) return;
  let result = await verifyAuditLog({}, deps);
  while (result.state === "more") result = await verifyAuditLog({ cursor: result.cursor }, deps);
  if (result.broken) throw changed(result.broken.number);
}

const changed = (number: number) =>
  new Error(`row ${number} of the audit log was changed, so nothing is deleted. Run gatehouse audit verify`);
