import type { Hash } from "@gatehouse/auth";
import { eq, sql } from "drizzle-orm";
import type { Handle, LocalReads } from "../query/handle.ts";
import type { FoundAccessToken } from "../stores/auth/access-tokens.ts";
import { createInterner } from "./interner.ts";
import { cacheLocalRows } from "./local-rows.ts";
import { once } from "./once.ts";
import type { Owners } from "./owners.ts";
import { compact, complete, MAX_BYTES, sizeOfToken } from "./token-rows.ts";

/**
 * Finds access tokens where reads take no round trip. Tokens and what can end them are cached apart, each with exact invalidation: after the
 * change of a user the users are read again, and no token.
 */
export function cacheAccessTokens(
  { db, tables: { accessTokens } }: Handle,
  local: LocalReads,
  { findGrant, findClient, findUser }: Owners,
): (hash: Hash) => FoundAccessToken | undefined {
  const intern = createInterner();
  const readToken = once(() =>
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
      return row && compact(row, intern);
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
    return complete(token, findClient(clientId, versions), grant, user);
  };
}
