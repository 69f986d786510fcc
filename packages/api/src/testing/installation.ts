import { createHash } from "node:crypto";
import { type AccessToken, createSeal, mintInOrder, type Random, type Role, sessionCookie, startSession } from "@gatehouse/auth";
import { createAuthStore, findUser, insertUser } from "@gatehouse/db";
import type { TestEngine } from "@gatehouse/db/testing";
import { scopesOfRole } from "../access.ts";
import type { Principal } from "../context.ts";
import type { ApiDeps } from "../deps.ts";
import { createApplication } from "../operations/applications.ts";
import type { ClientDraft } from "../operations/client-rules.ts";
import { registerClient } from "../operations/clients.ts";
import { appRouter } from "../root.ts";
import { createCallerFactory } from "../trpc.ts";

export const NOON = 1_800_000_000;
export const ISSUER = "https://gate.example";
export const ADMIN = { role: "admin" } as const;
const PEOPLE: readonly Role[] = ["admin", "developer", "viewer", "user"];

/** Bytes that look random and are the same in every run. */
function countedRandom(): Random {
  let count = 0;
  return (length) => {
    count += 1;
    return createHash("sha512").update(`random ${count}`).digest().subarray(0, length);
  };
}

/** A fresh installation on one engine at noon, with a person of each role whose id is the role's name. */
export async function openInstallation({ open }: TestEngine) {
  const database = await open();
  const { handle, reads } = database;
  const clock = { now: NOON };
  const random = countedRandom();
  const config = { issuer: ISSUER, resource: `${ISSUER}/api` };
  const seal = createSeal("a secret for the tests, 32 bytes or more", random);
  const deps: ApiDeps = { config, store: createAuthStore(handle), now: () => clock.now, random, seal, handle, reads };
  for (const role of PEOPLE)
    await insertUser(handle, {
      id: role,
      email: `${role}@example.com`,
      name: role,
      role,
      passwordHash: "none",
      registeredBy: "operator",
      createdAt: NOON,
    });

  const callAs = (principal: Principal | undefined) =>
    createCallerFactory(appRouter)({
      deps,
      request: { headers: new Headers({ "sec-fetch-site": "same-origin", "content-type": "application/json" }) },
      principal,
      challenge: "Bearer",
      dpopNonce: null,
      refusal: "no_credential",
    });
  /** Calls procedures as this person; with `scopes`, through an access token that has them. */
  const as = (role: Role, scopes?: readonly string[]) =>
    callAs({
      via: scopes ? "bearer" : "session",
      userId: role,
      email: `${role}@example.com`,
      name: role,
      role,
      scopes: scopes ?? scopesOfRole(role),
      audience: config.resource,
      environment: scopes ? "production" : null,
      sessionId: null,
    });

  return { deps, clock, as, stranger: callAs(undefined), close: () => database.close() };
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** A sound web client for development, to be changed at will. */
export const webClient = (change: Partial<ClientDraft> = {}): ClientDraft => ({
  environment: "development",
  type: "web",
  redirectUris: ["http://localhost:4000/callback"],
  postLogoutRedirectUris: [],
  grantTypes: ["authorization_code", "refresh_token"],
  scopes: ["openid", "api:read"],
  firstParty: false,
  resourceServer: false,
  refreshRetrySeconds: 30,
  ...change,
});

/** An application with a web client for development. */
export async function seedApplication(deps: ApiDeps, name = "Shop") {
  const application = await createApplication({ name, description: "" }, deps);
  const { client, secret } = await registerClient({ ...webClient(), applicationId: application.id }, ADMIN, deps);
  return { applicationId: application.id, clientId: client.clientId, secret: secret ?? "" };
}

/** A session cookie for the person with this role, as a browser sends it. */
export async function signIn(deps: ApiDeps, role: Role): Promise<string> {
  const user = await findUser(deps.handle, role);
  if (!user) throw new Error(`nobody is ${role}`);
  const { secret } = await startSession({ user, userAgent: "Firefox", address: "192.0.2.1" }, deps);
  return sessionCookie(secret, deps.config).split(";")[0] ?? "";
}

/** An access token of a person (or, without one, of the client itself). */
export async function issueToken(
  deps: ApiDeps,
  of: { clientId: string; userId: string | null; scope: string } & Partial<AccessToken>,
): Promise<string> {
  const { secret, hash } = mintInOrder("accessToken", deps);
  const grantId = of.userId === null ? null : `grant-${secret.slice(-8)}`;
  if (grantId !== null && of.userId !== null)
    await deps.store.saveGrant({
      id: grantId,
      clientId: of.clientId,
      userId: of.userId,
      scope: of.scope,
      sessionId: null,
      accessEpoch: (await findUser(deps.handle, of.userId))?.accessEpoch ?? 0,
      createdAt: deps.now(),
    });
  await deps.store.saveAccessToken({
    hash,
    id: secret.slice(-10),
    grantId,
    audience: deps.config.resource,
    context: null,
    environment: "production",
    issuedAt: deps.now(),
    expiresAt: deps.now() + 600,
    ...of,
  });
  return secret;
}
