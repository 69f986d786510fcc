import { authorizationServerMetadata, authorize, introspect, jwks, revoke, token } from "@gatehouse/auth";
import { ISSUER, remembered, type Scene, WEB_SECRET } from "@gatehouse/auth/testing";
import { createCore } from "../src/core.ts";
import type { GatehouseError } from "../src/error.ts";
import { gatehouse } from "../src/gatehouse.ts";
import type { GatehouseOptions } from "../src/options.ts";
import { APP, createBrowser } from "./browser.ts";

export const CLIENT_ID = "shop-web";
const SCOPE = "openid profile email offline_access api:read";

const ENDPOINTS = {
  "/.well-known/oauth-authorization-server": authorizationServerMetadata,
  "/.well-known/jwks.json": jwks,
  "/token": token,
  "/introspect": introspect,
  "/revoke": revoke,
};

/** The protocol of packages/auth over a memory store, as the SDK reaches it. */
export function serverOf(s: Scene) {
  const server = {
    /** Requests that arrived, by path. */
    seen: {} as Record<string, number>,
    /** No connection. */
    isDown: false,
    /** Answers instead, or undefined; awaited before the request is handled. */
    before: async (_request: Request): Promise<Response | undefined> => undefined,
    fetch: async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (server.isDown) throw new TypeError("fetch failed");
      server.seen[pathname] = (server.seen[pathname] ?? 0) + 1;
      const instead = await server.before(request);
      const endpoint = ENDPOINTS[pathname as keyof typeof ENDPOINTS];
      return instead ?? (await endpoint(request, s.deps, s.caller));
    },
  };
  return server;
}

/** Forgets what the SDK's requests of this process share, as if it had just started. */
export function restartProcess(): void {
  delete (globalThis as Record<symbol, unknown>)[Symbol.for("gatehouse.sdk.1")];
}

/**
 * A product with the SDK, a Gatehouse server with its user Ada signed in, and a clock for both that stands still. The
 * client is as `init` registers it.
 */
export function product(options: GatehouseOptions = {}) {
  restartProcess();
  const s = remembered(SCOPE);
  s.changeClient(CLIENT_ID, {
    firstParty: true,
    redirectUris: [`${APP}/auth/callback`],
    postLogoutRedirectUris: [`${APP}/`],
    options: {
      rotateRefreshTokens: options.rotation ?? false,
      idTokenAlgorithm: "ES256",
      backchannelLogoutUri: `${APP}/auth/backchannel-logout`,
    },
  });
  const server = serverOf(s);
  const errors: GatehouseError[] = [];
  const all: GatehouseOptions = {
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: WEB_SECRET,
    appUrl: APP,
    scope: SCOPE,
    now: () => s.clock.now * 1000,
    fetch: server.fetch,
    onError: (error) => errors.push(error),
    ...options,
  };
  const app = gatehouse(all);

  return {
    s,
    server,
    errors,
    options: all,
    app,
    /** A core of the same process. */
    core: createCore(all),
    /** Another process of the same app. Call it before the first request, or requests already share their state. */
    async otherProcess() {
      await createCore(all).settings();
      restartProcess();
      const core = createCore(all);
      await core.settings();
      return core;
    },
    /** A browser of Ada's, who is signed in at the server. */
    browser: () =>
      createBrowser(app.handlers, async (location) => {
        const result = await authorize(new URL(location).searchParams, s.active, s.deps, s.caller);
        if (result.kind !== "redirect") throw new Error(`the server asks: ${result.kind}`);
        return result.to;
      }),
  };
}
