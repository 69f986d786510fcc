import { idOfHash, NEVER_ROTATED, type NewAccessToken, type NewRefreshFamily, type NewTokens } from "@gatehouse/auth";
import type { Db, RowInsert } from "../../query/db.ts";
import { rowInsert } from "../../query/prepared.ts";

/** Without the id if the hash says it, as that of an opaque token does. */
export const accessTokenRow = (token: NewAccessToken) => ({
  ...token,
  id: token.id === idOfHash(token.hash) ? null : token.id,
  revokedAt: null,
});
export const refreshFamilyRow = (family: NewRefreshFamily) => ({ ...family, ...NEVER_ROTATED });

/** The inserts of the tokens that a code or a refresh token is exchanged for. */
export function tokenInserts(
  db: Db,
  { accessToken, refreshFamily }: Partial<NewTokens> & Pick<NewTokens, "accessToken">,
): RowInsert[] {
  const { accessTokens, refreshFamilies } = db.tables;
  const access = rowInsert(db, accessTokens, accessTokenRow(accessToken));
  return refreshFamily ? [access, rowInsert(db, refreshFamilies, refreshFamilyRow(refreshFamily))] : [access];
}
