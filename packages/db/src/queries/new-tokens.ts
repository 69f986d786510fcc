import type { NewAccessToken, NewRefreshToken, NewTokens } from "@gatehouse/auth";
import type { Handle, RowInsert } from "../query/handle.ts";
import { rowInsert } from "../query/prepared.ts";

export const accessTokenRow = (token: NewAccessToken) => ({ ...token, revokedAt: null });
export const refreshTokenRow = (token: NewRefreshToken) => ({ ...token, rotatedAt: null, successorHash: null, sealedResponse: null });

/** The rows of what a code or a refresh token was spent for. */
export function tokenInserts(handle: Handle, { accessToken, refreshToken }: NewTokens): RowInsert[] {
  const { accessTokens, refreshTokens } = handle.tables;
  const access = rowInsert(handle, accessTokens, accessTokenRow(accessToken));
  return refreshToken ? [access, rowInsert(handle, refreshTokens, refreshTokenRow(refreshToken))] : [access];
}
