import { blockKeysOf, type ClientBlock, type ClientBlockKey, documentHostname } from "@gatehouse/auth";
import {
  countBlockable,
  deleteBlock,
  findBlocks,
  listBlocks,
  saveBlock,
} from "@gatehouse/db/stores/auth/client-blocks";
import { type AuditDeps, auditWrite } from "../audit/entry.ts";
import { type ClientRow, findClientRow } from "../clients/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import type { Author } from "../permissions.ts";

type Part = Pick<OperationDeps, "db" | "now">;

export type BlockDraft = ClientBlockKey & {
  reason: string;
  /** Unix seconds; null until an admin lifts the block. */
  expiresAt: number | null;
};

/**
 * Blocks clients that no admin registered: one client, every document on a host or its subdomains, or a software id.
 * Disables existing clients and rejects new ones. Blocking again replaces the reason and the end. Throws `invalid`, and
 * `conflict` for a client that an admin registered.
 */
export async function blockClients(
  draft: BlockDraft,
  author: Author,
  deps: AuditDeps,
): Promise<{ block: ClientBlock; disabled: number }> {
  const now = deps.now();
  if (draft.expiresAt !== null && draft.expiresAt <= now)
    throw invalid([{ path: "expiresAt", message: "must be in the future" }]);
  const block = { ...draft, ...normalised(draft), createdAt: now };
  const client = await blockedClient(block, deps);
  if (client?.origin === "registered")
    throw new DomainError("conflict", "An admin registered this client. Disable or remove it instead.");
  const { kind, reason, expiresAt } = block;
  const entry = {
    action: "client_block.create" as const,
    ...namedInAudit(block, client),
    detail: { kind, reason, expiresAt },
  };
  return { block, disabled: await saveBlock(deps.db, block, now, [auditWrite(author, entry, deps)]) };
}

/** Lifts a block and enables its clients, unless another block applies to them. Throws `not_found`. */
export async function unblockClients(key: ClientBlockKey, author: Author, deps: AuditDeps): Promise<void> {
  const { kind, value } = normalised(key);
  const client = await blockedClient({ kind, value }, deps);
  const entry = { action: "client_block.lift" as const, ...namedInAudit({ kind, value }, client), detail: { kind } };
  const also = [auditWrite(author, entry, deps)];
  if (!(await deleteBlock(deps.db, { kind, value }, deps.now(), also)))
    throw new DomainError("not_found", "There is no such block.");
}

const COUNTED = 1_000;

/**
 * How many clients a block would stop, or start again if it is in force and is lifted; counted up to 1,000. Throws
 * `invalid`. CO-61.
 */
export async function blockImpact(key: ClientBlockKey, { reads, now }: Pick<OperationDeps, "reads" | "now">) {
  const block = normalised(key);
  const inForce = (await findBlocks(reads, [block], now())).length > 0;
  const found = await countBlockable(reads, { ...block, lifted: inForce }, { now: now(), limit: COUNTED + 1 });
  return { inForce, clients: { count: Math.min(found, COUNTED), more: found > COUNTED } };
}

/** Every block in force, newest first. */
export async function listClientBlocks({ db, now }: Part): Promise<ClientBlock[]> {
  return (await listBlocks(db)).filter(({ expiresAt }) => expiresAt === null || expiresAt > now());
}

/**
 * Disables a client that no admin registered by blocking its id, or lifts that block. Throws `conflict` while another
 * block applies.
 */
export async function setUnregisteredEnabled(
  client: ClientRow,
  enabled: boolean,
  author: Author,
  deps: AuditDeps,
): Promise<void> {
  const { id: clientId, options } = client;
  const own = { kind: "client_id", value: clientId } as const;
  if (!enabled) {
    await blockClients({ ...own, reason: "", expiresAt: null }, author, deps);
    return;
  }
  const blocks = await findBlocks(deps.db, blockKeysOf({ clientId, options }), deps.now());
  const other = blocks.find(({ kind }) => kind !== "client_id");
  if (other) {
    const what = other.kind === "document_host" ? "host" : "software id";
    throw new DomainError("conflict", `The ${what} ${other.value} is blocked. Lift that block first.`);
  }
  const entry = { action: "client_block.lift" as const, ...namedInAudit(own, client), detail: { kind: own.kind } };
  await deleteBlock(deps.db, own, deps.now(), [auditWrite(author, entry, deps)]);
}

/** The client of a block of one client, if it is registered. */
async function blockedClient(
  { kind, value }: ClientBlockKey,
  { db }: Pick<AuditDeps, "db">,
): Promise<ClientRow | undefined> {
  return kind === "client_id" ? findClientRow(db, value) : undefined;
}

/** The audit log lists a block of one client under that client. CO-64. */
function namedInAudit({ value }: ClientBlockKey, client: ClientRow | undefined) {
  return {
    object: value,
    objectName: client ? `${client.applicationName} · ${client.name}` : value,
    environment: client?.environment ?? null,
  };
}

/** The block as it is stored: a host in normal form. Throws `invalid`. */
function normalised({ kind, value }: ClientBlockKey): ClientBlockKey {
  if (kind !== "document_host") return { kind, value };
  const host = /[/?#@\\]/.test(value) ? undefined : documentHostname(`https://${value}/`);
  if (host === undefined || host === "")
    throw invalid([{ path: "value", message: "must be a host name like app.example" }]);
  return { kind, value: host };
}
