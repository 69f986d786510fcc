import type { Hash } from "@gatehouse/auth";
import { eq, sql } from "drizzle-orm";
import type { Db, LocalReads } from "../query/db.ts";
import type { FoundAccessToken } from "../stores/auth/access-tokens.ts";
import { createInterner } from "./interner.ts";
import { lazy } from "./lazy.ts";
import { cacheLocalRows } from "./local-rows.ts";
import type { Owners } from "./owners.ts";
import { MAX_BYTES, sizeOfToken, toCachedToken, toFoundAccessToken } from "./token-rows.ts";

/**
 * Finds access tokens where reads take no round trip. Tokens and what can end them are cached apart, each with exact
 * invalidation: after the change of a user the users are read again, and no token.
 */
export function cacheAccessTokens(
  db: Db,
  local: LocalReads,
  { findGrant, findClient, findUser }: Owners,
): (hash: Hash) => FoundAccessToken | undefined {
  const { accessTokens } = db.tables;
  const intern = createInterner();
  const readToken = lazy(() =>
    local.prepare(
      db
        .select()
        .from(accessTokens)
        .where(eq(accessTokens.hash, sql.placeholder("key"))),
      "cached_access_token",
    ),
  );
  const findToken = cacheLocalRows(
    "accessTokens",
    MAX_BYTES.tokens,
    (hash) => {
      const row = readToken()(hash);
      return row && toCachedToken(row, intern);
    },
    sizeOfToken,
  );

  return (hash) => {
    const versions = local.versions();
    const token = findToken(hash, versions);
    if (!token) return undefined;
    const { grantId, clientId, userId } = token;
    const grant = grantId === null ? undefined : findGrant(grantId, versions);
    const user = userId === null ? undefined : findUser(userId, versions);
    return toFoundAccessToken(token, findClient(clientId, versions), grant, user);
  };
}
