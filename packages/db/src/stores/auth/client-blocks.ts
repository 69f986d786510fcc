import type { ClientBlock, ClientBlockKey, SelfDescribedClient } from "@gatehouse/auth";
import { blockKeysOf } from "@gatehouse/auth";
import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { lockUntilCommit } from "../../facts.ts";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { isDisabledByBlock, noAdminRegistered } from "../../schema/index-conditions.ts";

// A client that no admin registered has `disabled_at` set exactly while a block applies to it, so requests do not read
// blocks. Every transaction that writes such a client or changes a block starts with `lockRegistrations`, so that it
// sees the results of the others.

/** Takes a lock until the end of the transaction, so that no client is registered while it is being blocked. */
export const lockRegistrations = (db: Db): WriteQuery => lockUntilCommit(db, "client_blocks");

/** Matches the blocks in force among `keys`. */
function matching(
  { clientBlocks: blocks }: Db["tables"],
  keys: readonly ClientBlockKey[],
  now: number,
): SQL | undefined {
  const kinds = [...new Set(keys.map(({ kind }) => kind))];
  const valuesOf = (kind: ClientBlockKey["kind"]) => keys.filter((key) => key.kind === kind).map(({ value }) => value);
  const named = or(...kinds.map((kind) => and(eq(blocks.kind, kind), inArray(blocks.value, valuesOf(kind)))));
  return and(named, inForce(blocks, now));
}

function inForce({ expiresAt }: Db["tables"]["clientBlocks"], now: number): SQL | undefined {
  return or(isNull(expiresAt), gt(expiresAt, now));
}

/** The blocks in force among `keys`. */
export function findBlocks(db: ReadDb, keys: readonly ClientBlockKey[], now: number): Promise<ClientBlock[]> {
  const { tables } = db;
  const { clientBlocks: blocks } = tables;
  return db
    .select()
    .from(blocks)
    .where(matching(tables, keys, now))
    .orderBy(asc(blocks.kind), asc(blocks.value));
}

export async function isBlocked(db: ReadDb, keys: readonly ClientBlockKey[], now: number): Promise<boolean> {
  return (await findBlocks(db, keys, now)).length > 0;
}

/** The condition that this client is blocked, for a statement. */
export function blockOf(db: ReadDb, client: Pick<SelfDescribedClient, "clientId" | "options">, now: number): SQL {
  const { tables } = db;
  return exists(
    db
      .select({ one: sql`1` })
      .from(tables.clientBlocks)
      .where(matching(tables, blockKeysOf(client), now)),
  );
}

/**
 * Counts the clients that would change with a block, up to `limit`: those that it would disable or, `lifted`, those
 * that lifting it would enable, because no other block applies to them.
 */
export async function countBlockable(
  db: ReadDb,
  { kind, value, lifted }: ClientBlockKey & { lifted: boolean },
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const { tables } = db;
  const { clientBlocks: blocks, clients } = tables;
  const others = db
    .select({ one: sql`1` })
    .from(blocks)
    .where(and(inForce(blocks, now), or(ne(blocks.kind, kind), ne(blocks.value, value)), appliesTo(tables)));
  const changes = lifted ? and(isNotNull(clients.disabledAt), notExists(others)) : isNull(clients.disabledAt);
  const found = await db
    .select({ id: clients.id })
    .from(clients)
    .where(and(noAdminRegistered(clients), changes, isNamedBy(db, { kind, value })))
    .limit(limit);
  return found.length;
}

/** Newest first, including expired ones until they are swept. */
export function listBlocks(db: ReadDb): Promise<ClientBlock[]> {
  const { clientBlocks: blocks } = db.tables;
  return db.select().from(blocks).orderBy(sql`${blocks.createdAt} desc`, asc(blocks.kind), asc(blocks.value));
}

/**
 * Adds the block, or replaces its reason and end, and disables the clients that it applies to. Returns how many were
 * disabled.
 */
export async function saveBlock(
  db: Db,
  block: ClientBlock,
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<number> {
  const { clientBlocks: blocks, clients } = db.tables;
  const { kind, value, ...rest } = block;
  const [, , disabled = []] = await db.transaction([
    lockRegistrations(db),
    db
      .upsert(blocks)
      .values(block)
      .onConflictDoUpdate({ target: [blocks.kind, blocks.value], set: rest }),
    db
      .update(clients)
      .set({ disabledAt: now, updatedAt: now })
      .where(and(noAdminRegistered(clients), isNull(clients.disabledAt), isNamedBy(db, { kind, value })))
      .returning({ id: clients.id }),
    ...also,
  ]);
  return disabled.length;
}

/**
 * Deletes a block and enables the clients that no other block applies to. `also` is made in the same transaction. False
 * if there was none.
 */
export function deleteBlock(
  db: Db,
  { kind, value }: ClientBlockKey,
  now: number,
  also: readonly WriteQuery[] = [],
): Promise<boolean> {
  const { clientBlocks: blocks } = db.tables;
  const { deletion, enabling } = deleteStatements(db, and(eq(blocks.kind, kind), eq(blocks.value, value)), now);
  return db.guarded(deletion, [enabling, ...also], lockRegistrations(db));
}

/** Does the same for every expired block. Returns how many there were. */
export async function deleteExpiredBlocks(db: Db, now: number): Promise<number> {
  const { clientBlocks: blocks } = db.tables;
  const over = lte(blocks.expiresAt, now);
  const [some] = await db.select({ kind: blocks.kind }).from(blocks).where(over).limit(1);
  if (!some) return 0;
  const { deletion, enabling } = deleteStatements(db, over, now);
  const [, gone = []] = await db.transaction([lockRegistrations(db), deletion, enabling]);
  return gone.length;
}

function deleteStatements(db: Db, which: SQL | undefined, now: number): Record<"deletion" | "enabling", WriteQuery> {
  const { tables } = db;
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
function isNamedBy(db: ReadDb, { kind, value }: ClientBlockKey): SQL {
  const { clients, clientHosts: h } = db.tables;
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
function appliesTo({ clients, clientBlocks: { kind, value } }: Db["tables"]): SQL | undefined {
  const host = clients.documentHost;
  const below = sql`length(${host}) > length(${value}) and substr(${host}, length(${host}) - length(${value})) = '.' || ${value}`;
  return or(
    and(eq(kind, "client_id"), eq(clients.id, value)),
    and(eq(kind, "software_id"), eq(clients.softwareId, value)),
    and(eq(kind, "document_host"), or(eq(host, value), below)),
  );
}
