import { type AuditRow, auditInsert } from "@gatehouse/db/audit";
import type { WriteQuery } from "@gatehouse/db/query/db";
import type { OperationDeps } from "../deps.ts";
import type { Author } from "../permissions.ts";
import {
  type ChainKey,
  type ChainKeys,
  chainKeysOf,
  checkpointParts,
  endProblem,
  keyWithId,
  MOVED_BACK,
  NEW_SECRET,
  rowHash,
  rowMac,
} from "./chain.ts";
import {
  type AuditChain,
  findAuditChain,
  listSealedRows,
  listUnsealedRows,
  type RowSeal,
  sealAuditRows,
} from "./chain-queries.ts";
import { rowAboutLog } from "./server-row.ts";
import type { AuditHead } from "./verify.ts";

type Part = Pick<OperationDeps, "db" | "seal" | "now" | "random">;

const BATCH = 200;
const START = { number: 0, hash: "", mac: "", keyId: "", prunedNumber: 0, prunedHash: "" } as const;

/** The stored chain is not one that this secret made, so nothing is added to it. CO-65. */
export class AuditChainError extends Error {
  override readonly name = "AuditChainError";

  constructor(problem: string) {
    super(
      `${problem}. Run gatehouse audit verify and compare with a backup. ` +
        "Only if you changed GATEHOUSE_SECRET yourself: gatehouse secret accept-new --continue-audit-log",
    );
  }
}

/**
 * Seals every row that is not in the chain yet, in order. Any process may call it at any time: the end of the chain
 * moves by one conditional statement, so of concurrent callers one wins and the others continue from there. Throws
 * {@link AuditChainError} if the stored end is not authentic: a seal behind it would authenticate rows that somebody
 * changed. Returns how many rows it sealed. CO-65.
 */
export async function sealAuditLog(deps: Part): Promise<number> {
  const keys = chainKeysOf(deps.seal);
  for (let sealed = 0; ; ) {
    // The end first: rows that another process seals in between would otherwise be sealed again behind its end.
    const from = await findAuditChain(deps.db);
    const rows = await listUnsealedRows(deps.db, BATCH);
    await assertAuthentic(from, keys, deps);
    // OP-15: while two secrets count, every process goes on under the key of the end; `seal rewrap` changes it.
    const key = keyWithId(keys, from?.keyId) ?? keys[0];
    if (rows.length === 0) return sealed;
    if (await sealAuditRows(deps.db, { from, ...extend(from, rows, key, deps) })) sealed += rows.length;
  }
}

async function assertAuthentic(from: AuditChain | undefined, keys: ChainKeys, { db }: Pick<Part, "db">): Promise<void> {
  if (from) {
    const problem = endProblem(from, keys);
    if (problem !== undefined) throw new AuditChainError(problem);
    return;
  }
  const [row] = await listSealedRows(db, 1, 1);
  // Read again: another process may have begun the chain after the first look.
  if (row && !(await findAuditChain(db))) throw new AuditChainError("the end of the chain is missing");
}

/** The seals of these rows behind the end of the chain, and its new end. */
function extend(
  from: AuditChain | undefined,
  rows: Required<AuditRow>[],
  key: ChainKey,
  { now }: Pick<Part, "now">,
): { seals: RowSeal[]; to: AuditChain } {
  let { number, hash } = from ?? START;
  const seals = rows.map((row) => {
    number += 1;
    hash = rowHash(hash, number, row);
    return { id: row.id, number, hash, mac: rowMac(key, { number, hash }, now()), keyId: key.id };
  });
  const { prunedNumber, prunedHash } = from ?? START;
  const pruned = { prunedNumber, prunedHash, prunedMac: from?.prunedMac ?? key.mac(...checkpointParts(START)) };
  return { seals, to: { number, hash, mac: seals.at(-1)?.mac ?? "", keyId: key.id, ...pruned } };
}

/**
 * Continues the chain under the current secret after another one: the only way in which a segment begins, since anybody
 * who can write the database can claim that the secret changed, but does not know the new one. The first row of the
 * segment names the last row of the one before. `also` is written in the same transaction. False if there is no chain
 * yet, or it ends under this secret. CO-65.
 */
export async function beginAuditSegment(author: Author, also: readonly WriteQuery[], deps: Part): Promise<boolean> {
  const [key] = chainKeysOf(deps.seal);
  for (;;) {
    const from = await findAuditChain(deps.db);
    if (!from || from.keyId === key.id) return false;
    const detail = { earlier_key: from.keyId, earlier_number: from.number, earlier_hash: from.hash };
    const row = rowAboutLog(NEW_SECRET, detail, deps, author);
    const { seals, to } = extend(from, [row], key, deps);
    // From now on nobody can verify the mark of deleted rows with the earlier secret.
    const end = { ...to, prunedMac: key.mac(...checkpointParts(from)) };
    if (await sealAuditRows(deps.db, { from, to: end, seals, added: [row], also })) return true;
  }
}

/**
 * A sealer that remembers the end of the chain from call to call. If the chain has moved back since, or its known row
 * is another, it calls `onMovedBack` and writes a row: somebody deleted the last rows and wants the rest sealed again,
 * or a backup was restored under a running server.
 */
export function createAuditSealer(
  deps: Part & { onMovedBack: (known: AuditHead, found: AuditHead | null) => void },
): () => Promise<number> {
  let known: AuditHead | undefined;
  return async () => {
    const found = await findMoved(known, deps);
    if (known && found) {
      deps.onMovedBack(known, found.head);
      const detail = {
        known_number: known.number,
        known_mac: known.mac,
        found_number: found.head?.number ?? 0,
        found_mac: found.head?.mac ?? null,
      };
      known = found.head ?? undefined;
      await deps.db.transaction([auditInsert(deps.db, rowAboutLog(MOVED_BACK, detail, deps))]);
    }
    const sealed = await sealAuditLog(deps);
    const end = await findAuditChain(deps.db);
    known = end && { number: end.number, mac: end.mac };
    return sealed;
  };
}

/** The end of the chain if it is no longer behind the known row. */
async function findMoved(
  known: AuditHead | undefined,
  { db }: Pick<Part, "db">,
): Promise<{ head: AuditHead | null } | undefined> {
  if (!known) return undefined;
  const [row] = await listSealedRows(db, known.number, 1);
  const chain = await findAuditChain(db); // after the row, which may have been deleted because of its age
  const head = chain ? { number: chain.number, mac: chain.mac } : null;
  if (!chain || chain.number < known.number) return { head };
  if (chain.prunedNumber >= known.number) return undefined;
  return row?.number === known.number && row.mac === known.mac ? undefined : { head };
}
