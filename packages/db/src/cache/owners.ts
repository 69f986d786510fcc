import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Handle, LocalReads } from "../query/handle.ts";
import { ENDS, NOTHING_FOUND, userColumns, userOf } from "../stores/auth/grant-status.ts";
import { estimateBytes } from "./bounded-map.ts";
import { cacheLocalRows, type FindRow } from "./local-rows.ts";
import { once } from "./once.ts";
import { type KeptClient, type KeptGrant, type KeptUser, MAX_BYTES } from "./token-rows.ts";

/** What can end a credential, each kind with a cache of its own. */
export type Owners = { findGrant: FindRow<KeptGrant>; findClient: FindRow<KeptClient>; findUser: FindRow<KeptUser> };

/** Caches grants, clients and users where reads take no round trip. */
export function cacheOwners({ db, tables }: Pick<Handle, "db" | "tables">, local: LocalReads): Owners {
  const { grants, clients, users } = tables;
  const isKey = (column: PgColumn) => eq(column, sql.placeholder("key"));
  const profiles = { ends: ENDS.users(tables), profile: userColumns(tables) };
  const readGrant = once(() => local.prepare(db.select(ENDS.grants(tables)).from(grants).where(isKey(grants.id)), "cached_grant"));
  const readClient = once(() => local.prepare(db.select(ENDS.clients(tables)).from(clients).where(isKey(clients.id)), "cached_client"));
  const readUser = once(() => local.prepare(db.select(profiles).from(users).where(isKey(users.id)), "cached_user"));

  function grantOf(id: string): KeptGrant | undefined {
    const row = readGrant()(id);
    return row && { ...row, used: false };
  }
  function clientOf(id: string): KeptClient | undefined {
    const row = readClient()(id);
    return row && { ...NOTHING_FOUND, ...row, used: false };
  }
  function userById(id: string): KeptUser | undefined {
    const row = readUser()(id);
    return row && { ends: row.ends, user: userOf(row.profile), used: false };
  }

  return {
    findGrant: cacheLocalRows("grants", MAX_BYTES.grants, grantOf, estimateBytes),
    findClient: cacheLocalRows("clients", MAX_BYTES.clients, clientOf, estimateBytes),
    findUser: cacheLocalRows("users", MAX_BYTES.users, userById, estimateBytes),
  };
}
