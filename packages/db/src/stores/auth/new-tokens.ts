import { idOfHash, NEVER_ROTATED, type NewAccessToken, type NewRefreshFamily, type NewTokens } from "@gatehouse/auth";
import type { Handle, RowInsert } from "../../query/handle.ts";
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
  handle: Handle,
  { accessToken, refreshFamily }: Partial<NewTokens> & Pick<NewTokens, "accessToken">,
): RowInsert[] {
  const { accessTokens, refreshFamilies } = handle.tables;
  const access = rowInsert(handle, accessTokens, accessTokenRow(accessToken));
  return refreshFamily ? [access, rowInsert(handle, refreshFamilies, refreshFamilyRow(refreshFamily))] : [access];
}
