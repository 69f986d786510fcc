import type { OperationDeps } from "../deps.ts";
import { chainKeysOf, endProblem, MOVED_BACK } from "./chain.ts";
import { findAuditChain, listUnsealedRows } from "./chain-queries.ts";
import { listAuditHistory } from "./queries.ts";

/** A row is sealed a second after it is written. */
const WAITING_SECONDS = 120;
const RECENT_ROWS = 100;

/**
 * What is wrong with the audit log at a glance, in a sentence; undefined if nothing is. Reads a few rows and verifies
 * none. CO-65.
 */
export async function auditChainProblem({
  reads,
  seal,
  now,
}: Pick<OperationDeps, "reads" | "seal" | "now">): Promise<string | undefined> {
  const [chain, [oldest], recent] = await Promise.all([
    findAuditChain(reads),
    listUnsealedRows(reads, 1),
    listAuditHistory(reads, { objects: ["audit"], limit: RECENT_ROWS }),
  ]);
  const problem = chain && endProblem(chain, chainKeysOf(seal));
  if (problem !== undefined) return `The audit log is not sealed any more: ${problem}.`;
  const moved = recent.find(({ action }) => action === MOVED_BACK);
  if (moved)
    return `The audit log moved back: a server had seen later rows${moved.number === null ? "" : ` before row ${moved.number}`}.`;
  if (oldest && now() - oldest.at > WAITING_SECONDS)
    return "Rows of the audit log wait to be sealed: no server seals them.";
  return undefined;
}
