import { describe, expect, test } from "vitest";
import { decideConsent } from "./authorization/consent.ts";
import type { Environment } from "./clients/client.ts";
import { deviceAuthorization } from "./endpoints/device-authorization.ts";
import { introspect } from "./endpoints/introspect.ts";
import { pushedAuthorizationRequest } from "./endpoints/par.ts";
import { token } from "./endpoints/token.ts";
import { userinfo } from "./endpoints/userinfo.ts";
import { DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT } from "./grants/table.ts";
import { TOKEN_TYPE_URN } from "./grants/token-exchange.ts";
import { requireBearer } from "./guard/bearer.ts";
import type { ApiResource } from "./store/api-resources.ts";
import {
  type Answer,
  ask,
  basic,
  decideDevice,
  landed,
  MAIL,
  post,
  query,
  read,
  registerResources,
  type Scene,
  SERVICE_SECRET,
  STOCK,
  scene,
  sealedOf,
  textAt,
  VERIFIER,
  WEB_SECRET,
} from "./testing/index.ts";

const OWNER = basic("shop-web", WEB_SECRET);
const WORKER = basic("shop-worker", SERVICE_SECRET);
const SERVER = basic("shop-api", SERVICE_SECRET);
const NAMED = `&resource=${encodeURIComponent(STOCK.id)}`;
const lastCause = (s: Scene) => s.tables.refusals.at(-1)?.cause;

/** A scene in which these clients may ask for tokens of two more APIs, and are of this environment. */
function stage(environment: Environment, ...clientIds: string[]): Scene {
  const s = scene();
  registerResources(s, ...clientIds);
  for (const clientId of clientIds) s.changeClient(clientId, { environment });
  return s;
}

/** Changes a resource; counts once the registry is read again. */
function change(s: Scene, resource: ApiResource, by: Partial<ApiResource>): void {
  s.tables.resources.set(resource.id, { ...resource, ...by });
  s.clock.now += 1;
}

/** Asks as the user, allows, and trades the code. */
async function obtain(s: Scene, scope: string, more = ""): Promise<Answer> {
  const asked = await ask(s, { scope }, more);
  const result =
    asked.kind === "consent" ? await decideConsent(asked.request, "allow", s.active, s.deps, s.caller) : asked;
  const code = landed(result)["code"] ?? "";
  return post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, OWNER);
}

async function knock(
  s: Scene,
  secret: string,
  demand: Parameters<typeof requireBearer>[1] = { scope: [] },
): Promise<number> {
  const request = new Request("https://gate.example/api/resource", { headers: { authorization: `Bearer ${secret}` } });
  const result = await requireBearer(request, demand, s.deps, s.caller);
  return result.ok ? 200 : result.response.status;
}

