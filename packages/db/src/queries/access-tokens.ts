import type { AccessToken, Hash, NewAccessToken, Standing, TokenUser } from "@gatehouse/auth";
import { and, eq, isNull, sql } from "drizzle-orm";
import { type Handle, prepared } from "../handle.ts";
import { accessTokenRow, insertAccessToken } from "./new-tokens.ts";
import { standingColumns, standingOf } from "./standing.ts";

export async function saveAccessToken(handle: Handle, token: NewAccessToken): Promise<void> {
  await prepared(handle, "save_access_token", insertAccessToken).execute(accessTokenRow(token));
}

const SELECT = ({ db, tables }: Handle) => {
  const { accessTokens: tokens, grants, clients, users } = tables;
  return db
    .select({ token: tokens, email: users.email, name: users.name, role: users.role, ...standingColumns(tables) })
    .from(tokens)
    .leftJoin(grants, eq(grants.id, tokens.grantId))
    .leftJoin(clients, eq(clients.id, tokens.clientId))
    .leftJoin(users, eq(users.id, tokens.userId))
    .where(eq(tokens.hash, sql.placeholder("hash")));
};

/** The token with all that can end it, so that revoking any of them acts at once. */
export async function findAccessToken(handle: Handle, hash: Hash): Promise<(AccessToken & Standing & { user: TokenUser }) | undefined> {
  const [row] = await prepared(handle, "find_access_token", SELECT).execute({ hash });
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
