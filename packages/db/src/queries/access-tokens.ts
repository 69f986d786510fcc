import type { AccessToken, Hash, NewAccessToken, Standing, TokenUser } from "@gatehouse/auth";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { append, lookUp } from "../gathered.ts";
import type { Handle } from "../handle.ts";
import { accessTokenRow } from "./new-tokens.ts";
import { standingColumns, standingOf } from "./standing.ts";

export function saveAccessToken(handle: Handle, token: NewAccessToken): Promise<void> {
  return append(handle, handle.tables.accessTokens, accessTokenRow(token));
}

const BY_HASH = {
  name: "find_access_token",
  build: ({ db, tables }: Handle, matching: (column: PgColumn) => SQL) => {
    const { accessTokens: tokens, grants, clients, users } = tables;
    return db
      .select({ token: tokens, email: users.email, name: users.name, role: users.role, ...standingColumns(tables) })
      .from(tokens)
      .leftJoin(grants, eq(grants.id, tokens.grantId))
      .leftJoin(clients, eq(clients.id, tokens.clientId))
      .leftJoin(users, eq(users.id, tokens.userId))
      .where(matching(tokens.hash));
  },
  keyOf: ({ token }: { token: AccessToken }) => token.hash,
};

/** The token with all that can end it, so that revoking any of them acts at once. */
export async function findAccessToken(handle: Handle, hash: Hash): Promise<(AccessToken & Standing & { user: TokenUser }) | undefined> {
  const [row] = await lookUp(handle, BY_HASH, hash);
  if (!row) return undefined;
  const user = row.email !== null && row.name !== null && row.role !== null ? { email: row.email, name: row.name, role: row.role } : null;
  return { ...row.token, ...standingOf(row.token, row), user };
}

export async function revokeAccessToken({ db, tables: { accessTokens: tokens } }: Handle, hash: Hash, now: number): Promise<void> {
  await db
    .update(tokens)
    .set({ revokedAt: now })
    .where(and(eq(tokens.hash, hash), isNull(tokens.revokedAt)));
}
