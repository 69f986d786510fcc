import type { Hash } from "@gatehouse/auth";
import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { FoundAccessToken } from "../queries/access-tokens.ts";
import { ENDS, NOTHING_FOUND, userColumns, userOf } from "../queries/grant-status.ts";
import type { Handle, LocalReads } from "../query/handle.ts";
import { estimateBytes } from "./bounded-map.ts";
import { createInterner } from "./interner.ts";
import { cacheLocalRows } from "./local-rows.ts";
import { compact, complete, MAX_BYTES, sizeOfToken } from "./token-rows.ts";

/**
 * Finds access tokens where reads take no round trip. Tokens and what can end them are cached apart, each with exact invalidation: after the
 * change of a user the users are read again, and no token.
 */
export function cacheAccessTokens(handle: Handle, local: LocalReads): (hash: Hash) => FoundAccessToken | undefined {
  const { db, tables } = handle;
  const { accessTokens, grants, clients, users } = tables;
  const isKey = (column: PgColumn) => eq(column, sql.placeholder("key"));
  const intern = createInterner();

  const readToken = once(() => local.prepare(db.select().from(accessTokens).where(isKey(accessTokens.hash)), "cached_access_token"));
  const findToken = cacheLocalRows(
    "accessTokens",
    MAX_BYTES.tokens,
    (hash) => {
      const row = readToken()(hash);
      return row && compact(row, intern);
    },
    sizeOfToken,
  );

  const readGrant = once(() => local.prepare(db.select(ENDS.grants(tables)).from(grants).where(isKey(grants.id)), "cached_grant"));
  const findGrant = cacheLocalRows(
    "grants",
    MAX_BYTES.grants,
    (id) => {
      const row = readGrant()(id);
      return row && { ...row, used: false };
    },
    estimateBytes,
  );

  const readClient = once(() => local.prepare(db.select(ENDS.clients(tables)).from(clients).where(isKey(clients.id)), "cached_client"));
  const findClient = cacheLocalRows(
    "clients",
    MAX_BYTES.clients,
    (id) => {
      const row = readClient()(id);
      return row && { ...NOTHING_FOUND, ...row, used: false };
    },
    estimateBytes,
  );

  const readUser = once(() =>
    local.prepare(
      db
        .select({ ends: ENDS.users(tables), profile: userColumns(tables) })
        .from(users)
        .where(isKey(users.id)),
      "cached_user",
    ),
  );
  const findUser = cacheLocalRows(
    "users",
    MAX_BYTES.users,
    (id) => {
      const row = readUser()(id);
      return row && { ends: row.ends, user: userOf(row.profile), used: false };
    },
    estimateBytes,
  );

  return (hash) => {
    const versions = local.versions();
    const token = findToken(hash, versions);
    if (!token) return undefined;
    const { grantId, clientId, userId } = token;
    const grant = grantId === null ? undefined : findGrant(grantId, versions);
    const user = userId === null ? undefined : findUser(userId, versions);
    return complete(token, findClient(clientId, versions), grant, user);
  };
}

/** The schema may not exist yet when the store is made. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
