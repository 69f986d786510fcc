import type { ClientBlock, ClientBlockKey, SelfDescribedClient } from "@gatehouse/auth";
import { blockKeysOf } from "@gatehouse/auth";
import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, lte, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import { lockUntilCommit } from "../../facts.ts";
import type { Handle, ReadHandle, WriteQuery } from "../../query/handle.ts";
import { isDisabledByBlock, noAdminRegistered } from "../../schema/index-conditions.ts";

// A client that no admin registered has `disabled_at` set exactly while a block applies to it, so requests do not read blocks. Every
// transaction that writes such a client or changes a block starts with `lockRegistrations`, so that it sees the results of the others.

/** Takes a lock until the end of the transaction, so that no client is registered while it is being blocked. */
export const lockRegistrations = (handle: Handle): WriteQuery => lockUntilCommit(handle, "client_blocks");

/** Matches the blocks in force among `keys`. */
function matching({ clientBlocks: blocks }: Handle["tables"], keys: readonly ClientBlockKey[], now: number): SQL | undefined {
  const kinds = [...new Set(keys.map(({ kind }) => kind))];
  const valuesOf = (kind: ClientBlockKey["kind"]) => keys.filter((key) => key.kind === kind).map(({ value }) => value);
  const named = or(...kinds.map((kind) => and(eq(blocks.kind, kind), inArray(blocks.value, valuesOf(kind)))));
  return and(named, inForce(blocks, now));
}

function inForce({ expiresAt }: Handle["tables"]["clientBlocks"], now: number): SQL | undefined {
  return or(isNull(expiresAt), gt(expiresAt, now));
}

/** The blocks in force among `keys`. */
export function findBlocks({ db, tables }: ReadHandle, keys: readonly ClientBlockKey[], now: number): Promise<ClientBlock[]> {
  const { clientBlocks: blocks } = tables;
  return db
    .select()
    .from(blocks)
    .where(matching(tables, keys, now))
    .orderBy(asc(blocks.kind), asc(blocks.value));
}

export async function isBlocked(handle: ReadHandle, keys: readonly ClientBlockKey[], now: number): Promise<boolean> {
  return (await findBlocks(handle, keys, now)).length > 0;
}

/** The condition that this client is blocked, for a statement. */
export function blockOf({ db, tables }: ReadHandle, client: Pick<SelfDescribedClient, "clientId" | "options">, now: number): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(tables.clientBlocks)
      .where(matching(tables, blockKeysOf(client), now)),
  );
}

/**
 * Counts the clients that would change with a block, up to `limit`: those that it would disable or, `lifted`, those that lifting it would
 * enable, because no other block applies to them.
 */
export async function countBlockable(
  handle: ReadHandle,
  { kind, value, lifted }: ClientBlockKey & { lifted: boolean },
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const { db, tables } = handle;
  const { clientBlocks: blocks, clients } = tables;
  const others = db
    .select({ one: sql`1` })
    .from(blocks)
    .where(and(inForce(blocks, now), or(ne(blocks.kind, kind), ne(blocks.value, value)), appliesTo(tables)));
  const changes = lifted ? and(isNotNull(clients.disabledAt), notExists(others)) : isNull(clients.disabledAt);
  const found = await db
    .select({ id: clients.id })
    .from(clients)
    .where(and(noAdminRegistered(clients), changes, isNamedBy(handle, { kind, value })))
    .limit(limit);
  return found.length;
}

/** Newest first, including expired ones until they are swept. */
export function listBlocks({ db, tables: { clientBlocks: blocks } }: ReadHandle): Promise<ClientBlock[]> {
  return db.select().from(blocks).orderBy(sql`${blocks.createdAt} desc`, asc(blocks.kind), asc(blocks.value));
}

/** Adds the block, or replaces its reason and end, and disables the clients that it applies to. Returns how many were disabled. */
export async function saveBlock(handle: Handle, block: ClientBlock, now: number, also: readonly WriteQuery[] = []): Promise<number> {
  const { db, tables } = handle;
  const { clientBlocks: blocks, clients } = tables;
  const { kind, value, ...rest } = block;
  const [, , disabled = []] = await handle.transaction([
    lockRegistrations(handle),
    db
      .upsert(blocks)
      .values(block)
      .onConflictDoUpdate({ target: [blocks.kind, blocks.value], set: rest }),
    db
      .update(clients)
      .set({ disabledAt: now, updatedAt: now })
      .where(and(noAdminRegistered(clients), isNull(clients.disabledAt), isNamedBy(handle, { kind, value })))
      .returning({ id: clients.id }),
    ...also,
  ]);
  return disabled.length;
}

/** Deletes a block and enables the clients that no other block applies to. `also` is made in the same transaction. False if there was none. */
export function deleteBlock(
  handle: Handle,
  { kind, value }: ClientBlockKey,
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clientBlocks: blocks } = handle.tables;
  const { deletion, enabling } = deleteStatements(handle, and(eq(blocks.kind, kind), eq(blocks.value, value)), now);
  return handle.guarded(deletion, [enabling, ...also], lockRegistrations(handle));
}

/** Does the same for every expired block. Returns how many there were. */
export async function deleteExpiredBlocks(handle: Handle, now: number): Promise<number> {
  const { clientBlocks: blocks } = handle.tables;
  const over = lte(blocks.expiresAt, now);
  const [some] = await handle.db.select({ kind: blocks.kind }).from(blocks).where(over).limit(1);
  if (!some) return 0;
  const { deletion, enabling } = deleteStatements(handle, over, now);
  const [, gone = []] = await handle.transaction([lockRegistrations(handle), deletion, enabling]);
  return gone.length;
}

function deleteStatements({ db, tables }: Handle, which: SQL | undefined, now: number): Record<"deletion" | "enabling", WriteQuery> {
  const { clientBlocks: blocks, clients } = tables;
  const remaining = db
    .select({ one: sql`1` })
    .from(blocks)
    .where(and(inForce(blocks, now), appliesTo(tables)));
  return {
    deletion: db.delete(blocks).where(which).returning({ kind: blocks.kind }),
    enabling: db
      .update(clients)
      .set({ disabledAt: null, updatedAt: now })
      .where(and(isDisabledByBlock(clients), notExists(remaining))),
  };
}

/** The condition that a block with this key applies to a client, which an index serves. */
function isNamedBy({ db, tables: { clients, clientHosts: h } }: Pick<ReadHandle, "db" | "tables">, { kind, value }: ClientBlockKey): SQL {
  switch (kind) {
    case "client_id":
      return eq(clients.id, value);
    case "software_id":
      return eq(clients.softwareId, value);
    case "document_host": {
      const ofHost = and(eq(h.kind, "document"), inArray(h.host, [value, `.${value}`]));
      return inArray(clients.id, db.select({ id: h.clientId }).from(h).where(ofHost));
    }
  }
}

/** The condition that the row of `client_blocks` in the statement applies to a client. */
function appliesTo({ clients, clientBlocks: { kind, value } }: Handle["tables"]): SQL | undefined {
  const host = clients.documentHost;
  const below = sql`length(${host}) > length(${value}) and substr(${host}, length(${host}) - length(${value})) = '.' || ${value}`;
  return or(
    and(eq(kind, "client_id"), eq(clients.id, value)),
    and(eq(kind, "software_id"), eq(clients.softwareId, value)),
    and(eq(kind, "document_host"), or(eq(host, value), below)),
  );
}
