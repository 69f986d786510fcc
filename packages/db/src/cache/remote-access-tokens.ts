import type { Hash } from "@gatehouse/auth";
import type { Db } from "../query/db.ts";
import { type AccessTokenRow, type FoundAccessToken, findAccessToken } from "../stores/auth/access-tokens.ts";
import { NO_STATUS, userOf } from "../stores/auth/grant-status.ts";
import { estimateBytes } from "./bounded-map.ts";
import type { CacheName, CacheVersions } from "./caches.ts";
import { createInterner } from "./interner.ts";
import {
  type CachedClient,
  type CachedGrant,
  type CachedToken,
  type CachedUser,
  MAX_BYTES,
  sizeOfToken,
  toCachedToken,
  toFoundAccessToken,
} from "./token-rows.ts";
import { createVersionedRows } from "./versioned-rows.ts";

/**
 * Finds access tokens where each read is a round trip. The caches are those of {@link cacheAccessTokens}; if one of
 * them lacks a row, one statement reads the token with all that can end it, and fills each.
 */
export function cacheRemoteAccessTokens(db: Db): (hash: Hash) => Promise<FoundAccessToken | undefined> {
  const tokens = createVersionedRows<CachedToken>("accessTokens", MAX_BYTES.tokens, sizeOfToken);
  const grants = createVersionedRows<CachedGrant>("grants", MAX_BYTES.grants, estimateBytes);
  const clients = createVersionedRows<CachedClient>("clients", MAX_BYTES.clients, estimateBytes);
  const users = createVersionedRows<CachedUser>("users", MAX_BYTES.users, estimateBytes);
  const intern = createInterner();

  function find(hash: Hash, versions: CacheVersions): FoundAccessToken | undefined {
    const token = tokens.get(hash, versions);
    const client = token && clients.get(token.clientId, versions);
    if (!client) return undefined;
    const grant = token.grantId === null ? undefined : grants.get(token.grantId, versions);
    const user = token.userId === null ? undefined : users.get(token.userId, versions);
    const lacksRow = (token.grantId !== null && !grant) || (token.userId !== null && !user);
    return lacksRow ? undefined : toFoundAccessToken(token, client, grant, user);
  }

  /** `versions`: those before the row was read. */
  function keep({ token, ...row }: AccessTokenRow, versions: CacheVersions): void {
    const latest = db.versions.latest();
    const isCurrent = (cache: CacheName) => latest?.[cache] === versions[cache];
    const {
      foundGrant,
      grantRevokedAt,
      grantEpoch,
      foundClient,
      clientDisabledAt,
      clientEpoch,
      foundUser,
      userDisabledAt,
      userEpoch,
    } = row;

    if (isCurrent("accessTokens")) tokens.set(token.hash, toCachedToken(token, intern), versions);
    if (token.grantId !== null && foundGrant !== null && isCurrent("grants")) {
      grants.set(token.grantId, { foundGrant, grantRevokedAt, grantEpoch, used: false }, versions);
    }
    if (foundClient !== null && isCurrent("clients")) {
      clients.set(token.clientId, { ...NO_STATUS, foundClient, clientDisabledAt, clientEpoch, used: false }, versions);
    }
    if (token.userId !== null && foundUser !== null && isCurrent("users")) {
      users.set(
        token.userId,
        { ends: { foundUser, userDisabledAt, userEpoch }, user: userOf(row), used: false },
        versions,
      );
    }
  }

  return async (hash) => {
    const versions = await db.versions.read();
    if (!versions) return findAccessToken(db, hash);
    return find(hash, versions) ?? findAccessToken(db, hash, (row) => keep(row, versions));
  };
}
