import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, LocalReads } from "../query/db.ts";
import { NO_STATUS, STATUS_COLUMNS, userColumns, userOf } from "../stores/auth/grant-status.ts";
import { estimateBytes } from "./bounded-map.ts";
import { lazy } from "./lazy.ts";
import { cacheLocalRows, type FindRow } from "./local-rows.ts";
import { type CachedClient, type CachedGrant, type CachedUser, MAX_BYTES } from "./token-rows.ts";

/** What can end a credential, each kind with a cache of its own. */
export type Owners = {
  findGrant: FindRow<CachedGrant>;
  findClient: FindRow<CachedClient>;
  findUser: FindRow<CachedUser>;
};

/** Caches grants, clients and users where reads take no round trip. */
export function cacheOwners(db: Db, local: LocalReads): Owners {
  const { tables } = db;
  const { grants, clients, users } = tables;
  const isKey = (column: PgColumn) => eq(column, sql.placeholder("key"));
  const profiles = { ends: STATUS_COLUMNS.users(tables), profile: userColumns(tables) };
  const readGrant = lazy(() =>
    local.prepare(db.select(STATUS_COLUMNS.grants(tables)).from(grants).where(isKey(grants.id)), "cached_grant"),
  );
  const readClient = lazy(() =>
    local.prepare(db.select(STATUS_COLUMNS.clients(tables)).from(clients).where(isKey(clients.id)), "cached_client"),
  );
  const readUser = lazy(() => local.prepare(db.select(profiles).from(users).where(isKey(users.id)), "cached_user"));

  function grantOf(id: string): CachedGrant | undefined {
    const row = readGrant()(id);
    return row && { ...row, used: false };
  }
  function clientOf(id: string): CachedClient | undefined {
    const row = readClient()(id);
    return row && { ...NO_STATUS, ...row, used: false };
  }
  function userById(id: string): CachedUser | undefined {
    const row = readUser()(id);
    return row && { ends: row.ends, user: userOf(row.profile), used: false };
  }

  return {
    findGrant: cacheLocalRows("grants", MAX_BYTES.grants, grantOf, estimateBytes),
    findClient: cacheLocalRows("clients", MAX_BYTES.clients, clientOf, estimateBytes),
    findUser: cacheLocalRows("users", MAX_BYTES.users, userById, estimateBytes),
  };
}
