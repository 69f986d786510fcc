import { blockKeysOf, type ClientBlock, type ClientBlockKey } from "../clients/block.ts";
import type { Client } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";
import type { Refusal } from "../errors/refusal.ts";
import { mergeScopes, scopeTokens } from "../resources/scope.ts";
import type { AccessToken, NewAccessToken } from "../store/access-tokens.ts";
import type { ApiResource } from "../store/api-resources.ts";
import type { AuthorizationCode } from "../store/codes.ts";
import type { ConnectedApp } from "../store/consents.ts";
import type { DeviceCode } from "../store/device-codes.ts";
import type { Grant, GrantStatus } from "../store/grants.ts";
import type { LogoutNotice } from "../store/logout-notices.ts";
import type { PushedRequest } from "../store/pushed-requests.ts";
import type { NewRefreshToken, NewTokens, RefreshToken } from "../store/refresh-tokens.ts";
import type { InitialAccessToken, SelfDescribedClient } from "../store/registrations.ts";
import type { Session } from "../store/sessions.ts";
import type { SigningKey } from "../store/signing-keys.ts";
import type { Store } from "../store/store.ts";
import type { TokenUser, User } from "../store/users.ts";

/** The rows behind a {@link memoryStore}, for a test to arrange and to look at. */
export type MemoryTables = {
  clients: Map<string, Client>;
  users: Map<string, User>;
  grants: Map<string, Grant & { revokedReason: string | null }>;
  codes: Map<Hash, AuthorizationCode>;
  accessTokens: Map<Hash, AccessToken>;
  refreshTokens: Map<Hash, RefreshToken>;
  deviceCodes: Map<Hash, DeviceCode>;
  /** Keyed by user id and client id. */
  consents: Map<string, { userId: string; clientId: string; scope: string; allowedAt: number }>;
  sessions: Map<Hash, Session>;
  resources: Map<string, ApiResource>;
  signingKeys: Map<string, SigningKey>;
  pushedRequests: Map<Hash, PushedRequest>;
  /** Hash → expiry. */
  spentIds: Map<Hash, number>;
  logoutNotices: Map<string, LogoutNotice>;
  /** Beside the client: what only strangers' clients have. */
  strangers: Map<string, { tokenHash: Hash | null; createdAt: number; confirmedAt: number | null; lastUsedAt: number | null }>;
  initialAccessTokens: Map<Hash, InitialAccessToken>;
  clientBlocks: ClientBlock[];
  refusals: Refusal[];
  /** Secret id → last use. */
  touchedSecrets: Map<string, number>;
};

export type MemoryStore = Store & { tables: MemoryTables };

/** What holds of every client that no admin registered. */
const STRANGER: Omit<Client, keyof SelfDescribedClient> = {
  environment: "production",
  firstParty: false,
  resourceServer: false,
  enabled: true,
  refreshRetrySeconds: 30,
  secrets: [],
  origin: "dynamic",
};

/**
 * A complete `Store` in memory, for unit tests. Each method runs to its end before another starts, as one SQL
 * statement would, so races between callers are real: they can only happen between calls.
 */
