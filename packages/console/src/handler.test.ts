import { StoreUnavailable } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApplication } from "./applications/applications.ts";
import { CONSOLE_CLIENT_ID } from "./clients/built-in-clients.ts";
import { registerClient, setClientEnabled } from "./clients/register.ts";
import { createTrpcHandler } from "./handler.ts";
import { changePreviewFrame } from "./previews/frame.ts";
import { endSlot, putPreviewSlot } from "./previews/preview-slots.ts";
import { appRouter } from "./root.ts";
import {
  ADMIN,
  type Installation,
  ISSUER,
  issueToken,
  openInstallation,
  seedApplication,
  signIn,
  webClient,
} from "./testing/callers.ts";

const trpc = createTrpcHandler(appRouter);
const CALLER = { address: "192.0.2.1" };
const METADATA = `${ISSUER}/.well-known/oauth-protected-resource/api`;

describe.each(engines)("/trpc over HTTP, on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  let cookie: string;

  beforeAll(async () => {
    it = await openInstallation(engine);
    ({ clientId } = await seedApplication(it.deps));
    cookie = await signIn(it.deps, "admin");
  });
  afterAll(() => it.close());

  async function call(
    path: string,
    { input, headers = {} }: { input?: unknown; headers?: Record<string, string> } = {},
  ) {
    const mutation = input !== undefined;
    const init = mutation ? { method: "POST", body: JSON.stringify(input), headers } : { headers };
    const response = await trpc(new Request(`${ISSUER}/trpc/${path}`, init), it.deps, CALLER);
    const body = await response.text();
    return { status: response.status, headers: response.headers, body, json: JSON.parse(body) };
  }

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const tokenOf = (userId: string | null, scope = "api:read") => issueToken(it.deps, { clientId, userId, scope });

  test("accepts a session cookie", async () => {
    const { status, json, headers } = await call("me.get", { headers: { cookie } });
    expect(status).toBe(200);
    expect(json.result.data).toMatchObject({
      user: { email: "admin@example.com", role: "admin" },
      can: { manageProduction: true },
    });
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("accepts a bearer token with the required scope", async () => {
    const { status, json } = await call("me.get", { headers: bearer(await tokenOf("viewer")) });
    expect(status).toBe(200);
    expect(json.result.data).toMatchObject({ user: { role: "viewer" }, scopes: ["api:read"] });
  });

  test("OI-05 an application learns the user's address and name by the scopes email and profile, and the console always", async () => {
    const userOf = async (scope: string, by = clientId) => {
      const token = await issueToken(it.deps, { clientId: by, userId: "viewer", scope });
      return (await call("me.get", { headers: bearer(token) })).json.result.data.user;
    };
    const [email, name] = ["viewer@example.com", "viewer"];
    expect(await userOf("api:read")).toMatchObject({ id: "viewer", email: null, name: null });
    expect(await userOf("api:read email")).toMatchObject({ email, name: null });
    expect(await userOf("api:read profile")).toMatchObject({ email: null, name });
    const { id: applicationId } = await createApplication({ name: "Console", description: "" }, ADMIN, it.deps);
    await registerClient(
      { ...webClient({ firstParty: true }), applicationId, clientId: CONSOLE_CLIENT_ID },
      ADMIN,
      it.deps,
    );
    expect(await userOf("api:read", CONSOLE_CLIENT_ID)).toMatchObject({ email, name });
  });

  test("CO-64 SE-03 a request has the id of a trusted proxy, or a new one: a caller names none", async () => {
    const claimed = { cookie, "x-request-id": "claimed-by-the-caller" };
    const ids = [];
    for (const requestId of [undefined, "named-by-the-proxy"]) {
      const request = new Request(`${ISSUER}/trpc/me.get`, { headers: claimed });
      ids.push((await trpc(request, it.deps, { ...CALLER, requestId })).headers.get("x-request-id"));
    }
    expect(ids).toEqual([expect.not.stringContaining("claimed"), "named-by-the-proxy"]);
  });

  test("OP-30 an unavailable store is 503 with Retry-After in tRPC's format, with any credential", async () => {
    const outage = () => Promise.reject(new StoreUnavailable("no connection", { retryAfterSeconds: 7 }));
    const store = { ...it.deps.store, findAccessToken: outage, findSession: outage };
    for (const headers of [bearer("gat_0123456789"), { cookie }]) {
      const request = new Request(`${ISSUER}/trpc/me.get`, { headers });
      const answer = await trpc(request, { ...it.deps, store }, CALLER);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "7"]);
      expect(await answer.json()).toMatchObject({ error: { data: { code: "SERVICE_UNAVAILABLE" } } });
    }
  });

  test("OP-30 so is a store that fails during a procedure", async () => {
    const failing = new Proxy(it.deps.db, {
      get: (db, name) => {
        if (name === "select") throw new StoreUnavailable("no connection", { retryAfterSeconds: 7 });
        return Reflect.get(db, name);
      },
    });
    const answer = await trpc(
      new Request(`${ISSUER}/trpc/users.list?input={}`, { headers: { cookie } }),
      { ...it.deps, db: failing, reads: failing },
      CALLER,
    );
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "7"]);
  });

  test.each([
    [413, { "content-length": "524289" }],
    [411, { "transfer-encoding": "chunked" }],
  ])("TK-10 a body too large or without end is %i before any of it is read", async (status, headers) => {
    const unread = new ReadableStream({ pull: () => Promise.reject(new Error("it was read")) }, { highWaterMark: 0 });
    const request = {
      method: "POST",
      headers: new Headers({ cookie, "content-type": "application/json", ...headers }),
      body: unread,
    };
    const answer = await trpc(
      { url: `${ISSUER}/trpc/me.revokeApp`, ...request } as unknown as Request,
      it.deps,
      CALLER,
    );
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { data: { httpStatus: status } } });
  });

  test("RU-12 the largest client that may be registered fits: 100 redirect URIs and 100 for logout, of 2048 characters", async () => {
    const uris = (path: string) =>
      Array.from({ length: 100 }, (_, at) => `https://shop.example/${path}/${at}/`.padEnd(2048, "x"));
    const { applicationId } = await seedApplication(it.deps, "Largest");
    const input = {
      ...webClient(),
      applicationId,
      environment: "staging",
      redirectUris: uris("in"),
      postLogoutRedirectUris: uris("out"),
    };
    const headers = { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" };
    const { status, json } = await call("clients.register", { input, headers });
    expect([status, json.result?.data.client.redirectUris.length]).toEqual([200, 100]);
  });

  test("without a credential: 401 in JSON, with how to authenticate", async () => {
    const { status, headers, json } = await call("me.get");
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${METADATA}", DPoP algs="RS256 ES256 EdDSA Ed25519"`,
    );
    expect(json.error).toMatchObject({ message: "Sign in, or send an access token.", data: { code: "UNAUTHORIZED" } });
  });

  test("CO-88 SU-01 a change that needs a fresh sign-in is 401, says so in the challenge and in the error, and works after a new one", async () => {
    const add = async (secret: string, signedInSecondsAgo: number) => {
      const context = { authTime: it.clock.now - signedInSecondsAgo };
      const token = await issueToken(it.deps, { clientId, userId: "admin", scope: "webhooks:configure", context });
      const headers = { ...bearer(token), "content-type": "application/json" };
      return call("webhookSecrets.add", { input: { provider: "stripe", secret }, headers });
    };
    const stale = await add("whsec_stale_sign_in", 600);
    expect(stale.status).toBe(401);
    expect(stale.headers.get("www-authenticate")).toMatch(
      /^Bearer error="insufficient_user_authentication", error_description="[^"]+", max_age="600", resource_metadata="/,
    );
    expect(stale.json.error.data).toMatchObject({ code: "UNAUTHORIZED", stepUp: { maxAgeSeconds: 600 } });
    expect((await add("whsec_fresh_sign_in", 599)).status).toBe(200);
  });

  test.each([
    ["unknown", async () => bearer("gat_unknown")],
    ["malformed", async () => ({ authorization: "Bearer two words" })],
    ["of another scheme", async () => ({ authorization: "Basic YTpi" })],
    ["empty", async () => ({ authorization: "" })],
    [
      "expired",
      async () =>
        bearer(await issueToken(it.deps, { clientId, userId: "admin", scope: "api:read", expiresAt: it.clock.now })),
    ],
    [
      "for another resource",
      async () =>
        bearer(
          await issueToken(it.deps, {
            clientId,
            userId: "admin",
            scope: "api:read",
            audience: "https://other.example",
          }),
        ),
    ],
  ])("a token that is %s is refused, even beside a good cookie", async (_, headers) => {
    const answer = await call("me.get", { headers: { ...(await headers()), cookie } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
  });

  test("D22 a token of an environment that the built-in API does not accept is rejected, with the cause in the ledger", async () => {
    const token = { clientId, userId: "admin", scope: "api:read", environment: "development" } as const;
    expect((await call("me.get", { headers: { ...bearer(await issueToken(it.deps, token)), cookie } })).status).toBe(
      401,
    );
    const { refusals } = it.deps.db.tables;
    const causes = (await it.deps.db.select().from(refusals)).map(({ cause }) => cause);
    expect(causes).toContain("token_of_other_environment");
    const config = { ...it.deps.config, apiEnvironments: ["development"] as const };
    const request = new Request(`${ISSUER}/trpc/me.get`, { headers: bearer(await issueToken(it.deps, token)) });
    expect((await trpc(request, { ...it.deps, config }, CALLER)).status).toBe(200);
  });

  test("CC-04 a token without a user: 403", async () => {
    expect((await call("me.get", { headers: bearer(await tokenOf(null)) })).status).toBe(403);
  });

  test("CO-87 a request of another user's page is refused: 412, and nothing changes", async () => {
    const headers = { ...bearer(await tokenOf("admin", "api:read console:write")), "content-type": "application/json" };
    const create = (userId: string, name: string) =>
      call("applications.create", {
        input: { name, description: "" },
        headers: { ...headers, "gatehouse-user": userId },
      });
    expect((await create("viewer", "Not created")).status).toBe(412);
    expect((await create("admin", "Created")).status).toBe(200);
    const { json } = await call("applications.list?input=%7B%7D", { headers: { cookie } });
    const names = json.result.data.items.map(({ name }: { name: string }) => name);
    expect(names).toContain("Created");
    expect(names).not.toContain("Not created");
  });

  test("SE-15 a revoked app's token is invalid from the next request on", async () => {
    const headers = bearer(await tokenOf("user", "api:read account:write"));
    expect((await call("me.get", { headers })).status).toBe(200);
    const json = { "content-type": "application/json" };
    expect((await call("me.revokeApp", { input: { clientId }, headers: { ...headers, ...json } })).status).toBe(200);
    expect((await call("me.get", { headers })).status).toBe(401);
  });

  describe("SE-09 a change with a cookie", () => {
    const json = { "content-type": "application/json" };
    test.each<[string, Record<string, string>, number]>([
      ["from our own page", { ...json, "sec-fetch-site": "same-origin" }, 200],
      ["typed by hand", { ...json, "sec-fetch-site": "none" }, 403],
      ["from our origin, by an older browser", { ...json, origin: ISSUER }, 200],
      ["from another site", { ...json, "sec-fetch-site": "cross-site" }, 403],
      ["from a sister site", { ...json, "sec-fetch-site": "same-site" }, 403],
      ["whose fetch site contradicts its origin", { ...json, "sec-fetch-site": "cross-site", origin: ISSUER }, 403],
      ["from another origin", { ...json, origin: "https://evil.example" }, 403],
      ["from origin null", { ...json, origin: "null" }, 403],
      ["from nowhere", json, 403],
      ["as a form would send it", { "content-type": "text/plain", "sec-fetch-site": "same-origin" }, 415],
    ])("%s", async (name, headers, status) => {
      const answer = await call("applications.create", {
        input: { name: `By ${name}` },
        headers: { cookie, ...headers },
      });
      expect(answer.status).toBe(status);
    });

    test("requires none of that with a bearer token, which no other site can send", async () => {
      const headers = { ...json, ...bearer(await tokenOf("admin", "console:write")), "sec-fetch-site": "cross-site" };
      expect((await call("applications.create", { input: { name: "By token" }, headers })).status).toBe(200);
    });
  });

  test.each([
    ["an unknown procedure", "nothing.here", 404],
    ["input that is not JSON", "users.get?input=%7Bbad", 400],
    ["input of the wrong type", `users.get?input=${encodeURIComponent('{"id":7}')}`, 400],
    ["an invalid cursor", `users.list?input=${encodeURIComponent('{"cursor":"../etc"}')}`, 400],
    ["NUL in a search", `users.list?input=${encodeURIComponent('{"query":"\\u0000"}')}`, 400],
  ])("%s is told in JSON, without a stack", async (_, path, status) => {
    const answer = await call(path, { headers: { cookie } });
    expect(answer.status).toBe(status);
    expect(answer.body).not.toMatch(/stack|node_modules|\.ts/);
  });

  test("an invalid input names its fields", async () => {
    const { json } = await call(`users.list?input=${encodeURIComponent('{"limit":1000,"role":"king"}')}`, {
      headers: { cookie },
    });
    expect(json.error.data.problems.map(({ path }: { path: string }) => path)).toEqual(["role", "limit"].sort());
  });

  test("a token without the scope: 403 that names the scope to request, RFC 6750 §3.1", async () => {
    const answer = await call("me.get", { headers: bearer(await tokenOf("viewer", "openid")) });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="api:read", resource_metadata="${METADATA}"`,
    );
    expect(answer.json.error.data).toMatchObject({ code: "FORBIDDEN", missingScope: "api:read" });
  });

  describe("CORS: the pages that may read answers", () => {
    const SPA = "https://spa.example";
    const send = (method: string, headers: Record<string, string>) =>
      trpc(new Request(`${ISSUER}/trpc/me.get`, { method, headers }), it.deps, CALLER);
    const allowedTo = ({ headers }: Response) => headers.get("access-control-allow-origin");
    const browserClient = (change: Partial<ReturnType<typeof webClient>>) =>
      webClient({ type: "browser", environment: "production", redirectUris: [`${SPA}/callback`], ...change });

    test("are those of an enabled single-page app, until it is disabled", async () => {
      const { id: applicationId } = await createApplication({ name: "CORS", description: "" }, ADMIN, it.deps);
      const { client } = await registerClient({ ...browserClient({}), applicationId }, ADMIN, it.deps);
      it.clock.now += 1;
      const answer = await send("GET", { origin: SPA, ...bearer(await tokenOf("viewer")) });
      expect([answer.status, allowedTo(answer)]).toEqual([200, SPA]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("vary")).toContain("Origin");

      const refused = await send("GET", { origin: SPA });
      expect([refused.status, allowedTo(refused)]).toEqual([401, SPA]);
      expect(refused.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");

      const asked = {
        origin: SPA,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      };
      const preflight = await send("OPTIONS", asked);
      expect([preflight.status, allowedTo(preflight)]).toEqual([204, SPA]);
      expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, POST");
      expect(preflight.headers.get("access-control-allow-headers")).toBe(
        "authorization, content-type, dpop, mcp-protocol-version, *",
      );

      for (const origin of [
        "https://spa.example.evil.test",
        "http://spa.example",
        "https://spa.example:8443",
        "null",
        ISSUER,
      ]) {
        expect([origin, allowedTo(await send("GET", { origin }))]).toEqual([origin, null]);
        expect(allowedTo(await send("OPTIONS", { ...asked, origin }))).toBeNull();
      }

      await setClientEnabled({ clientId: client.clientId, enabled: false }, ADMIN, it.deps);
      it.clock.now += 1;
      expect(allowedTo(await send("GET", { origin: SPA }))).toBeNull();
    });

    test("CO-29 are those of its preview slots, while they live", async () => {
      const environment = "staging" as const;
      const deps = { ...it.deps, config: { ...it.deps.config, apiEnvironments: [environment] } };
      const allowed = async () => {
        it.clock.now += 1;
        const request = new Request(`${ISSUER}/trpc/me.get`, {
          method: "OPTIONS",
          headers: { origin: "https://pr-1.preview.example" },
        });
        return allowedTo(await trpc(request, deps, CALLER));
      };
      const { id: applicationId } = await createApplication({ name: "Previews", description: "" }, ADMIN, deps);
      const { client } = await registerClient({ ...browserClient({ environment }), applicationId }, ADMIN, deps);
      const operator = { ...ADMIN, role: "admin" as const, freshSince: it.clock.now };
      const slot = { clientId: client.clientId, key: "pr-1", redirectUri: "https://pr-1.preview.example/callback" };
      const frame = { hostPrefix: "", hostSuffix: ".preview.example", path: "/callback" };
      await changePreviewFrame({ clientId: client.clientId, frame, version: client.version }, operator, deps);
      expect(await allowed()).toBeNull();
      await putPreviewSlot(slot, operator, deps);
      expect(await allowed()).toBe("https://pr-1.preview.example");
      await endSlot(slot, operator, deps);
      expect(await allowed()).toBeNull();
    });

    test("are not those of other types of client, nor of environments that the API does not accept", async () => {
      const { id: applicationId } = await createApplication({ name: "No CORS", description: "" }, ADMIN, it.deps);
      const development = browserClient({
        environment: "development",
        redirectUris: ["http://localhost:5173/callback"],
      });
      await registerClient({ ...development, applicationId }, ADMIN, it.deps);
      const server = webClient({ environment: "production", redirectUris: ["https://server.example/callback"] });
      await registerClient({ ...server, applicationId }, ADMIN, it.deps);
      it.clock.now += 1;
      for (const origin of ["http://localhost:5173", "https://server.example"])
        expect(allowedTo(await send("GET", { origin }))).toBeNull();
    });
  });

  test("an internal error is reported, and its response reveals nothing", async () => {
    const reported: unknown[] = [];
    const broken = {
      ...it.deps,
      store: { ...it.deps.store, findSession: () => Promise.reject(new Error("disk /dev/sda1 is full")) },
    };
    const request = new Request(`${ISSUER}/trpc/me.get`, { headers: { cookie } });
    const response = await trpc(request, broken, CALLER, (error) => reported.push(error));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("disk");
    expect(reported).toHaveLength(1);
  });
});
