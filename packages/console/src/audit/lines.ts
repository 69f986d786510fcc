import { once } from "node:events";
import type { AccountEvent } from "@gatehouse/accounts";
import { readFact, writeFact } from "@gatehouse/db/facts";
import type { Db } from "@gatehouse/db/query/db";
import { findAuditChain, listSealedRows, type SealedRow } from "./chain-queries.ts";
import { listUnloggedEvents, markEventsLogged } from "./line-queries.ts";
import type { AuditHead } from "./verify.ts";

/** Writes whole lines, each with its line feed; resolves once the system has taken them. */
export type WriteLines = (lines: string) => Promise<void>;

export type LineDeps = {
  db: Db;
  write: WriteLines;
  /** The last row that was written is no longer in the log as it was, so all rows are written again. */
  onChanged(known: AuditHead): void;
};

/** The number and MAC of the last row that was written. */
const PLACE = "audit_lines";
const BATCH = 200;

/**
 * Writes the rows of the audit log and the events of accounts that were not written yet, a JSON line each, in batches.
 * What is written is noted after it, so that lines come again if the process ends in between, and none is lost. Rows
 * are followed by their number in the chain and events by a mark: ids are not in the order of the commits. Ends after
 * the current batch, or without it if nobody reads stdout, when `stopping` is aborted. To be called in one process at
 * a time. OP-78
 */
export async function writeAuditLines(deps: LineDeps, stopping: AbortSignal): Promise<void> {
  for (const writeBatch of [writeRows, writeEvents]) {
    let count = BATCH;
    while (count === BATCH && !stopping.aborted) count = await writeBatch(deps, stopping);
  }
}

async function writeRows({ db, write, onChanged }: LineDeps, stopping: AbortSignal): Promise<number> {
  const rows = await listUnwrittenRows(db, onChanged);
  const last = rows.at(-1);
  if (last && (await isWritten(rows.map(rowLine), write, stopping)))
    await writeFact(db, PLACE, JSON.stringify({ number: last.number, mac: last.mac } satisfies AuditHead));
  return rows.length;
}

async function listUnwrittenRows(db: Db, onChanged: LineDeps["onChanged"]): Promise<SealedRow[]> {
  const fact = await readFact(db, PLACE);
  if (fact === undefined) return listSealedRows(db, 1, BATCH);
  const known = JSON.parse(fact) as AuditHead;
  const [first, ...later] = await listSealedRows(db, known.number, BATCH + 1);
  if (first?.number === known.number && first.mac === known.mac) return later;
  const chain = await findAuditChain(db); // after the rows, which may have been deleted because of their age
  const rows = await listSealedRows(db, 1, BATCH);
  if (rows.length > 0 && (chain?.prunedNumber ?? 0) < known.number) onChanged(known);
  return rows;
}

async function writeEvents({ db, write }: LineDeps, stopping: AbortSignal): Promise<number> {
  const events = await listUnloggedEvents(db, BATCH);
  const ids = events.map(({ id }) => id);
  if (ids.length > 0 && (await isWritten(events.map(eventLine), write, stopping))) await markEventsLogged(db, ids);
  return ids.length;
}

/** False if the process stops first: a pipe that nobody reads takes nothing. */
async function isWritten(lines: readonly string[], write: WriteLines, stopping: AbortSignal): Promise<boolean> {
  if (stopping.aborted) return false;
  const settled = new AbortController();
  const stopped = once(stopping, "abort", { signal: settled.signal }).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([write(lines.join("")).then(() => true), stopped]);
  } finally {
    settled.abort();
  }
}

/** No line of the server's log has `gatehouse_log`; `time` is in milliseconds, as there. */
const rowLine = ({ at, ...row }: SealedRow) =>
  `${JSON.stringify({ gatehouse_log: "audit", time: at * 1000, ...row })}\n`;

const eventLine = ({ at, ...event }: AccountEvent) =>
  `${JSON.stringify({ gatehouse_log: "account", time: at * 1000, ...event })}\n`;
