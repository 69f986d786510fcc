import type { GrantStatus, Hash, NewRefreshToken, NewTokens, RefreshToken, Rotation, TokenUser } from "@gatehouse/auth";
import { and, eq, gt, inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { appendRow, lookUp } from "../query/batching.ts";
import type { Handle, WriteQuery } from "../query/handle.ts";
import { preparedWrite } from "../query/prepared.ts";
import { grantStatus, grantStatusColumns, userColumns, userOf } from "./grant-status.ts";
import { refreshTokenRow, tokenInserts } from "./new-tokens.ts";

export function saveRefreshToken(handle: Handle, token: NewRefreshToken): Promise<void> {
  return appendRow(handle, handle.tables.refreshTokens, refreshTokenRow(token));
}

const BY_HASH = {
  name: "find_refresh_token",
  build: ({ db, tables }: Handle, matching: (column: PgColumn) => SQL) => {
    const { refreshTokens: tokens, grants, clients, users } = tables;
    return db
      .select({ token: tokens, ...userColumns(tables), ...grantStatusColumns(tables) })
      .from(tokens)
      .leftJoin(grants, eq(grants.id, tokens.grantId))
      .leftJoin(clients, eq(clients.id, tokens.clientId))
      .leftJoin(users, eq(users.id, tokens.userId))
      .where(matching(tokens.hash));
  },
  keyOf: ({ token }: { token: RefreshToken }) => token.hash,
};

/** The token in any state: finding a rotated one is how reuse is detected. */
export async function findRefreshToken(
  handle: Handle,
  hash: Hash,
): Promise<(RefreshToken & GrantStatus & { user: TokenUser }) | undefined> {
  const [row] = await lookUp(handle, BY_HASH, hash);
  return row && { ...row.token, ...grantStatus(row.token, row), user: userOf(row) };
}

const ROTATE = ({ db, tables: { refreshTokens: tokens } }: Handle) =>
  db
    .update(tokens)
    .set({
      rotatedAt: sql`${sql.placeholder("rotatedAt")}`,
      successorHash: sql`${sql.placeholder("successorHash")}`,
      sealedResponse: sql`${sql.placeholder("sealedResponse")}`,
    })
    .where(
      and(
        eq(tokens.hash, sql.placeholder("hash")),
        isNull(tokens.rotatedAt),
        gt(tokens.expiresAt, sql.placeholder("rotatedAt")),
        gt(tokens.absoluteExpiresAt, sql.placeholder("rotatedAt")),
      ),
    )
    .returning({ hash: tokens.hash });

/**
 * Spends the token and writes its successors. One conditional statement decides, so exactly one of any number of racing callers wins. RT-10,
 * TK-14.
 */
export function rotateRefreshToken(handle: Handle, hash: Hash, rotation: Rotation, bought: NewTokens): Promise<boolean> {
  return handle.spend(preparedWrite(handle, "rotate_refresh_token", ROTATE, { hash, ...rotation }), tokenInserts(handle, bought));
}

/**
 * Deletes the refresh tokens of clients. It stands before the deletion of the clients themselves, which would delete these rows last: a
 * refresh locks its token and then the token's client, and PostgreSQL notices two that wait for each other only after a second.
 */
export function deleteRefreshTokens({ db, tables: { grants, refreshTokens: tokens } }: Handle, clientIds: SQLWrapper): WriteQuery {
  const own = db.select({ id: grants.id }).from(grants).where(sql`${grants.clientId} in ${clientIds}`);
  return db.delete(tokens).where(inArray(tokens.grantId, own));
}

/** Extends the idle expiry of a token that was not rotated. */
export async function extendRefreshToken({ db, tables: { refreshTokens: tokens } }: Handle, hash: Hash, expiresAt: number): Promise<void> {
  await db
    .update(tokens)
    .set({ expiresAt })
    .where(and(eq(tokens.hash, hash), isNull(tokens.rotatedAt)));
}
