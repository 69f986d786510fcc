import {
  type AuthorizationCode,
  type GrantStatus,
  type Hash,
  MAX_VERIFIER_ATTEMPTS,
  type NewTokens,
  type Store,
  type TokenUser,
} from "@gatehouse/auth";
import { and, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { lazy } from "../../cache/lazy.ts";
import type { Owners } from "../../cache/owners.ts";
import { lookedUp, lookUp } from "../../query/batching.ts";
import type { Db, LocalReads } from "../../query/db.ts";
import { placeholders, prepared, preparedWrite } from "../../query/prepared.ts";
import { grantStatus, grantStatusColumns, NO_STATUS, STATUS_COLUMNS, userColumns, userOf } from "./grant-status.ts";
import { tokenInserts } from "./refresh-families.ts";

const INSERT = (db: Db) => {
  const { authorizationCodes: codes } = db.tables;
  return db.insert(codes).values(placeholders(codes));
};

export async function saveCode(db: Db, code: Omit<AuthorizationCode, "redeemedAt" | "failedAttempts">): Promise<void> {
  await prepared(db, "save_code", INSERT).execute({ ...code, redeemedAt: null, failedAttempts: 0 });
}

const BY_HASH = {
  name: "find_code",
  build: (db: Db, matching: (column: PgColumn) => SQL) => {
    const { tables } = db;
    const { authorizationCodes: codes, grants, clients, users } = tables;
    return db
      .select({ code: codes, ...userColumns(tables), ...grantStatusColumns(tables) })
      .from(codes)
      .leftJoin(grants, eq(grants.id, lookedUp(codes.grantId)))
      .leftJoin(clients, eq(clients.id, codes.clientId))
      .leftJoin(users, eq(users.id, lookedUp(codes.userId)))
      .where(matching(codes.hash));
  },
  keyOf: ({ code }: { code: AuthorizationCode }) => code.hash,
};

/** The code in any state: the caller tells expired from replayed. */
export async function findCode(
  db: Db,
  hash: Hash,
): Promise<(AuthorizationCode & GrantStatus & { user: TokenUser }) | undefined> {
  const [row] = await lookUp(db, BY_HASH, hash);
  return row && { ...row.code, ...grantStatus(row.code, row), user: userOf(row) };
}

/**
 * {@link findCode} where a read takes no round trip: the code is read each time, with its grant. Client and user come
 * from caches.
 */
export function localCodes(db: Db, local: LocalReads, { findClient, findUser }: Owners): Store["findCode"] {
  const { tables } = db;
  const { authorizationCodes: codes, grants } = tables;
  const read = lazy(() =>
    local.prepare(
      db
        .select({ code: codes, ends: STATUS_COLUMNS.grants(tables) })
        .from(codes)
        .leftJoin(grants, eq(grants.id, codes.grantId))
        .where(eq(codes.hash, sql.placeholder("key"))),
      "read_code",
    ),
  );
  return async (hash) => {
    const versions = local.versions();
    const row = read()(hash);
    if (!row) return undefined;
    const client = findClient(row.code.clientId, versions);
    const user = findUser(row.code.userId, versions);
    const status = grantStatus(row.code, { ...NO_STATUS, ...client, ...row.ends, ...user?.ends });
    return { ...row.code, ...status, user: user?.user ?? null };
  };
}

const REDEEM = (db: Db) => {
  const { authorizationCodes: codes } = db.tables;
  return db
    .update(codes)
    .set({ redeemedAt: sql`${sql.placeholder("now")}` })
    .where(
      and(
        eq(codes.hash, sql.placeholder("hash")),
        isNull(codes.redeemedAt),
        gt(codes.expiresAt, sql.placeholder("now")),
        lt(codes.failedAttempts, MAX_VERIFIER_ATTEMPTS), // PK-06: even if wrong verifiers race this call
      ),
    )
    .returning({ hash: codes.hash });
};

/**
 * Spends the code and writes its tokens. One conditional statement decides, so exactly one of any number of racing
 * callers wins. TK-14.
 */
export function redeemCode(db: Db, hash: Hash, now: number, bought: NewTokens): Promise<boolean> {
  return db.spend(preparedWrite(db, "redeem_code", REDEEM, { hash, now }), tokenInserts(db, bought));
}

export async function countFailedVerifier(db: Db, hash: Hash): Promise<void> {
  const { authorizationCodes: codes } = db.tables;
  await db
    .update(codes)
    .set({ failedAttempts: sql`${codes.failedAttempts} + 1` })
    .where(eq(codes.hash, hash));
}
