import type { AccessToken, Hash } from "@gatehouse/auth";
import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type FoundAccessToken, idOfRow, revocationOf } from "../queries/access-tokens.ts";
import { ENDS, grantStatus, NOTHING_FOUND, userColumns, userOf } from "../queries/grant-status.ts";
import type { Handle, LocalReads } from "../query/handle.ts";
import { estimateBytes } from "./bounded-map.ts";
import { createInterner } from "./interner.ts";
import { cacheLocalRows } from "./local-rows.ts";

const MIB = 2 ** 20;
const MAX_BYTES = { tokens: 24 * MIB, grants: 8 * MIB, clients: MIB, users: 8 * MIB };

/**
 * Finds access tokens where reads take no round trip. Tokens and what can end them are cached apart, each with exact invalidation: after the
 * change of a user the users are read again, and no token.
 */
export function cacheAccessTokens(handle: Handle, local: LocalReads): (hash: Hash) => FoundAccessToken | undefined {
  const { db, tables } = handle;
  const { accessTokens, grants, clients, users } = tables;
  const isKey = (column: PgColumn) => eq(column, sql.placeholder("key"));
  const intern = createInterner();

  const readToken = once(() => local.prepare(db.select().from(accessTokens).where(isKey(accessTokens.hash)), "cached_access_token"));
  const findToken = cacheLocalRows("accessTokens", MAX_BYTES.tokens, (hash) => compact(readToken()(hash), intern), sizeOfToken);

  const readGrant = once(() => local.prepare(db.select(ENDS.grants(tables)).from(grants).where(isKey(grants.id)), "cached_grant"));
  const findGrant = cacheLocalRows(
    "grants",
    MAX_BYTES.grants,
    (id) => {
      const row = readGrant()(id);
      return row && { ...row, used: false };
    },
    estimateBytes,
  );

  const readClient = once(() => local.prepare(db.select(ENDS.clients(tables)).from(clients).where(isKey(clients.id)), "cached_client"));
  const findClient = cacheLocalRows(
    "clients",
    MAX_BYTES.clients,
    (id) => {
      const row = readClient()(id);
      return row && { ...NOTHING_FOUND, ...row, used: false };
    },
    estimateBytes,
  );

  const readUser = once(() =>
    local.prepare(
      db
        .select({ ends: ENDS.users(tables), profile: userColumns(tables) })
        .from(users)
        .where(isKey(users.id)),
      "cached_user",
    ),
  );
  const findUser = cacheLocalRows(
    "users",
    MAX_BYTES.users,
    (id) => {
      const row = readUser()(id);
      return row && { ends: row.ends, user: userOf(row.profile), used: false };
    },
    estimateBytes,
  );

  return (hash) => {
    const versions = local.versions();
    const token = findToken(hash, versions);
    if (!token) return undefined;
    const { grantId, clientId, userId } = token;
    const client = findClient(clientId, versions) ?? NOTHING_FOUND;
    if (grantId === null && userId === null) return complete(token, revocationOf(token, client), grantStatus(token, client), null);
    const grant = grantId === null ? undefined : findGrant(grantId, versions);
    const user = userId === null ? undefined : findUser(userId, versions);
    const status = grantStatus(token, { ...client, ...grant, ...user?.ends });
    return complete(token, revocationOf(token, client), status, user?.user ?? null);
  };
}

/** A row of the table. */
type TokenRow = Omit<AccessToken, "id"> & { id: string | null };
type KeptToken = TokenRow & { used: boolean };

/** Written out: to spread an object takes about as long as to read the row. Texts that many rows share are kept once. */
function compact(token: TokenRow | undefined, intern: ReturnType<typeof createInterner>): KeptToken | undefined {
  return (
    token && {
      hash: token.hash,
      id: token.id,
      grantId: token.grantId,
      clientId: intern(token.clientId),
      clientEpoch: token.clientEpoch,
      userId: token.userId,
      scope: intern(token.scope),
      audience: intern(token.audience),
      context: token.context,
      environment: intern(token.environment),
      issuedAt: token.issuedAt,
      expiresAt: token.expiresAt,
      revokedAt: token.revokedAt,
      used: false,
    }
  );
}

function complete(
  token: TokenRow,
  revokedAt: number | null,
  { grantRevokedAt, clientEnabled, userDisabledAt }: ReturnType<typeof grantStatus>,
  user: FoundAccessToken["user"],
): FoundAccessToken {
  return {
    hash: token.hash,
    id: idOfRow(token),
    grantId: token.grantId,
    clientId: token.clientId,
    clientEpoch: token.clientEpoch,
    userId: token.userId,
    scope: token.scope,
    audience: token.audience,
    context: token.context,
    environment: token.environment,
    issuedAt: token.issuedAt,
    expiresAt: token.expiresAt,
    revokedAt,
    grantRevokedAt,
    clientEnabled,
    userDisabledAt,
    user,
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

/** An object of thirteen members, and the headers of two texts. */
const TOKEN_BYTES = 160;

/** The hash is also the key. */
function sizeOfToken({ id, grantId, userId, scope, context }: KeptToken): number {
  const texts = (id?.length ?? 0) + scope.length + (grantId?.length ?? 0) + (userId?.length ?? 0);
  return TOKEN_BYTES + texts + (context === null ? 0 : estimateBytes(context));
}
