import type { NewAccessToken, NewRefreshToken, NewTokens } from "@gatehouse/auth";
import { everyColumn, type Handle, type Statement, statement } from "../handle.ts";

export const insertAccessToken = ({ db, tables: { accessTokens } }: Handle) => db.insert(accessTokens).values(everyColumn(accessTokens));
export const insertRefreshToken = ({ db, tables: { refreshTokens } }: Handle) =>
  db.insert(refreshTokens).values(everyColumn(refreshTokens));

export const accessTokenRow = (token: NewAccessToken) => ({ ...token, revokedAt: null });
export const refreshTokenRow = (token: NewRefreshToken) => ({ ...token, rotatedAt: null, successorHash: null, sealedResponse: null });

/** The statements that write what a code or a refresh token was spent for. */
export function tokenInserts(handle: Handle, { accessToken, refreshToken }: NewTokens): Statement[] {
  const access = statement(handle, "insert_access_token", insertAccessToken, accessTokenRow(accessToken));
  return refreshToken ? [access, statement(handle, "insert_refresh_token", insertRefreshToken, refreshTokenRow(refreshToken))] : [access];
}
