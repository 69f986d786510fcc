import { scopeTokens } from "@gatehouse/guard";
import type { Hash } from "../crypto/secret.ts";
import { mergeScopes } from "../resources/scope.ts";
import type { AccessToken, NewAccessToken } from "../store/access-tokens.ts";
import type { ConnectedApp } from "../store/consents.ts";
import type { DeviceCode } from "../store/device-codes.ts";
import type { Grant, GrantStatus } from "../store/grants.ts";
import { NEVER_ROTATED, type NewRefreshFamily, type NewTokens } from "../store/refresh-families.ts";
import type { Session } from "../store/sessions.ts";
import type { Store } from "../store/store.ts";
import type { TokenUser } from "../store/users.ts";
import { registrationMethods } from "./memory-registrations.ts";
import { emptyTables, type MemoryTables, update } from "./memory-tables.ts";

export type MemoryStore = Store & { tables: MemoryTables };

/**
 * A complete `Store` in memory, for unit tests. Each method runs to its end before another starts, as one SQL
 * statement would, so races between callers are real: they can only happen between calls.
 */
export function memoryStore(): MemoryStore {
  const tables = emptyTables();
  const { clients, users, grants, codes, accessTokens, refreshFamilies, deviceCodes, consents, sessions } = tables;

  function grantRevokedAt(grantId: string): number | null {
    const grant = grants.get(grantId);
    const outlived = grant && grant.accessEpoch !== users.get(grant.userId)?.accessEpoch;
    return grant?.revokedAt ?? (outlived ? 0 : null);
  }
  const status = (row: { grantId: string | null; clientId: string; userId: string | null }): GrantStatus => ({
    grantRevokedAt: row.grantId === null ? null : grantRevokedAt(row.grantId),
    clientEnabled: clients.get(row.clientId)?.enabled ?? false,
    userDisabledAt: row.userId === null ? null : (users.get(row.userId)?.disabledAt ?? null),
  });
  /** A token of an earlier epoch of its client counts as revoked. */
  const withStatus = (token: AccessToken) => {
    const client = clients.get(token.clientId);
    const isOutlived = client !== undefined && client.accessEpoch !== token.clientEpoch;
    return { ...token, revokedAt: token.revokedAt ?? (isOutlived ? 0 : null), ...status(token) };
  };
  const userOf = ({ userId }: { userId: string | null }): TokenUser => {
    const user = userId === null ? undefined : users.get(userId);
    if (!user) return null;
    const { email, name, role, emailVerifiedAt, locale } = user;
    return {
      email,
      name,
      role,
      emailVerifiedAt,
      locale,
      pictureId: null,
      profileChangedAt: null,
      ...tables.profiles.get(user.id),
    };
  };
  const saveAccessToken = (token: NewAccessToken) => void accessTokens.set(token.hash, { ...token, revokedAt: null });
  const saveRefreshFamily = (family: NewRefreshFamily) =>
    void refreshFamilies.set(family.id, { ...family, ...NEVER_ROTATED });
  function write({ accessToken, refreshFamily }: NewTokens): true {
    saveAccessToken(accessToken);
    if (refreshFamily) saveRefreshFamily(refreshFamily);
    return true;
  }
  const revokeGrant = (grantId: string, reason: string, now: number) =>
    update(grants, grantId, (grant) => grant.revokedAt === null, { revokedAt: now, revokedReason: reason });
  const isLive = (session: Session, now: number) =>
    session.revokedAt === null && session.expiresAt > now && session.absoluteExpiresAt > now;
  const isCurrent = (
    { currentHash, expiresAt, absoluteExpiresAt }: NewRefreshFamily,
    presentedHash: Hash,
    now: number,
  ) => currentHash === presentedHash && expiresAt > now && absoluteExpiresAt > now;
  const isUndecided = (code: DeviceCode, now: number) =>
    code.approvedAt === null && code.deniedAt === null && code.expiresAt > now;

  function endsWithSession({ clientId, scope }: Grant): boolean {
    const [client, names] = [clients.get(clientId), scopeTokens(scope)];
    if (client?.firstParty && (client.type === "web" || client.type === "browser")) return true;
    return names.includes("openid") && !names.includes("offline_access");
  }

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
      grants.set(grant.id, { ...grant, sid: grant.sessionId, revokedAt: null, revokedReason: null });
      return true;
    },
    revokeGrant: async (grantId, reason, now) => void revokeGrant(grantId, reason, now),

    saveCode: async (code) => void codes.set(code.hash, { ...code, redeemedAt: null, failedAttempts: 0 }),
    findCode: async (hash) => {
      const code = codes.get(hash);
      return code && { ...code, ...status(code), user: userOf(code) };
    },
    redeemCode: async (hash, now, bought) =>
      update(codes, hash, (code) => code.redeemedAt === null, { redeemedAt: now }) && write(bought),
    countFailedVerifier: async (hash) => {
      const code = codes.get(hash);
      if (code) codes.set(hash, { ...code, failedAttempts: code.failedAttempts + 1 });
    },

    saveAccessToken: async (token) => saveAccessToken(token),
    findAccessToken: async (hash) => {
      const token = accessTokens.get(hash);
      return token && { ...withStatus(token), user: userOf(token) };
    },
    findAccessTokens: async (hashes) =>
      hashes.flatMap((hash) => {
        const token = accessTokens.get(hash);
        return token ? [withStatus(token)] : [];
      }),
    revokeAccessToken: async (hash, now) =>
      void update(accessTokens, hash, (token) => token.revokedAt === null, { revokedAt: now }),

    saveRefreshFamily: async (family) => saveRefreshFamily(family),
    findRefreshFamily: async (id) => {
      const [family, grant] = [refreshFamilies.get(id), grants.get(refreshFamilies.get(id)?.grantId ?? "")];
      const owned = family && grant && { ...family, clientId: grant.clientId, userId: grant.userId };
      return owned && { ...owned, ...status(owned), user: userOf(owned) };
    },
    rotateRefreshFamily: async (id, { presentedHash, successorHash, ...rotation }, accessToken) => {
      const next = { ...rotation, previousHash: presentedHash, currentHash: successorHash };
      const generation = (refreshFamilies.get(id)?.generation ?? 0) + 1;
      const isUsable = (family: NewRefreshFamily) => isCurrent(family, presentedHash, rotation.rotatedAt);
      return (
        update(refreshFamilies, id, isUsable, { ...next, generation }) &&
        write({ accessToken, refreshFamily: undefined })
      );
    },
    extendRefreshFamily: async (id, { presentedHash, now, expiresAt }, accessToken) =>
      update(refreshFamilies, id, (family) => isCurrent(family, presentedHash, now), { expiresAt }) &&
      write({ accessToken, refreshFamily: undefined }),

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
      return code && { ...code, ...status(code), user: userOf(code) };
    },
    findPendingDeviceCode: async (userCode, now) =>
      [...deviceCodes.values()].find((code) => code.userCode === userCode && isUndecided(code, now)),
    pollDeviceCode: async (hash, now, penaltySeconds) => {
      const code = deviceCodes.get(hash);
      if (!code) return false;
      const early = code.lastPolledAt !== null && now < code.lastPolledAt + code.intervalSeconds;
      deviceCodes.set(hash, {
        ...code,
        lastPolledAt: now,
        intervalSeconds: code.intervalSeconds + (early ? penaltySeconds : 0),
      });
      return !early;
    },
    approveDeviceCode: async (hash, by, now) =>
      update(deviceCodes, hash, (code) => isUndecided(code, now), { ...by, approvedAt: now }),
    denyDeviceCode: async (hash, now) => update(deviceCodes, hash, (code) => isUndecided(code, now), { deniedAt: now }),
    redeemDeviceCode: async (hash, now) =>
      update(deviceCodes, hash, (code) => code.approvedAt !== null && code.redeemedAt === null, { redeemedAt: now }),

    findConsent: async (userId, clientId) => consents.get(`${userId} ${clientId}`),
    saveConsent: async ({ userId, clientId, scope, audience, identity, now }) => {
      const key = `${userId} ${clientId}`;
      const known = consents.get(key);
      const earlier = known?.identity === identity ? known : undefined;
      const added = {
        scope: mergeScopes(earlier?.scope ?? "", scope),
        audience: mergeScopes(earlier?.audience ?? "", audience),
      };
      consents.set(key, { userId, clientId, ...added, identity, allowedAt: now });
    },
    revokeConnectedApp: async (userId, clientId, now) => {
      const client = clients.get(clientId);
      const isBeside = (id: string) => {
        const other = clients.get(id);
        return (
          other !== undefined &&
          other.applicationId === client?.applicationId &&
          other.environment === client.environment
        );
      };
      for (const [key, consent] of consents)
        if (consent.userId === userId && isBeside(consent.clientId)) consents.delete(key);
      for (const grant of grants.values()) {
        if (grant.userId === userId && isBeside(grant.clientId)) revokeGrant(grant.id, "app disconnected", now);
      }
    },
    listConnectedApps: async (userId) => {
      const lastUse = (clientId: string) =>
        Math.max(
          ...[...accessTokens.values()]
            .filter((t) => t.userId === userId && t.clientId === clientId)
            .map((t) => t.issuedAt),
        );
      return [...consents.values()].flatMap(({ userId: owner, clientId, scope, allowedAt }): ConnectedApp[] => {
        const client = clients.get(clientId);
        if (owner !== userId || !client) return [];
        const { applicationId, applicationName, environment } = client;
        const lastUsedAt = lastUse(clientId);
        const ofClient = { clients: [{ clientId, name: "Main" }], scope, allowedAt };
        return [
          {
            applicationId,
            applicationName,
            environment,
            ...ofClient,
            lastUsedAt: Number.isFinite(lastUsedAt) ? lastUsedAt : null,
          },
        ];
      });
    },

    replaceSession: async (previousId, session) => {
      const previous = [...sessions.values()].find(({ id }) => id === previousId);
      if (previous) sessions.set(previous.hash, { ...previous, revokedAt: session.createdAt });
      sessions.set(session.hash, { ...session, revokedAt: null });
      for (const grant of grants.values()) {
        if (grant.sessionId === previousId) update(grants, grant.id, () => true, { sessionId: session.id });
      }
    },
    saveSession: async (session) => void sessions.set(session.hash, { ...session, revokedAt: null }),
    findEnrolment: async (userId) =>
      tables.enrolments.get(userId) ?? { totp: false, securityKey: false, passkey: false },
    rotateSession: async (hash, change) => {
      const session = sessions.get(hash);
      if (!session || session.revokedAt !== null) return false;
      sessions.delete(hash);
      sessions.set(change.hash, { ...session, ...change });
      return true;
    },
    findSession: async (hash) => {
      const session = sessions.get(hash);
      const user = session && users.get(session.userId);
      return user && { session, user };
    },
    touchSession: async (hash, seen) => void update(sessions, hash, () => true, seen),
    listSessions: async (userId, now) =>
      [...sessions.values()]
        .filter((s) => s.userId === userId && isLive(s, now))
        .sort((a, b) => b.createdAt - a.createdAt),
    revokeSession: async (userId, sessionId, now) => {
      const session = [...sessions.values()].find((s) => s.userId === userId && s.id === sessionId && isLive(s, now));
      if (!session) return false;
      for (const grant of grants.values()) {
        if (grant.sessionId === sessionId && endsWithSession(grant)) revokeGrant(grant.id, "signed out", now);
      }
      for (const { clientId, userId: owner, sid } of [...grants.values()].filter(
        (grant) => grant.sessionId === sessionId,
      )) {
        if (!clients.get(clientId)?.options.backchannelLogoutUri || sid === null) continue;
        tables.logoutNotices.set(`${sid} ${clientId}`, { clientId, userId: owner, sessionId: sid });
      }
      return update(sessions, session.hash, () => true, { revokedAt: now });
    },

    isSidOfSession: async ({ sessionId, clientId, sid }) =>
      [...grants.values()].some(
        (grant) => grant.sessionId === sessionId && grant.clientId === clientId && grant.sid === sid,
      ),

    listResources: async () => [...tables.resources.values()],
    listSigningKeys: async () => [...tables.signingKeys.values()],
    saveSigningKey: async (key, withdrawn = []) => {
      const at = key.createdAt;
      const taken = [...tables.signingKeys.values()].some(
        (k) => k.algorithm === key.algorithm && k.activeFrom === key.activeFrom,
      );
      if (taken) return false;
      for (const kid of withdrawn) {
        const old = tables.signingKeys.get(kid);
        if (old) tables.signingKeys.set(kid, { ...old, retiredAt: old.retiredAt ?? at, removeAfter: at });
      }
      tables.signingKeys.set(key.kid, key);
      return true;
    },
    retireSigningKey: async (kid, at) => void update(tables.signingKeys, kid, (key) => key.retiredAt === null, at),

    savePushedRequest: async (request) => void tables.pushedRequests.set(request.hash, { ...request, usedAt: null }),
    findPushedRequest: async (hash) => tables.pushedRequests.get(hash),
    usePushedRequest: async (hash, now) =>
      update(tables.pushedRequests, hash, (request) => request.usedAt === null, { usedAt: now }),
    spendOnce: async (key, expiresAt) => {
      if (tables.spentIds.has(key)) return false;
      tables.spentIds.set(key, expiresAt);
      return true;
    },

    ...registrationMethods(tables),
    recordRefusal: async (refusal) => void tables.refusals.push(refusal),
  };
}
