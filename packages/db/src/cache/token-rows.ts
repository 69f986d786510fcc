import type { AccessToken, TokenUser } from "@gatehouse/auth";
import { type FoundAccessToken, idOfRow, revocationOf } from "../stores/auth/access-tokens.ts";
import { type GrantStatusRow, grantStatus, NO_STATUS } from "../stores/auth/grant-status.ts";
import { estimateBytes } from "./bounded-map.ts";
import type { createInterner } from "./interner.ts";

const MIB = 2 ** 20;
/** By cache. */
export const MAX_BYTES = { tokens: 24 * MIB, grants: 8 * MIB, clients: MIB, users: 8 * MIB };

/** A row of the table. */
export type TokenRow = Omit<AccessToken, "id"> & { id: string | null };
export type CachedToken = TokenRow & { used: boolean };

/**
 * Written out: to spread an object takes about as long as to read the row. Texts that many rows share are kept once.
 */
export function toCachedToken(token: TokenRow, intern: ReturnType<typeof createInterner>): CachedToken {
  return {
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
  };
}

/** A client, with nulls for what it cannot tell. */
export type CachedClient = GrantStatusRow & { used: boolean };
export type CachedGrant = Pick<GrantStatusRow, "foundGrant" | "grantRevokedAt" | "grantEpoch"> & { used: boolean };
export type CachedUser = {
  ends: Pick<GrantStatusRow, "foundUser" | "userDisabledAt" | "userEpoch">;
  user: TokenUser;
  used: boolean;
};

/** The token with everything that can end it. `client`, `grant` and `user` are its own, if there are such rows. */
export function toFoundAccessToken(
  token: TokenRow,
  client: GrantStatusRow = NO_STATUS,
  grant: CachedGrant | undefined,
  user: CachedUser | undefined,
): FoundAccessToken {
  const isOfClientAlone = token.grantId === null && token.userId === null;
  const { grantRevokedAt, clientEnabled, userDisabledAt } = grantStatus(
    token,
    isOfClientAlone ? client : { ...client, ...grant, ...user?.ends },
  );
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
    revokedAt: revocationOf(token, client),
    grantRevokedAt,
    clientEnabled,
    userDisabledAt,
    user: user?.user ?? null,
  };
}

/** An object of thirteen members, and the headers of two texts. */
const TOKEN_BYTES = 160;

/** The hash is also the key. */
export function sizeOfToken({ id, grantId, userId, scope, context }: CachedToken): number {
  const texts = (id?.length ?? 0) + scope.length + (grantId?.length ?? 0) + (userId?.length ?? 0);
  return TOKEN_BYTES + texts + (context === null ? 0 : estimateBytes(context));
}
