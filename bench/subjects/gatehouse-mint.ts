import { randomBytes } from "node:crypto";
import {
  authorize,
  createSeal,
  type Deps,
  firstRefreshToken,
  idOfHash,
  mintAccessToken,
  mintTimeOrdered,
  mintTimeOrderedId,
  sessionCookieName,
  startSession,
} from "../../packages/auth/src/index.ts";
import { passwordSignIn } from "../../packages/auth/src/testing/index.ts";
import { openDatabase } from "../../packages/db/src/database.ts";
import { findUserByEmail } from "../../packages/db/src/stores/accounts/users.ts";
import { createAuthStore } from "../../packages/db/src/stores/auth/store.ts";
import { API_SCOPE, CHALLENGE, HOUR_SECONDS, SERVICE, USER, WEB, WEB_SCOPE } from "../fixture.ts";
import type { Mintable } from "../subject.ts";

const AT_ONCE = 1000;

const AUTHORIZATION_REQUEST = {
  response_type: "code",
  client_id: WEB.id,
  redirect_uri: WEB.redirectUri,
  scope: WEB_SCOPE,
  state: "a-state",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
};

/** Inserts codes and tokens through Gatehouse's store, as its endpoints do, so that no workload needs a sign-in. */
export async function openMint(databaseUrl: string, issuer: string, installationSecret: string) {
  const database = await openDatabase(databaseUrl, { maxConnections: 4 });
  const store = createAuthStore(database.db);
  const user = await findUserByEmail(database.db, USER.email);
  if (!user) throw new Error(`${USER.email} is not registered`);
  const service = await store.findClient(SERVICE.id);
  if (!service) throw new Error(`${SERVICE.id} is not registered`);
  const audience = `${issuer}/api`;
  const deps: Deps = {
    config: { issuer, resource: audience },
    store,
    now: () => Math.floor(Date.now() / 1000),
    random: randomBytes,
    seal: createSeal(installationSecret, randomBytes),
  };
  const owner = { clientId: WEB.id, userId: user.id, scope: WEB_SCOPE };

  const grant = async (createdAt: number): Promise<string> => {
    const id = mintTimeOrderedId(deps);
    await store.saveGrant({ id, ...owner, sessionId: null, accessEpoch: user.accessEpoch, createdAt });
    return id;
  };

  const one: Record<Mintable, (now: number) => Promise<string>> = {
    async code(now) {
      const { secret, hash } = mintTimeOrdered("authorizationCode", deps);
      const times = { authTime: now, createdAt: now, expiresAt: now + HOUR_SECONDS };
      const request = { redirectUri: WEB.redirectUri, codeChallenge: CHALLENGE, audience: null, context: null };
      await store.saveCode({ hash, grantId: await grant(now), ...owner, ...request, ...times });
      return secret;
    },
    async accessToken(now) {
      const { secret, hash } = mintAccessToken(now + HOUR_SECONDS, randomBytes);
      const client = {
        grantId: null,
        clientId: SERVICE.id,
        clientEpoch: service.accessEpoch,
        userId: null,
        scope: API_SCOPE,
        context: null,
        environment: "production",
      } as const;
      await store.saveAccessToken({
        hash,
        id: idOfHash(hash),
        ...client,
        audience,
        issuedAt: now,
        expiresAt: now + HOUR_SECONDS,
      });
      return secret;
    },
    async refreshToken(now) {
      const id = mintTimeOrderedId(deps);
      const { secret, hash } = firstRefreshToken(id, deps);
      const times = { createdAt: now, expiresAt: now + HOUR_SECONDS, absoluteExpiresAt: now + HOUR_SECONDS };
      const family = {
        id,
        grantId: await grant(now),
        scope: WEB_SCOPE,
        audience,
        context: null,
        boundFrom: null,
        currentHash: hash,
      };
      await store.saveRefreshFamily({ ...family, ...times });
      return secret;
    },
    async consentVisit() {
      const { session, secret } = await startSession(
        { user, userAgent: null, address: null, ...passwordSignIn(deps) },
        deps,
      );
      const asked = await authorize(new URLSearchParams(AUTHORIZATION_REQUEST), { session, user }, deps, {
        address: null,
      });
      if (asked.kind !== "consent")
        throw new Error(`the authorization endpoint says "${asked.kind}" instead of asking for consent`);
      return `?request=${asked.request} ${sessionCookieName(deps.config)}=${secret}`;
    },
  };

  return {
    async mint(kind: Mintable, count: number): Promise<string[]> {
      const now = Math.floor(Date.now() / 1000);
      const minted: string[] = [];
      while (minted.length < count) {
        const some = Math.min(AT_ONCE, count - minted.length);
        minted.push(...(await Promise.all(Array.from({ length: some }, () => one[kind](now)))));
      }
      return minted;
    },
    close: () => database.close(),
  };
}