describe("environments of a resource, D22", () => {
  const STOCK_TARGET = { resource: STOCK.id, scope: "stock:read" };
  const asks: [string, string, (s: Scene) => Promise<unknown>][] = [
    ["/authorize by resource", "invalid_target", (s) => ask(s, { scope: "stock:read" }, NAMED)],
    ["/authorize by scope", "invalid_scope", (s) => ask(s, { scope: "stock:read" })],
    [
      "/par",
      "invalid_target",
      (s) => post(s, pushedAuthorizationRequest, [...query({ scope: "stock:read" }, NAMED)], OWNER),
    ],
    [
      "/device_authorization by resource",
      "invalid_target",
      (s) => post(s, deviceAuthorization, { client_id: "shop-tv", ...STOCK_TARGET }),
    ],
    [
      "/device_authorization by scope",
      "invalid_scope",
      (s) => post(s, deviceAuthorization, { client_id: "shop-tv", scope: "stock:read" }),
    ],
    [
      "/token by resource",
      "invalid_target",
      (s) => post(s, token, { grant_type: "client_credentials", ...STOCK_TARGET }, WORKER),
    ],
    [
      "/token by scope",
      "invalid_scope",
      (s) => post(s, token, { grant_type: "client_credentials", scope: "stock:read" }, WORKER),
    ],
  ];

  test.each(asks)(
    "RI-01: a development client is refused at %s while production alone is admitted, which is the default",
    async (_, error, asking) => {
      const s = stage("development", "shop-web", "shop-tv", "shop-worker");
      await asking(s);
      expect(s.tables.refusals).toMatchObject([{ error, cause: "resource_of_other_environment" }]);

      change(s, STOCK, { environments: ["development"] });
      await asking(s);
      expect(s.tables.refusals).toHaveLength(1);
    },
  );

  test("the default depends on the issuer: all environments while it is http on loopback", async () => {
    const s = stage("development", "shop-worker");
    s.deps.config = { ...s.deps.config, issuer: "http://localhost:3000" };
    expect((await post(s, token, { grant_type: "client_credentials", resource: STOCK.id }, WORKER)).status).toBe(200);
    change(s, STOCK, { environments: ["production"] });
    expect((await post(s, token, { grant_type: "client_credentials", resource: STOCK.id }, WORKER)).body["error"]).toBe(
      "invalid_target",
    );
  });

  test("a code, a refresh token, a device code and a token to exchange are rejected once the resource no longer allows their environment", async () => {
    const s = stage("staging", "shop-web", "shop-tv", "shop-api");
    change(s, STOCK, { environments: ["staging"] });
    const code = landed(
      await decideConsent(
        sealedOf(await ask(s, { scope: "stock:read" }), "consent"),
        "allow",
        s.active,
        s.deps,
        s.caller,
      ),
    )["code"];
    const tokens = await obtain(s, "stock:read");
    const started = await post(s, deviceAuthorization, { client_id: "shop-tv", scope: "stock:read" }, {});
    await decideDevice(s, textAt(started, "user_code"));
    s.changeClient("shop-api", {
      grantTypes: ["client_credentials", TOKEN_EXCHANGE_GRANT],
      options: { resources: [STOCK.id], serves: [STOCK.id] },
    });
    const access = textAt(tokens, "access_token");
    const exchange = { grant_type: TOKEN_EXCHANGE_GRANT, subject_token: access, subject_token_type: TOKEN_TYPE_URN };
    expect((await post(s, token, exchange, SERVER)).status).toBe(200);

    change(s, STOCK, { environments: ["production"] });
    const asks: [Record<string, string>, Record<string, string>][] = [
      [{ grant_type: "authorization_code", code: code ?? "", code_verifier: VERIFIER }, OWNER],
      [{ grant_type: "refresh_token", refresh_token: textAt(tokens, "refresh_token") }, OWNER],
      [{ grant_type: "refresh_token", refresh_token: textAt(tokens, "refresh_token"), resource: STOCK.id }, OWNER],
      [{ grant_type: DEVICE_CODE_GRANT, device_code: textAt(started, "device_code"), client_id: "shop-tv" }, {}],
      [exchange, SERVER],
    ];
    for (const [parameters, headers] of asks) {
      const answer = await post(s, token, parameters, headers);
      expect([answer.body["error"], lastCause(s)], parameters["grant_type"]).toEqual([
        "invalid_target",
        "resource_of_other_environment",
      ]);
    }
    const narrowed = {
      grant_type: "refresh_token",
      refresh_token: textAt(tokens, "refresh_token"),
      scope: "stock:read",
    };
    expect((await post(s, token, narrowed, OWNER)).body["error"]).toBe("invalid_scope");
    expect(lastCause(s)).toBe("resource_of_other_environment");
    // Nothing was spent meanwhile.
    change(s, STOCK, { environments: ["staging"] });
    for (const [parameters, headers] of asks) expect((await post(s, token, parameters, headers)).status).toBe(200);
  });
});

describe("self-described clients, D21", () => {
  const admitted = (s: Scene, by: Partial<ApiResource>) => {
    s.changeClient("shop-web", { origin: "dynamic", options: {} });
    change(s, STOCK, by);
  };

  test("a resource denies them by default, however they were registered before", async () => {
    const s = stage("production", "shop-web");
    admitted(s, {});
    for (const more of ["", NAMED]) {
      const answer = await ask(s, { scope: "stock:read" }, more);
      expect(answer).toMatchObject({ kind: "refuse" });
      expect(lastCause(s)).toBe("resource_refuses_strangers");
    }
  });

  test("one that allows them asks their users; once it denies them, their refresh tokens are rejected", async () => {
    const s = stage("production", "shop-web");
    admitted(s, { strangers: "asked" });
    const asked = sealedOf(await ask(s, { scope: "stock:read" }, NAMED), "consent");
    const allowed = await decideConsent(asked, "allow", s.active, s.deps, s.caller);
    const code = landed(allowed)["code"] ?? "";
    const tokens = await post(s, token, { grant_type: "authorization_code", code, code_verifier: VERIFIER }, OWNER);
    expect(tokens.status).toBe(200);

    change(s, STOCK, {});
    const renewed = { grant_type: "refresh_token", refresh_token: textAt(tokens, "refresh_token") };
    expect((await post(s, token, renewed, OWNER)).body["error"]).toBe("invalid_target");
    expect(lastCause(s)).toBe("resource_refuses_strangers");
  });

  test("their environment is production, which the resource must allow too", async () => {
    const s = stage("production", "shop-web");
    admitted(s, { strangers: "asked", environments: ["staging"] });
    expect(await ask(s, { scope: "stock:read" }, NAMED)).toMatchObject({ kind: "refuse" });
    expect(lastCause(s)).toBe("resource_of_other_environment");
  });
});

