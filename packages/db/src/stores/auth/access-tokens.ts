import {
  type AccessToken,
  type GrantStatus,
  type Hash,
  idOfHash,
  type NewAccessToken,
  type TokenUser,
} from "@gatehouse/auth";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { appendRow, lookedUp, lookUp } from "../../query/batching.ts";
import type { Db } from "../../query/db.ts";
import {
  type GrantStatusRow,
  grantStatus,
  grantStatusColumns,
  type TokenUserRow,
  userColumns,
  userOf,
} from "./grant-status.ts";

/** The row without the id if the hash says it, as that of an opaque token does. */
export const accessTokenRow = (token: NewAccessToken) => ({
  ...token,
  id: token.id === idOfHash(token.hash) ? null : token.id,
  revokedAt: null,
});

export function saveAccessToken(db: Db, token: NewAccessToken): Promise<void> {
  return appendRow(db, db.tables.accessTokens, accessTokenRow(token));
}

const BY_HASH = {
  name: "find_access_token",
  build: (db: Db, matching: (column: PgColumn) => SQL) => {
    const { tables } = db;
    const { accessTokens: tokens, grants, clients, users } = tables;
    return db
      .select({ token: tokens, ...userColumns(tables), ...grantStatusColumns(tables) })
      .from(tokens)
      .leftJoin(grants, eq(grants.id, lookedUp(tokens.grantId)))
      .leftJoin(clients, eq(clients.id, tokens.clientId))
      .leftJoin(users, eq(users.id, lookedUp(tokens.userId)))
      .where(matching(tokens.hash));
  },
  keyOf: ({ token }: { token: { hash: Hash } }) => token.hash,
};

/** A token with everything that can end it, so that every revocation takes effect at once. */
export type FoundAccessToken = AccessToken & GrantStatus & { user: TokenUser };

/** As the database has it: the token's row, with those of its grant, client and user. */
export type AccessTokenRow = { token: AccessTokenColumns } & TokenUserRow & GrantStatusRow;
type AccessTokenColumns = Omit<AccessToken, "id"> & { id: string | null };

/** `seen` is called with the row. */
export async function findAccessToken(
  db: Db,
  hash: Hash,
  seen?: (row: AccessTokenRow) => void,
): Promise<FoundAccessToken | undefined> {
  const [row] = await lookUp(db, BY_HASH, hash);
  if (!row) return undefined;
  seen?.(row);
  return {
    ...row.token,
    id: idOfRow(row.token),
    revokedAt: revocationOf(row.token, row),
    ...grantStatus(row.token, row),
    user: userOf(row),
  };
}

/**
 * A token of an earlier epoch of its client counts as revoked at time 0. That of a deleted client is dead by its grant
 * status.
 */
export function revocationOf(
  token: { clientEpoch: number; revokedAt: number | null },
  { clientEpoch }: Pick<GrantStatusRow, "clientEpoch">,
): number | null {
  const isOutlived = clientEpoch !== null && clientEpoch !== token.clientEpoch;
  return token.revokedAt ?? (isOutlived ? 0 : null);
}

/** The row of an opaque token has no id: its hash does. */
export const idOfRow = (token: { hash: Hash; id: string | null }): string => token.id ?? idOfHash(token.hash);

export async function revokeAccessToken(db: Db, hash: Hash, now: number): Promise<void> {
  const { accessTokens: tokens } = db.tables;
  await db
    .update(tokens)
    .set({ revokedAt: now })
    .where(and(eq(tokens.hash, hash), isNull(tokens.revokedAt)));
}
