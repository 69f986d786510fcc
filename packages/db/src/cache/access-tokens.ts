import type { AccessToken, GrantStatus, Hash, TokenUser } from "@gatehouse/auth";
import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { FoundAccessToken } from "../queries/access-tokens.ts";
import { ENDS, grantStatus, NOTHING_FOUND, userColumns, userOf } from "../queries/grant-status.ts";
import type { Handle, LocalReads } from "../query/handle.ts";
import { createBoundedMap, estimateBytes } from "./bounded-map.ts";
import type { CacheName, CacheVersions } from "./caches.ts";
import { createInterner } from "./interner.ts";

/** Enough for the grants and users of the tokens that fit. */
const MAX_BYTES = { tokens: 16 * 2 ** 20, grants: 8 * 2 ** 20, clients: 2 ** 20, users: 8 * 2 ** 20 };

/** A token with what ended it as of `versions`. */
type Entry = { token: FoundAccessToken; versions: CacheVersions };

/**
 * Finds access tokens where reads take no round trip. Tokens and what can end them are cached apart, each with exact invalidation: after the
 * change of a user the users are read again, and no token. A token that does not exist is never cached.
 */
export function cacheAccessTokens({ db, tables }: Handle, local: LocalReads): (hash: Hash) => FoundAccessToken | undefined {
  const { accessTokens, grants, clients, users } = tables;
  const isKey = (column: PgColumn) => eq(column, sql.placeholder("key"));
  const readToken = once(() => local.prepare(db.select().from(accessTokens).where(isKey(accessTokens.hash)), "cached_access_token"));
  const readGrant = once(() => local.prepare(db.select(ENDS.grants(tables)).from(grants).where(isKey(grants.id)), "cached_grant"));
  const readClient = once(() => local.prepare(db.select(ENDS.clients(tables)).from(clients).where(isKey(clients.id)), "cached_client"));
  const readUser = once(() =>
    local.prepare(
      db
        .select({ ends: ENDS.users(tables), profile: userColumns(tables) })
        .from(users)
        .where(isKey(users.id)),
      "cached_user",
    ),
  );
  const findGrant = cacheLocal("grants", (id) => readGrant()(id));
  const findClient = cacheLocal("clients", (id) => {
    const row = readClient()(id);
    return row && { ...NOTHING_FOUND, ...row };
  });
  const findUser = cacheLocal("users", (id) => {
    const row = readUser()(id);
    return row && { ends: row.ends, user: userOf(row.profile) };
  });
  const entries = createBoundedMap<Entry>(MAX_BYTES.tokens, sizeOfEntry);
  const intern = createInterner();
  let tokensVersion: number | undefined;

  function statusOf(token: AccessToken, versions: CacheVersions): GrantStatus & { user: TokenUser } {
    const { grantId, clientId, userId } = token;
    const client = findClient(clientId, versions) ?? NOTHING_FOUND;
    if (grantId === null && userId === null) return { ...grantStatus(token, client), user: null };
    const grant = grantId === null ? undefined : findGrant(grantId, versions);
    const user = userId === null ? undefined : findUser(userId, versions);
    return { ...grantStatus(token, { ...client, ...grant, ...user?.ends }), user: user?.user ?? null };
  }

  /** One literal, because spreading two objects takes longer than reading the row. Texts that many rows share are kept once. */
  function complete(token: AccessToken, versions: CacheVersions): FoundAccessToken {
    const { grantRevokedAt, clientEnabled, userDisabledAt, user } = statusOf(token, versions);
    return {
      hash: token.hash,
      id: token.id,
      grantId: token.grantId,
      clientId: intern(token.clientId),
      userId: token.userId,
      scope: intern(token.scope),
      audience: intern(token.audience),
      context: token.context,
      environment: intern(token.environment),
      issuedAt: token.issuedAt,
      expiresAt: token.expiresAt,
      revokedAt: token.revokedAt,
      grantRevokedAt,
      clientEnabled,
      userDisabledAt,
      user,
    };
  }

  return (hash) => {
    const versions = local.versions();
    if (versions.accessTokens !== tokensVersion) {
      entries.clear();
      tokensVersion = versions.accessTokens;
    }
    const cached = entries.get(hash);
    if (cached?.versions === versions) return cached.token;
    const token = cached?.token ?? readToken()(hash);
    if (!token) return undefined;
    const completed = complete(token, versions);
    if (cached) [cached.token, cached.versions] = [completed, versions];
    else entries.set(completed.hash, { token: completed, versions });
    return completed;
  };
}

/** The result of `read` by key, while the version of `cache` stays the same. `undefined` is never cached. */
function cacheLocal<Row>(
  cache: Exclude<CacheName & keyof typeof MAX_BYTES, "tokens">,
  read: (key: string) => Row | undefined,
): (key: string, versions: CacheVersions) => Row | undefined {
  const rows = createBoundedMap<Row>(MAX_BYTES[cache]);
  let cachedVersion: number | undefined;
  return (key, versions) => {
    if (versions[cache] !== cachedVersion) {
      rows.clear();
      cachedVersion = versions[cache];
    }
    const cached = rows.get(key);
    if (cached !== undefined) return cached;
    const row = read(key);
    if (row !== undefined) rows.set(key, row);
    return row;
  };
}

/** The schema may not exist yet when the store is made. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** An object of sixteen members, without what it shares with others. */
const TOKEN_BYTES = 140;

function sizeOfEntry({ token: { id, hash, grantId, userId, scope, context } }: Entry): number {
  const texts = id.length + hash.length + scope.length + (grantId?.length ?? 0) + (userId?.length ?? 0);
  return TOKEN_BYTES + texts + (context === null ? 0 : estimateBytes(context));
}