describe("every token check includes the environment, D22", () => {
  const ours = async (s: Scene) => textAt(await obtain(s, "openid api:read"), "access_token");

  test("our own API accepts production by default, every environment on loopback, or those configured", async () => {
    const s = scene();
    s.changeClient("shop-web", { environment: "development" });
    const secret = await ours(s);
    expect(await knock(s, secret)).toBe(401);
    expect(s.tables.refusals.at(-1)).toMatchObject({
      error: "invalid_token",
      cause: "token_of_other_environment",
      detail: { environment: "development", accepted: "production", clientId: "shop-web" },
    });
    const { config } = s.deps;
    for (const [more, status] of [
      [{ apiEnvironments: ["production", "development"] }, 200],
      [{ apiEnvironments: ["staging"] }, 401],
      [{ issuer: "http://localhost:3000" }, 200],
      [{ issuer: "http://localhost:3000", apiEnvironments: ["production"] }, 401],
    ] as const) {
      s.deps.config = { ...config, ...more };
      expect(await knock(s, secret), JSON.stringify(more)).toBe(status);
    }
  });

  test("a route may require certain environments", async () => {
    const s = scene();
    const secret = await ours(s);
    expect(await knock(s, secret, { scope: [], environments: ["production"] })).toBe(200);
    expect(await knock(s, secret, { scope: [], environments: ["staging"] })).toBe(401);
  });

  test("a registered resource accepts the environments it allows, with changes within a second", async () => {
    const s = stage("staging", "shop-web");
    change(s, STOCK, { environments: ["staging", "production"] });
    const secret = textAt(await obtain(s, "stock:read"), "access_token");
    const demand = { scope: "stock:read", audience: STOCK.id };
    expect(await knock(s, secret, demand)).toBe(200);
    change(s, STOCK, { environments: ["production"] });
    expect([await knock(s, secret, demand), lastCause(s)]).toEqual([401, "token_of_other_environment"]);
  });

  test("introspection reports tokens of an environment that the resource does not accept as inactive", async () => {
    const s = stage("staging", "shop-web");
    change(s, STOCK, { environments: ["staging", "production"] });
    s.changeClient("shop-api", { options: { serves: [STOCK.id, s.deps.config.resource] } });
    const [stock, own] = [textAt(await obtain(s, "stock:read"), "access_token"), await ours(s)];
    const seen = async (secret: string, auth = SERVER) => (await post(s, introspect, { token: secret }, auth)).body;
    expect(await seen(stock)).toMatchObject({ active: true, environment: "staging" });
    expect(await seen(own)).toEqual({ active: false });
    expect(await seen(own, OWNER)).toMatchObject({ active: true, environment: "staging" });
    change(s, STOCK, { environments: ["production"] });
    expect(await seen(stock)).toEqual({ active: false });
    s.deps.config = { ...s.deps.config, apiEnvironments: ["staging"] };
    expect(await seen(own)).toMatchObject({ active: true, environment: "staging" });
  });

  test.each<[server: Environment, token: Environment, active: boolean]>([
    ["production", "production", true],
    ["production", "staging", true],
    ["production", "development", true],
    ["staging", "production", false],
    ["staging", "staging", true],
    ["staging", "development", true],
    ["development", "production", false],
    ["development", "staging", false],
    ["development", "development", true],
  ])(
    "IN-05 a %s resource server that asks about a %s token of an API that admits both: active is %s",
    async (server, environment, active) => {
      const s = stage(environment, "shop-web");
      change(s, STOCK, { environments: ["development", "staging", "production"] });
      s.deps.config = { ...s.deps.config, apiEnvironments: ["development", "staging", "production"] };
      s.changeClient("shop-api", { environment: server, options: { serves: [STOCK.id, s.deps.config.resource] } });
      for (const secret of [textAt(await obtain(s, "stock:read"), "access_token"), await ours(s)]) {
        const told = await post(s, introspect, { token: secret }, SERVER);
        expect(told.body["active"]).toBe(active);
        if (!active) expect(told.text).toBe('{"active":false}');
      }
    },
  );

  test("JT-01 a JWT contains its environment", async () => {
    const s = stage("staging", "shop-web");
    change(s, MAIL, { environments: ["staging"] });
    const [, claims = ""] = textAt(await obtain(s, "mail:send"), "access_token").split(".");
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
      aud: MAIL.id,
      environment: "staging",
    });
  });

  test("OI-05 a client of any environment learns at /userinfo who signed in to it", async () => {
    const s = scene();
    s.changeClient("shop-web", { environment: "development" });
    const request = new Request("https://gate.example/userinfo", {
      headers: { authorization: `Bearer ${await ours(s)}` },
    });
    expect(await read(await userinfo(request, s.deps, s.caller))).toMatchObject({
      status: 200,
      body: { sub: s.user.id },
    });
  });
});
