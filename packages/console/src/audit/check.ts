import { readFact, writeFact } from "@gatehouse/db/facts";
import type { OperationDeps } from "../deps.ts";
import { findAuditChain } from "./chain-queries.ts";
import { type VerifyCursor, verifyAuditLog } from "./verify.ts";

/** `since`: when it was first found, Unix seconds. */
export type AuditDamage = { number: number; problem: string; since: number };

/** `cursor`: where the round continues; null to start a new one. */
type Progress = { cursor: VerifyCursor | null; broken: AuditDamage | null };

/** The progress, as JSON. */
const FACT = "audit_check";
/** A log of a million rows takes a day, and a minute's share less than 20 ms. */
const ROWS_PER_RUN = 1_000;

/**
 * Verifies the next rows of the audit log, round after round: what was changed after it was verified is found in the
 * next round. Called every minute, by one process. CO-09, CO-65.
 */
export async function checkAuditLog(
  deps: Pick<OperationDeps, "db" | "reads" | "seal" | "now">,
  maxRows = ROWS_PER_RUN,
): Promise<void> {
  const last = parse(await readFact(deps.db, FACT)) ?? { cursor: null, broken: null };
  await writeFact(deps.db, FACT, JSON.stringify(await nextProgress(last, maxRows, deps)));
}

async function nextProgress(
  { cursor, broken: known }: Progress,
  maxRows: number,
  deps: Pick<OperationDeps, "reads" | "seal" | "now">,
): Promise<Progress> {
  const pruned = await prunedTo(deps);
  const verified = await verifyAuditLog(
    { cursor: cursor !== null && cursor.next > pruned ? cursor : null, maxRows },
    deps,
  );
  if (verified.state === "more") return { cursor: verified.cursor, broken: known };
  if (verified.state === "intact") return { cursor: null, broken: null };
  // Rows that are pruned while they are read look as if somebody had deleted them.
  if ((await prunedTo(deps)) !== pruned || verified.broken === null) return { cursor: null, broken: known };
  const since = known?.number === verified.broken.number ? known.since : deps.now();
  return { cursor: null, broken: { ...verified.broken, since } };
}

const prunedTo = async ({ reads }: Pick<OperationDeps, "reads">) => (await findAuditChain(reads))?.prunedNumber ?? 0;

/** What the last round found; null if nothing is wrong so far. */
export async function findAuditDamage({ reads }: Pick<OperationDeps, "reads">): Promise<AuditDamage | null> {
  return parse(await readFact(reads, FACT))?.broken ?? null;
}

function parse(stored: string | undefined): Progress | undefined {
  return stored === undefined ? undefined : JSON.parse(stored); // written by checkAuditLog, so it has this shape
}
