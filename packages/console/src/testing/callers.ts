import {
  ACR,
  type AccessToken,
  type Acr,
  ENVIRONMENTS,
  mintAccessToken,
  type Role,
  SCOPES,
  type ScopeTable,
  sessionCookie,
  startSession,
} from "@gatehouse/auth";
import { passwordSignIn } from "@gatehouse/auth/testing";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import type { TestEngine } from "@gatehouse/db/testing/engines";
import type { ApiTokenLimits } from "../api-tokens/limits.ts";
import type { Context, Principal } from "../context.ts";
import type { OperationDeps } from "../deps.ts";
import { scopesOfRole } from "../permissions.ts";
import { appRouter } from "../root.ts";
import { createCallerFactory } from "../trpc.ts";
import { openInstallation as openBare } from "./installation.ts";

export { ADMIN, ISSUER, NOON, seedApplication, webClient, webSettings, webStart } from "./installation.ts";

/** An installation for a test, and callers of its procedures. */
export const openInstallation = (engine: TestEngine) => openInstallationOf(engine, createCallerFactory(appRouter));

/** The same for another router; `scopes` are all that exist, Gatehouse's own when left out. */
export async function openInstallationOf<Caller>(
  engine: TestEngine,
  callerOf: (context: Context) => Caller,
  scopes: ScopeTable = SCOPES,
) {
  const installation = await openBare(engine);
  const deps = { ...installation.deps, config: { ...installation.deps.config, scopes } };

  const callAs = (principal: Principal | undefined, failure: "no_credential" | "invalid_token" = "no_credential") =>
    callerOf({
      deps,
      request: {
        headers: new Headers({ "sec-fetch-site": "same-origin", "content-type": "application/json" }),
        address: "192.0.2.1",
      },
      principal,
      challenge: "Bearer",
      dpopNonce: null,
      failure,
    });
  /**
   * Calls procedures as this person; with `held`, through an access token that has these scopes. The sign-in is fresh
   * by default.
   */
  const as = (
    role: Role,
    held?: readonly string[],
    { authTime = deps.now(), acr = ACR.mfa, undated = false }: SignIn = {},
  ) =>
    callAs({
      via: held ? "bearer" : "session",
      userId: role,
      email: `${role}@example.com`,
      name: role,
      role,
      scopes: held ?? scopesOfRole(role, scopes),
      audience: deps.config.resource,
      environment: held ? "production" : null,
      sessionId: null,
      clientId: held ? "client" : null,
      signedInAt: authTime,
      undated,
      acr,
    });

  /** Calls procedures with an API token of the admin that has these scopes. By default it has no limits. */
  const asToken = (held: readonly string[], limits: Partial<ApiTokenLimits> = {}) =>
    callAs({
      via: "api_token",
      userId: "admin",
      email: "admin@example.com",
      name: "admin",
      role: "admin",
      scopes: held,
      audience: deps.config.resource,
      environment: null,
      sessionId: null,
      clientId: null,
      signedInAt: null,
      acr: null,
      apiToken: {
        id: "token",
        name: "CI",
        environments: ENVIRONMENTS,
        clientId: null,
        firstPartyOrigins: [],
        ...limits,
      },
    });

  return {
    ...installation,
    deps,
    as,
    asToken,
    stranger: callAs(undefined),
    expired: callAs(undefined, "invalid_token"),
  };
}

/** Of a caller: when, at which level, and whether a provider left out when. */
export type SignIn = { authTime?: number | null; acr?: Acr; undated?: boolean };

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** A session cookie for the person with this id, as a browser sends it. */
export async function signIn(deps: OperationDeps, userId: string): Promise<string> {
  const user = await findUser(deps.db, userId);
  if (!user) throw new Error(`there is no user with the id ${userId}`);
  const { session, secret } = await startSession(
    { user, userAgent: "Firefox", address: "192.0.2.1", ...passwordSignIn(deps) },
    deps,
  );
  return sessionCookie(secret, session, deps.config).split(";")[0] ?? "";
}

/** An access token of a person (or, without one, of the client itself). */
export async function issueToken(
  deps: OperationDeps,
  of: { clientId: string; userId: string | null; scope: string } & Partial<AccessToken>,
): Promise<string> {
  const { secret, hash } = mintAccessToken(of.expiresAt ?? deps.now() + 600, deps.random);
  const grantId = of.userId === null ? null : `grant-${secret.slice(-8)}`;
  if (grantId !== null && of.userId !== null)
    await deps.store.saveGrant({
      id: grantId,
      clientId: of.clientId,
      userId: of.userId,
      scope: of.scope,
      sessionId: null,
      accessEpoch: (await findUser(deps.db, of.userId))?.accessEpoch ?? 0,
      createdAt: deps.now(),
    });
  await deps.store.saveAccessToken({
    hash,
    clientEpoch: (await deps.store.findClient(of.clientId))?.accessEpoch ?? 0,
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
