import type { Hash, RefreshToken, Rotation, Standing } from "@gatehouse/auth";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { everyColumn, type Handle, prepared, statement } from "../handle.ts";
import { standingColumns, standingOf } from "./standing.ts";

const INSERT = ({ db, tables: { refreshTokens } }: Handle) => db.insert(refreshTokens).values(everyColumn(refreshTokens));

export async function saveRefreshToken(
  handle: Handle,
  token: Omit<RefreshToken, "rotatedAt" | "successorHash" | "sealedResponse">,
): Promise<void> {
  await prepared(handle, "save_refresh_token", INSERT).execute({ ...token, rotatedAt: null, successorHash: null, sealedResponse: null });
}

const SELECT = ({ db, tables }: Handle) => {
  const { refreshTokens: tokens, grants, clients, users } = tables;
  return db
    .select({ token: tokens, ...standingColumns(tables) })
    .from(tokens)
    .leftJoin(grants, eq(grants.id, tokens.grantId))
    .leftJoin(clients, eq(clients.id, tokens.clientId))
    .leftJoin(users, eq(users.id, tokens.userId))
    .where(eq(tokens.hash, sql.placeholder("hash")));
};

/** The token in whatever state it is: a rotated one is how reuse is recognised. */
export async function findRefreshToken(handle: Handle, hash: Hash): Promise<(RefreshToken & Standing) | undefined> {
  const [row] = await prepared(handle, "find_refresh_token", SELECT).execute({ hash });
  return row && { ...row.token, ...standingOf(row.token, row) };
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

/** Spends the token. One statement, so exactly one of any number of racing callers wins. */
export async function rotateRefreshToken(handle: Handle, hash: Hash, rotation: Rotation): Promise<boolean> {
  const won = await prepared(handle, "rotate_refresh_token", ROTATE).execute({ hash, ...rotation });
  return won.length === 1;
}

/** Moves the idle expiry on, of a token that was not rotated. */
export async function extendRefreshToken({ db, tables: { refreshTokens: tokens } }: Handle, hash: Hash, expiresAt: number): Promise<void> {
  await db
    .update(tokens)
    .set({ expiresAt })
    .where(and(eq(tokens.hash, hash), isNull(tokens.rotatedAt)));
}

/** Removes two tokens that were never handed out; a refresh token that was used stays, since its use is evidence. */
export async function discardTokens(handle: Handle, tokens: { accessToken: Hash; refreshToken: Hash }): Promise<void> {
  await handle.together([
    statement(
      handle,
      "discard_access_token",
      ({ db, tables: { accessTokens: t } }) => db.delete(t).where(eq(t.hash, sql.placeholder("accessToken"))),
      tokens,
    ),
    statement(
      handle,
      "discard_refresh_token",
      ({ db, tables: { refreshTokens: t } }) => db.delete(t).where(and(eq(t.hash, sql.placeholder("refreshToken")), isNull(t.rotatedAt))),
      tokens,
    ),
  ]);
}
