import { createHash } from "node:crypto";
import { ACR } from "@gatehouse/guard";
import { NOON } from "@gatehouse/guard/testing";
import type { Client } from "../clients/client.ts";
import { createSeal } from "../crypto/seal.ts";
import { mintSecret, mintTimeOrdered, type Random, sha256 } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { DEVICE_CODE_GRANT } from "../grants/table.ts";
import { LIFETIME } from "../lifetimes.ts";
import type { Session } from "../store/sessions.ts";
import type { User } from "../store/users.ts";
import { memoryStore } from "./memory-store.ts";

export { NOON };
export const ISSUER = "https://gate.example";
/** A code verifier and its S256 challenge. RFC 7636 appendix B. */
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const WEB_SECRET = "gcs_web-secret-0123456789-0123456789-01234";
export const SERVICE_SECRET = "gcs_service-secret-0123456789-0123456789-0";

/** The same bytes in the same order for the same seed. */
export function seededRandom(seed: string): Random {
  let block = 0;
  return (length) => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; at += 32) createHash("sha256").update(`${seed} ${block++}`).digest().copy(bytes, at);
    return bytes;
  };
}

/** A client with the given changes: by default a confidential web client in production. */
export function makeClient(change: Partial<Client> & Pick<Client, "clientId">): Client {
  return {
    applicationId: `application of ${change.clientId}`,
    applicationName: "Demo shop",
    environment: "production",
    type: "web",
    redirectUris: ["https://app.example/cb"],
    postLogoutRedirectUris: [],
    grantTypes: ["authorization_code", "refresh_token"],
    scopes: ["openid", "profile", "email", "offline_access", "api:read", "api:write"],
    firstParty: false,
    resourceServer: false,
    enabled: true,
    accessEpoch: 0,
    refreshRetrySeconds: 30,
    secrets: [],
    options: {},
    origin: "registered",
    ...change,
  };
}

const secretOf = (id: string, secret: string) => [
  { id, hash: sha256(secret), createdAt: NOON - 86_400, expiresAt: null, revokedAt: null },
];

const CLIENTS = {
  web: makeClient({ clientId: "shop-web", secrets: secretOf("web secret", WEB_SECRET) }),
  otherWeb: makeClient({
    clientId: "other-web",
    applicationName: "Another shop",
    redirectUris: ["https://other.example/cb", "https://other.example/second?tenant=1"],
    secrets: secretOf("other web secret", WEB_SECRET),
  }),
  browser: makeClient({
    clientId: "shop-spa",
    type: "browser",
    redirectUris: ["https://spa.example/cb"],
    scopes: ["api:read", "api:write"],
  }),
  native: makeClient({
    clientId: "shop-cli",
    type: "native",
    redirectUris: ["http://127.0.0.1/cb", "http://[::1]/cb", "http://localhost/cb", "com.example.shop:/cb"],
    scopes: ["offline_access", "api:read", "api:write"],
  }),
  service: makeClient({
    clientId: "shop-worker",
    type: "service",
    redirectUris: [],
    grantTypes: ["client_credentials"],
    scopes: ["api:read", "api:write"],
    secrets: secretOf("service secret", SERVICE_SECRET),
  }),
  resourceServer: makeClient({
    clientId: "shop-api",
    type: "service",
    redirectUris: [],
    grantTypes: ["client_credentials"],
    scopes: ["api:read"],
    resourceServer: true,
    secrets: secretOf("resource server secret", SERVICE_SECRET),
  }),
  device: makeClient({
    clientId: "shop-tv",
    type: "device",
    redirectUris: [],
    grantTypes: [DEVICE_CODE_GRANT, "refresh_token"],
    scopes: ["api:read", "offline_access"],
  }),
  console: makeClient({
    clientId: "gatehouse-console",
    applicationName: "Gatehouse Console",
    redirectUris: ["https://admin.gate.example/auth/callback"],
    scopes: ["console:read", "console:write", "api:read", "offline_access"],
    firstParty: true,
    secrets: secretOf("console secret", WEB_SECRET),
  }),
  disabled: makeClient({ clientId: "shop-off", enabled: false, secrets: secretOf("off secret", WEB_SECRET) }),
} as const;