export function memoryStore(): MemoryStore {
  const tables: MemoryTables = {
    clients: new Map(),
    users: new Map(),
    grants: new Map(),
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    deviceCodes: new Map(),
    consents: new Map(),
    sessions: new Map(),
    resources: new Map(),
    signingKeys: new Map(),
    pushedRequests: new Map(),
    spentIds: new Map(),
    logoutNotices: new Map(),
    strangers: new Map(),
    initialAccessTokens: new Map(),
    clientBlocks: [],
    refusals: [],
    touchedSecrets: new Map(),
  };
  const { clients, users, grants, codes, accessTokens, refreshTokens, deviceCodes, consents, sessions } = tables;

  function grantRevokedAt(grantId: string): number | null {
    const grant = grants.get(grantId);
    const outlived = grant && grant.accessEpoch !== users.get(grant.userId)?.accessEpoch;
    return grant?.revokedAt ?? (outlived ? 0 : null);
  }
  const standing = (row: { grantId: string | null; clientId: string; userId: string | null }): GrantStatus => ({
    grantRevokedAt: row.grantId === null ? null : grantRevokedAt(row.grantId),
    clientEnabled: clients.get(row.clientId)?.enabled ?? false,
    userDisabledAt: row.userId === null ? null : (users.get(row.userId)?.disabledAt ?? null),
  });
  const userOf = ({ userId }: { userId: string | null }): TokenUser => {
    const user = userId === null ? undefined : users.get(userId);
    return user ? { email: user.email, name: user.name, role: user.role } : null;
  };
  /** Writes `change` over the row if it is there and `allowed`; says whether it did. */
  function update<K, Row>(table: Map<K, Row>, key: K, allowed: (row: Row) => boolean, change: Partial<Row>): boolean {
    const row = table.get(key);
    if (row === undefined || !allowed(row)) return false;
    table.set(key, { ...row, ...change });
    return true;
  }
  const saveAccessToken = (token: NewAccessToken) => void accessTokens.set(token.hash, { ...token, revokedAt: null });
  const saveRefreshToken = (token: NewRefreshToken) =>
    void refreshTokens.set(token.hash, { ...token, rotatedAt: null, successorHash: null, sealedResponse: null });
  function write({ accessToken, refreshToken }: NewTokens): true {
    saveAccessToken(accessToken);
    if (refreshToken) saveRefreshToken(refreshToken);
    return true;
  }
  const revokeGrant = (grantId: string, reason: string, now: number) =>
    update(grants, grantId, (grant) => grant.revokedAt === null, { revokedAt: now, revokedReason: reason });
  const isLive = (session: Session, now: number) =>
    session.revokedAt === null && session.expiresAt > now && session.absoluteExpiresAt > now;
  const isUndecided = (code: DeviceCode, now: number) => code.approvedAt === null && code.deniedAt === null && code.expiresAt > now;

  function endsWithSession({ clientId, scope }: Grant): boolean {
    const [client, names] = [clients.get(clientId), scopeTokens(scope)];
    if (client?.firstParty && (client.type === "web" || client.type === "browser")) return true;
    return names.includes("openid") && !names.includes("offline_access");
  }

  const isBlocked = (keys: readonly ClientBlockKey[], now: number) =>
    tables.clientBlocks.some(
      ({ kind, value, expiresAt }) =>
        (expiresAt === null || expiresAt > now) && keys.some((key) => key.kind === kind && key.value === value),
    );
  const forgetConsents = (clientId: string) => {
    for (const [key, consent] of consents) if (consent.clientId === clientId) consents.delete(key);
  };

  return {
    tables,

    findClient: async (clientId) => clients.get(clientId),
    findSecretOwner: async (applicationId, hash) => {
      const owner = [...clients.values()].find(
        (c) => c.applicationId === applicationId && c.secrets.some((secret) => secret.hash === hash),
      );
      return owner && { clientId: owner.clientId, environment: owner.environment };
    },
    touchClientSecret: async (secretId, now) => void tables.touchedSecrets.set(secretId, now),

    saveGrant: async (grant, liveSession) => {
      const session = [...sessions.values()].find(({ id }) => id === liveSession);
      if (liveSession !== undefined && session?.revokedAt !== null) return false;
      grants.set(grant.id, { ...grant, revokedAt: null, revokedReason: null });
      return true;
    },
    revokeGrant: async (grantId, reason, now) => void revokeGrant(grantId, reason, now),

    saveCode: async (code) => void codes.set(code.hash, { ...code, redeemedAt: null, failedAttempts: 0 }),
    findCode: async (hash) => {
      const code = codes.get(hash);
      return code && { ...code, ...standing(code), user: userOf(code) };
    },
    redeemCode: async (hash, now, bought) => update(codes, hash, (code) => code.redeemedAt === null, { redeemedAt: now }) && write(bought),
    countFailedVerifier: async (hash) => {
      const code = codes.get(hash);
      if (code) codes.set(hash, { ...code, failedAttempts: code.failedAttempts + 1 });
    },

    saveAccessToken: async (token) => saveAccessToken(token),
    findAccessToken: async (hash) => {
      const token = accessTokens.get(hash);
      return token && { ...token, ...standing(token), user: userOf(token) };
    },
    findAccessTokens: async (hashes) =>
      hashes.flatMap((hash) => {
        const token = accessTokens.get(hash);
        return token ? [{ ...token, ...standing(token) }] : [];
      }),
    revokeAccessToken: async (hash, now) => void update(accessTokens, hash, (token) => token.revokedAt === null, { revokedAt: now }),

    saveRefreshToken: async (token) => saveRefreshToken(token),
    findRefreshToken: async (hash) => {
      const token = refreshTokens.get(hash);
      return token && { ...token, ...standing(token), user: userOf(token) };
    },
    rotateRefreshToken: async (hash, rotation, bought) =>
      update(refreshTokens, hash, (token) => token.rotatedAt === null, rotation) && write(bought),
    extendRefreshToken: async (hash, expiresAt) => void update(refreshTokens, hash, (token) => token.rotatedAt === null, { expiresAt }),

    saveDeviceCode: async (code) => {
      if ([...deviceCodes.values()].some((other) => other.userCode === code.userCode)) return false;
      deviceCodes.set(code.hash, {
        ...code,
        lastPolledAt: null,
        approvedAt: null,
        deniedAt: null,
        redeemedAt: null,
        userId: null,
        grantId: null,
        context: null,
      });
      return true;
    },
    findDeviceCode: async (hash) => {
      const code = deviceCodes.get(hash);
      return code && { ...code, ...standing(code), user: userOf(code) };
    },
    findPendingDeviceCode: async (userCode, now) =>
      [...deviceCodes.values()].find((code) => code.userCode === userCode && isUndecided(code, now)),
    pollDeviceCode: async (hash, now, penaltySeconds) => {
      const code = deviceCodes.get(hash);
      if (!code) return false;
      const early = code.lastPolledAt !== null && now < code.lastPolledAt + code.intervalSeconds;
      deviceCodes.set(hash, { ...code, lastPolledAt: now, intervalSeconds: code.intervalSeconds + (early ? penaltySeconds : 0) });
      return !early;
    },
    approveDeviceCode: async (hash, by, now) => update(deviceCodes, hash, (code) => isUndecided(code, now), { ...by, approvedAt: now }),
    denyDeviceCode: async (hash, now) => update(deviceCodes, hash, (code) => isUndecided(code, now), { deniedAt: now }),
    redeemDeviceCode: async (hash, now) =>
      update(deviceCodes, hash, (code) => code.approvedAt !== null && code.redeemedAt === null, { redeemedAt: now }),

    findConsent: async (userId, clientId) => consents.get(`${userId} ${clientId}`)?.scope,
    saveConsent: async ({ userId, clientId, scope, now }) => {
      const key = `${userId} ${clientId}`;
      consents.set(key, { userId, clientId, scope: mergeScopes(consents.get(key)?.scope ?? "", scope), allowedAt: now });
    },
    revokeConnectedApp: async (userId, clientId, now) => {
      consents.delete(`${userId} ${clientId}`);
      for (const grant of grants.values()) {
        if (grant.userId === userId && grant.clientId === clientId) revokeGrant(grant.id, "app disconnected", now);
      }
    },
    listConnectedApps: async (userId) => {
      const lastUse = (clientId: string) =>
        Math.max(...[...accessTokens.values()].filter((t) => t.userId === userId && t.clientId === clientId).map((t) => t.issuedAt));
      return [...consents.values()].flatMap(({ userId: owner, clientId, scope, allowedAt }): ConnectedApp[] => {
        const client = clients.get(clientId);
        if (owner !== userId || !client) return [];
        const { applicationName, environment, type } = client;
        const lastUsedAt = lastUse(clientId);
        return [
          { clientId, applicationName, environment, type, scope, allowedAt, lastUsedAt: Number.isFinite(lastUsedAt) ? lastUsedAt : null },
        ];
      });
    },

    replaceSession: async (previousId, session) => {
      const previous = [...sessions.values()].find(({ id }) => id === previousId);
      if (previous) sessions.set(previous.hash, { ...previous, revokedAt: session.createdAt });
      sessions.set(session.hash, { ...session, revokedAt: null });
      for (const grant of grants.values()) {
        if (grant.sessionId === previousId) update(grants, grant.id, ({ revokedAt }) => revokedAt === null, { sessionId: session.id });
      }
    },
    saveSession: async (session) => void sessions.set(session.hash, { ...session, revokedAt: null }),
    findSession: async (hash) => {
      const session = sessions.get(hash);
      const user = session && users.get(session.userId);
      return user && { session, user };
    },
    touchSession: async (hash, seen) => void update(sessions, hash, () => true, seen),
    listSessions: async (userId, now) =>
      [...sessions.values()].filter((s) => s.userId === userId && isLive(s, now)).sort((a, b) => b.createdAt - a.createdAt),
    revokeSession: async (userId, sessionId, now) => {
      const session = [...sessions.values()].find((s) => s.userId === userId && s.id === sessionId && isLive(s, now));
      if (!session) return false;
      for (const grant of grants.values()) {
        if (grant.sessionId === sessionId && endsWithSession(grant)) revokeGrant(grant.id, "signed out", now);
      }
      return update(sessions, session.hash, () => true, { revokedAt: now });
    },

    listResources: async () => [...tables.resources.values()],
    listSigningKeys: async () => [...tables.signingKeys.values()],
    saveSigningKey: async (key) => {
      const taken = [...tables.signingKeys.values()].some((k) => k.algorithm === key.algorithm && k.activeFrom === key.activeFrom);
      if (!taken) tables.signingKeys.set(key.kid, key);
      return !taken;
    },
    retireSigningKey: async (kid, at) => void update(tables.signingKeys, kid, (key) => key.retiredAt === null, at),

    savePushedRequest: async (request) => void tables.pushedRequests.set(request.hash, { ...request, usedAt: null }),
    findPushedRequest: async (hash) => tables.pushedRequests.get(hash),
    usePushedRequest: async (hash, now) => update(tables.pushedRequests, hash, (request) => request.usedAt === null, { usedAt: now }),
    spendOnce: async (key, expiresAt) => {
      if (tables.spentIds.has(key)) return false;
      tables.spentIds.set(key, expiresAt);
      return true;
    },

    queueLogoutNotices: async (sessionId) => {
      for (const { clientId, userId } of [...grants.values()].filter((grant) => grant.sessionId === sessionId)) {
        if (!clients.get(clientId)?.options.backchannelLogoutUri) continue;
        tables.logoutNotices.set(`${sessionId} ${clientId}`, { clientId, userId, sessionId });
      }
    },

    isBlocked: async (keys, now) => isBlocked(keys, now),
    addDynamicClient: async ({ registrationTokenHash: tokenHash, secret, ...client }, now) => {
      if (isBlocked(blockKeysOf(client), now)) return false;
      const secrets = secret ? [{ id: secret.id, hash: secret.hash, createdAt: now, expiresAt: null, revokedAt: null }] : [];
      clients.set(client.clientId, { ...STRANGER, ...client, secrets, origin: "dynamic" });
      tables.strangers.set(client.clientId, { tokenHash, createdAt: now, confirmedAt: null, lastUsedAt: null });
      return true;
    },
    findDynamicClient: async (clientId) => {
      const client = clients.get(clientId);
      const beside = tables.strangers.get(clientId);
      return client && beside?.tokenHash ? { client, tokenHash: beside.tokenHash, createdAt: beside.createdAt } : undefined;
    },
    replaceDynamicClient: async (client, forget, now) => {
      if (!clients.get(client.clientId)?.enabled) return false;
      if (forget) forgetConsents(client.clientId);
      const enabled = !isBlocked(blockKeysOf(client), now);
      return update(clients, client.clientId, () => true, { ...client, enabled }) && enabled;
    },
    removeDynamicClient: async (clientId) => {
      if (!clients.get(clientId)?.enabled) return false;
      clients.delete(clientId);
      tables.strangers.delete(clientId);
      forgetConsents(clientId);
      return true;
    },
    saveDocumentClient: async (client, forget, now) => {
      if (clients.get(client.clientId)?.enabled === false) return;
      if (forget) forgetConsents(client.clientId);
      const enabled = !isBlocked(blockKeysOf(client), now);
      clients.set(client.clientId, { ...STRANGER, ...clients.get(client.clientId), ...client, enabled, origin: "metadata_document" });
      const beside = { tokenHash: null, createdAt: now, confirmedAt: null, lastUsedAt: null };
      tables.strangers.set(client.clientId, { ...beside, ...tables.strangers.get(client.clientId) });
    },
    confirmClient: async (clientId, now) => void update(tables.strangers, clientId, () => true, { confirmedAt: now }),
    touchClient: async (clientId, now) => void update(tables.strangers, clientId, () => true, { lastUsedAt: now }),
    countUnconfirmedClients: async () => [...tables.strangers.values()].filter((one) => one.tokenHash && one.confirmedAt === null).length,
    findInitialAccessToken: async (hash) => tables.initialAccessTokens.get(hash),
    spendInitialAccessToken: async (hash, now) => {
      const token = tables.initialAccessTokens.get(hash);
      if (!token || token.remaining === 0 || (token.expiresAt !== null && token.expiresAt <= now)) return false;
      tables.initialAccessTokens.set(hash, { ...token, remaining: token.remaining === null ? null : token.remaining - 1 });
      return true;
    },

    recordRefusal: async (refusal) => void tables.refusals.push(refusal),
  };
}
