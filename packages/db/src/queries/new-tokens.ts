import { idOfHash, type NewAccessToken, type NewRefreshToken, type NewTokens } from "@gatehouse/auth";
import type { Handle, RowInsert } from "../query/handle.ts";
import { rowInsert } from "../query/prepared.ts";

/** Without the id if the hash says it, as that of an opaque token does. */
export const accessTokenRow = (token: NewAccessToken) => ({
  ...token,
  id: token.id === idOfHash(token.hash) ? null : token.id,
  revokedAt: null,
});
export const refreshTokenRow = (token: NewRefreshToken) => ({ ...token, rotatedAt: null, successorHash: null, sealedResponse: null });

/** The inserts of the tokens that a code or a refresh token is exchanged for. */
export function tokenInserts(handle: Handle, { accessToken, refreshToken }: NewTokens): RowInsert[] {
  const { accessTokens, refreshTokens } = handle.tables;
  const access = rowInsert(handle, accessTokens, accessTokenRow(accessToken));
  return refreshToken ? [access, rowInsert(handle, refreshTokens, refreshTokenRow(refreshToken))] : [access];
}
