import { mintTimeOrderedId } from "@gatehouse/auth";
import {
  type AuditChain,
  type AuditRow,
  auditInsert,
  findAuditChain,
  listSealedRows,
  listUnsealedRows,
  pruneAuditRows,
  type RowSeal,
  sealAuditRows,
} from "@gatehouse/db";
import type { OperationDeps } from "../deps.ts";
import { type ChainKey, chainKeyOf, checkpointParts, rowHash, rowParts } from "./chain.ts";

type Part = Pick<OperationDeps, "handle" | "seal" | "now" | "random">;

const BATCH = 200;
const PRUNE_BATCH = 1_000;
const START = { number: 0, hash: "", mac: "", keyId: "" } as const;

/**
 * Seals every row that is not in the chain yet, in order. Any process may call it at any time: the end of the chain moves by one conditional
 * statement, so of concurrent callers one wins and the others go on from there. Returns how many rows it sealed. CO-65.
 */
export async function sealAuditLog(deps: Part): Promise<number> {
  const key = chainKeyOf(deps.seal);
  for (let sealed = 0; ; ) {
    const [rows, from] = await Promise.all([listUnsealedRows(deps.handle, BATCH), findAuditChain(deps.handle)]);
    const added = from && from.keyId !== key.id ? [segmentRow(from, deps)] : [];
    if (rows.length + added.length === 0) return sealed;
    const { seals, to } = extend(from, [...added, ...rows], key);
    if (await sealAuditRows(deps.handle, { from, to, seals, added })) sealed += rows.length;
  }
}

/** The seals of these rows behind the end of the chain, and its new end. */
function extend(from: AuditChain | undefined, rows: Required<AuditRow>[], key: ChainKey): { seals: RowSeal[]; to: AuditChain } {
  let { number, hash } = from ?? START;
  const seals = rows.map((row) => {
    number += 1;
    hash = rowHash(hash, number, row);
    return { id: row.id, number, hash, mac: key.mac(...rowParts({ number, hash })), keyId: key.id };
  });
  const end = seals.at(-1) ?? START;
  const pruned = { prunedNumber: from?.prunedNumber ?? 0, prunedHash: from?.prunedHash ?? "" };
  // A new secret also vouches for the checkpoint: from now on nobody can verify it with the earlier one.
  const prunedMac = from && from.keyId === key.id ? from.prunedMac : key.mac(...checkpointParts(pruned));
  return { seals, to: { number, hash, mac: end.mac, keyId: key.id, ...pruned, prunedMac } };
}

/** The first row of a segment: the installation's secret changed. */
function segmentRow({ number }: AuditChain, deps: Part): Required<AuditRow> {
  return serverRow("audit.new_secret", { sealed_with_the_earlier_secret: number }, deps);
}

function serverRow(action: string, detail: Record<string, unknown>, { now, random }: Part): Required<AuditRow> {
  const at = now();
  return {
    ...{ id: mintTimeOrderedId({ now: () => at, random }), at, actorId: "server", actorName: "Gatehouse", role: "server", via: "server" },
    ...{ action, object: "audit", objectName: "Audit log", environment: null, detail, address: null, userAgent: null, requestId: null },
  };
}

/**
 * Deletes sealed rows that are older than `keepSeconds`, and leaves a checkpoint from which the rest verifies. Throws if the row that would
 * become the checkpoint does not verify: deleting would hide that. Returns how many rows are gone. CO-66.
 */
export async function pruneAuditLog(keepSeconds: number, deps: Part): Promise<number> {
  const key = chainKeyOf(deps.seal);
  for (let pruned = 0; ; ) {
    const chain = await findAuditChain(deps.handle);
    if (!chain) return pruned;
    const oldest = await listSealedRows(deps.handle, chain.prunedNumber + 1, PRUNE_BATCH);
    const young = oldest.findIndex(({ at }) => at >= deps.now() - keepSeconds);
    const old = young === -1 ? oldest : oldest.slice(0, young);
    const last = old.at(-1);
    if (!last) return pruned;
    if (last.keyId === key.id && !key.verifies(last.mac, ...rowParts(last)))
      throw new Error(`row ${last.number} of the audit log was changed, so nothing is deleted. Run gatehouse audit verify`);
    const checkpoint = { prunedNumber: last.number, prunedHash: last.hash };
    const row = serverRow("audit.prune", { through: last.number, rows: old.length }, deps);
    const mac = key.mac(...checkpointParts(checkpoint));
    const also = [auditInsert(deps.handle, row)];
    if (!(await pruneAuditRows(deps.handle, chain.prunedNumber, { ...checkpoint, prunedMac: mac }, also))) continue;
    pruned += old.length;
    if (old.length < PRUNE_BATCH) return pruned;
  }
}