/** What a user has before anything happens to it. */
export const NEW_USER = { accessEpoch: 0, signInEpoch: 0, emailVerifiedAt: null, locale: null } as const;

/** What a session that began with a password says of it. */
export const PASSWORD_SIGN_IN: Pick<Session, "acr" | "amr" | "method" | "secondAt" | "persistent" | "upstream"> = {
  acr: ACR.password,
  amr: ["pwd"],
  method: "password",
  secondAt: null,
  persistent: true,
  upstream: null,
};

/** What `startSession` takes for a sign-in with a password now. */
export const passwordSignIn = ({ now }: Pick<Deps, "now">) => ({
  proof: { ...PASSWORD_SIGN_IN, authTime: now() },
  persistent: true,
});

/**
 * A small world for unit tests: an empty store with a client of every type, a user with a session, a clock that stands
 * still until `clock.now` is moved, and random bytes that are the same in every run.
 */
export function scene() {
  const store = memoryStore();
  const clock = { now: NOON };
  const random = seededRandom("scene");
  const deps: Deps = {
    config: { issuer: ISSUER, resource: `${ISSUER}/api` },
    store,
    now: () => clock.now,
    random,
    seal: createSeal("a secret of at least thirty-two bytes", random),
  };
  const caller: Caller = { address: "192.0.2.7" };
  const user: User = {
    id: "user-ada",
    email: "ada@example.com",
    name: "Ada",
    role: "user",
    disabledAt: null,
    ...NEW_USER,
  };
  const sessionSecret = mintSecret("session", random);
  const session: Session = {
    hash: sessionSecret.hash,
    id: "session-ada",
    userId: user.id,
    authTime: NOON - 60,
    ...PASSWORD_SIGN_IN,
    userAgent: "Firefox",
    address: "192.0.2.7",
    createdAt: NOON - 60,
    lastSeenAt: NOON - 60,
    expiresAt: NOON + LIFETIME.sessionIdleSeconds,
    absoluteExpiresAt: NOON + LIFETIME.sessionAbsoluteSeconds,
    accessEpoch: user.accessEpoch,
    revokedAt: null,
  };

  for (const client of Object.values(CLIENTS)) store.tables.clients.set(client.clientId, client);
  store.tables.users.set(user.id, user);
  store.tables.sessions.set(session.hash, session);

  return {
    deps,
    store,
    tables: store.tables,
    clock,
    caller,
    clients: CLIENTS,
    user,
    session,
    sessionSecret: sessionSecret.secret,
    active: { session, user },

    /** Writes a code that the user just allowed, as the authorization endpoint would, and returns it in clear. */
    async plantCode(change: { client?: Client; scope?: string; redirectUri?: string } = {}): Promise<string> {
      const client = change.client ?? CLIENTS.web;
      const scope = change.scope ?? "api:read api:write";
      const grantId = `grant ${store.tables.grants.size + 1}`;
      const { secret, hash } = mintTimeOrdered("authorizationCode", { now: () => clock.now, random });
      const grant = {
        id: grantId,
        clientId: client.clientId,
        userId: user.id,
        scope,
        sessionId: null,
        accessEpoch: user.accessEpoch,
      };
      await store.saveGrant({ ...grant, createdAt: clock.now });
      await store.saveCode({
        hash,
        grantId,
        clientId: client.clientId,
        userId: user.id,
        redirectUri: change.redirectUri ?? client.redirectUris[0] ?? "",
        codeChallenge: CHALLENGE,
        scope,
        audience: null,
        authTime: session.authTime,
        context: null,
        createdAt: clock.now,
        expiresAt: clock.now + LIFETIME.codeSeconds,
      });
      return secret;
    },

    /** Changes a client in the store. */
    changeClient(clientId: string, change: Partial<Client>): void {
      const client = store.tables.clients.get(clientId);
      if (!client) throw new Error(`no client ${clientId}`);
      store.tables.clients.set(clientId, { ...client, ...change });
    },
  };
}

export type Scene = ReturnType<typeof scene>;
