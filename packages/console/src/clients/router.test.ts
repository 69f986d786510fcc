import { ACR, DEVICE_CODE_GRANT, type GrantType, sha256, TOKEN_EXCHANGE_GRANT } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApplication } from "../applications/applications.ts";
import {
  ADMIN,
  type Installation,
  openInstallation,
  seedApplication,
  webClient,
  webSettings,
} from "../testing/callers.ts";
import { CONSOLE_CLIENT_ID } from "./built-in-clients.ts";
import { MAX_CLIENTS } from "./names.ts";
import { registerClient } from "./register.ts";
import { listClientSecrets } from "./secret-queries.ts";
import { ensureSecret } from "./secrets.ts";

const MAIN = { name: "Main", applicationName: "Shop", environment: "development" } as const;

describe.each(engines)("clients, on $name", (engine) => {
  let it: Installation;
  let shop: Awaited<ReturnType<typeof seedApplication>>;
  let count = 0;

  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  beforeEach(async () => {
    count += 1;
    shop = await seedApplication(it.deps, `Shop ${count}`);
  });
  afterAll(() => it.close());

  const empty = async () => (await createApplication({ name: `Empty ${count}`, description: "" }, ADMIN, it.deps)).id;

  test("SE-06 a new secret is shown once and stored as a hash", async () => {
    const [stored, ...rest] = await listClientSecrets(it.deps.db, [shop.clientId]);
    expect(rest).toEqual([]);
    expect(stored).toMatchObject({ hash: sha256(shop.secret), hint: shop.secret.slice(-4) });
    expect(JSON.stringify([stored, await it.as("admin").clients.get({ clientId: shop.clientId })])).not.toContain(
      shop.secret,
    );
    expect(await it.deps.store.findClient(shop.clientId)).toMatchObject({
      enabled: true,
      secrets: [{ hash: sha256(shop.secret) }],
    });
  });

  test.each(["browser", "native", "device"] as const)("a %s client is public: no secret", async (type) => {
    const device = type === "device";
    const registration = webClient({
      type,
      redirectUris: device ? [] : ["http://localhost:4000/callback"],
      grantTypes: device ? [DEVICE_CODE_GRANT] : ["authorization_code"],
    });
    const { client, secret } = await it
      .as("developer")
      .clients.register({ ...registration, applicationId: await empty() });
    expect(secret).toBeNull();
    await expect(it.as("admin").clients.addSecret({ clientId: client.clientId })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  test("PA-05 DP-06: a client can be required to push its requests and to prove its key, and the protocol sees that", async () => {
    const options = { requirePushedRequests: true, dpopBound: true, dpopNonce: true };
    const registered = await it
      .as("developer")
      .clients.register({ ...webClient(), options, applicationId: await empty() });
    const { clientId } = registered.client;
    expect(registered.client.options).toEqual(options);
    expect(await it.deps.store.findClient(clientId)).toMatchObject({ options });
    await it.as("developer").clients.update({ ...webSettings(), clientId, options: { dpopBound: true } });
    expect((await it.deps.store.findClient(clientId))?.options).toEqual({ dpopBound: true });
  });

  test("CF-14 RU-05: a native client may have a scheme without a period, with a warning; no other type may, and nobody a dangerous one", async () => {
    const uri = "cursor://anysphere.cursor-mcp/oauth/callback";
    const native = webClient({ type: "native", redirectUris: [uri], grantTypes: ["authorization_code"] });
    const { client } = await it.as("developer").clients.register({ ...native, applicationId: await empty() });
    expect(await it.deps.store.findClient(client.clientId)).toMatchObject({ redirectUris: [uri] });

    const verdict = (checked: string, type: "native" | "web") =>
      it.as("viewer").clients.checkRedirectUri({ uri: checked, type, environment: "development" });
    expect(await verdict(uri, "native")).toMatchObject({
      ok: true,
      warning: expect.stringContaining("Any other app can claim"),
    });
    expect(await verdict("com.example.app:/cb", "native")).toMatchObject({ ok: true, warning: null });
    expect(await verdict(uri, "web")).toMatchObject({ ok: false });
    for (const dangerous of ["javascript:alert(1)", "intent://x/cb", "vbscript:x", "ms-msdt:/id", "data:text/html,x"]) {
      expect(await verdict(dangerous, "native")).toMatchObject({ ok: false });
      const refused = {
        ...native,
        redirectUris: [dangerous],
        applicationId: shop.applicationId,
        environment: "staging" as const,
      };
      await expect(it.as("developer").clients.register(refused)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
  });

  test("a client is registered at most once per environment", async () => {
    const again = it.as("admin").clients.register({ ...webClient(), applicationId: shop.applicationId });
    await expect(again).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("development") });
  });

  describe("an application has several clients", () => {
    let applicationId: string;
    const draft = () => ({ ...webClient(), applicationId });
    const names = async () =>
      (await it.as("viewer").applications.get({ id: applicationId })).clients.map(({ name }) => name);
    beforeEach(async () => {
      applicationId = await empty();
      await it.as("developer").clients.register({ ...draft(), name: "Web" });
    });

    test("each with its own id, secret and environments", async () => {
      const cli = await it.as("developer").clients.register({ ...draft(), name: "CLI" });
      const staging = await it.as("developer").clients.register({ ...draft(), name: "CLI", environment: "staging" });
      expect(staging.client.clientId).not.toBe(cli.client.clientId);
      const { items } = await it.as("viewer").applications.list({ query: cli.client.clientId });
      expect(items[0]?.clients.map(({ name, environment }) => [name, environment])).toEqual([
        ["CLI", "development"],
        ["CLI", "staging"],
        ["Web", "development"],
      ]);
    });

    test("while it has one, the name can be left out; with two it cannot", async () => {
      const staging = await it.as("developer").clients.register({ ...draft(), environment: "staging" });
      expect(staging.client.name).toBe("Web");
      await it.as("developer").clients.register({ ...draft(), name: "iOS" });
      const unnamed = it.as("developer").clients.register({ ...draft(), environment: "staging" });
      await expect(unnamed).rejects.toMatchObject({
        cause: { problems: [{ path: "name", message: expect.stringContaining("iOS, Web") }] },
      });
      const pair = { applicationId, from: "development", to: "staging" } as const;
      await expect(it.as("viewer").clients.comparePromotion(pair)).rejects.toMatchObject({ code: "BAD_REQUEST" });
      expect(await it.as("viewer").clients.comparePromotion({ ...pair, name: "iOS" })).toMatchObject({
        targetExists: false,
      });
    });

    test("promoting one copies its settings and leaves the others alone", async () => {
      await it.as("developer").clients.register({ ...draft(), name: "CLI", scopes: ["api:read"] });
      const pair = { applicationId, name: "CLI", from: "development", to: "staging" } as const;
      const { client } = await it
        .as("developer")
        .clients.promote({ ...pair, redirectUris: ["https://staging.example/cb"] });
      expect(client).toMatchObject({ name: "CLI", environment: "staging", scopes: ["api:read"] });
      expect(await names()).toEqual(["CLI", "CLI", "Web"]);
    });

    test("one is renamed in all its environments, not to the name of another, and not by a developer once it is in production", async () => {
      const { clients } = it.as("developer");
      await clients.register({ ...draft(), environment: "staging" });
      await clients.rename({ applicationId, name: "Web", newName: "Site" });
      expect(await names()).toEqual(["Site", "Site"]);
      await clients.register({ ...draft(), name: "CLI" });
      await expect(clients.rename({ applicationId, name: "Site", newName: "CLI" })).rejects.toMatchObject({
        code: "CONFLICT",
      });
      await expect(clients.rename({ applicationId, name: "Web", newName: "X" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      const production = { environment: "production" as const, redirectUris: ["https://shop.example/cb"] };
      await it.as("admin").clients.register({ ...draft(), ...production, name: "CLI" });
      await expect(clients.rename({ applicationId, name: "CLI", newName: "Shell" })).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    });

    test("at most twenty", async () => {
      for (let at = 1; at < MAX_CLIENTS; at++)
        await it.as("developer").clients.register({ ...draft(), name: `Client ${at}` });
      await expect(it.as("developer").clients.register({ ...draft(), name: "One more" })).rejects.toMatchObject({
        code: "CONFLICT",
      });
      await it.as("developer").clients.register({ ...draft(), name: "Web", environment: "staging" });
    });
  });

  test("of ten concurrent registrations for one environment, one wins", async () => {
    const applicationId = await empty();
    const tries = await Promise.allSettled(
      Array.from({ length: 10 }, () => registerClient({ ...webClient(), applicationId }, ADMIN, it.deps)),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test.each([
    ["RU-03 a wildcard", { redirectUris: ["https://a.example/*"] }, "redirectUris.0"],
    [
      "RU-12 a hundred and one URIs",
      { redirectUris: Array.from({ length: 101 }, (_, at) => `https://a.example/${at}`) },
      "redirectUris",
    ],
    ["a URI twice", { redirectUris: ["https://a.example/x", "https://a.example/x"] }, "redirectUris.1"],
    ["no redirect URI", { redirectUris: [] }, "redirectUris"],
    ["SD-06 each rejected URI", { redirectUris: ["https://a.example/ok", "http://b.example/"] }, "redirectUris.1"],
    ["an unknown scope", { scopes: ["api:everything"] }, "scopes.0"],
    ["a console scope for a third party", { scopes: ["console:read"] }, "scopes.0"],
    ["an account scope for a third party", { scopes: ["api:read", "account:write"] }, "scopes.1"],
    [
      "CC-02 a user's scope for a service",
      { type: "service", redirectUris: [], grantTypes: ["client_credentials"] },
      "scopes.0",
    ],
    [
      "CC-01 client credentials for a public client",
      { type: "browser", grantTypes: ["client_credentials"] },
      "grantTypes.0",
    ],
    ["refresh tokens alone", { grantTypes: ["refresh_token"], redirectUris: [] }, "grantTypes"],
    ["a resource server that is not a service", { resourceServer: true }, "resourceServer"],
    ["D11 loopback in production", { environment: "production" }, "redirectUris.0"],
    [
      "TX-01 token exchange for a public client",
      { type: "native", grantTypes: ["authorization_code", TOKEN_EXCHANGE_GRANT] },
      "grantTypes.1",
    ],
    ["access tokens of less than a minute", { options: { accessTokenSeconds: 59 } }, "options.accessTokenSeconds"],
    ["access tokens of more than a day", { options: { accessTokenSeconds: 86_401 } }, "options.accessTokenSeconds"],
    [
      "refresh tokens of more than 400 days",
      { options: { refreshAbsoluteSeconds: 400 * 86_400 + 1 } },
      "options.refreshAbsoluteSeconds",
    ],
    ["RT-07 an idle expiry of minutes", { options: { refreshIdleSeconds: 600 } }, "options.refreshIdleSeconds"],
    [
      "RT-07 an idle expiry after the end",
      { options: { refreshIdleSeconds: 31 * 86_400 } },
      "options.refreshIdleSeconds",
    ],
    [
      "BB-06 two days for a browser client",
      { type: "browser", options: { refreshIdleSeconds: 2 * 86_400 } },
      "options.refreshIdleSeconds",
    ],
    [
      "CF-24 a kept refresh token of a public client",
      { type: "browser", options: { rotateRefreshTokens: false } },
      "options.rotateRefreshTokens",
    ],
    ["MF-11 a level that nobody knows", { options: { requireAcr: "urn:example:loa3" } }, "options.requireAcr"],
    ["MF-11 the level of a provider", { options: { requireAcr: ACR.upstream } }, "options.requireAcr"],
    [
      "MF-11 an unknown default level",
      { options: { defaultAcrValues: [ACR.mfa, "loa3"] } },
      "options.defaultAcrValues.1",
    ],
    ["MF-11 a negative age of a sign-in", { options: { defaultMaxAge: -1 } }, "options"],
    [
      "MF-11 a level beside a grant that checks none",
      { type: "native", grantTypes: ["authorization_code", DEVICE_CODE_GRANT], options: { requireAcr: ACR.mfa } },
      "options.requireAcr",
    ],
    [
      "PA-05 pushing for a client without redirects",
      {
        type: "service",
        redirectUris: [],
        grantTypes: ["client_credentials"],
        scopes: ["api:read"],
        options: { requirePushedRequests: true },
      },
      "options.requirePushedRequests",
    ],
  ] as const)("refuses %s and names the field", async (_, change, path) => {
    const registration = {
      ...structuredClone(webClient()),
      ...structuredClone(change),
      applicationId: await empty(),
    } as Parameters<ReturnType<Installation["as"]>["clients"]["register"]>[0];
    await expect(it.as("admin").clients.register(registration)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining(path),
    });
  });

  test("a client's lifetimes are stored, shown and used by the protocol; the bounds are inclusive", async () => {
    const options = {
      rotateRefreshTokens: false,
      accessTokenSeconds: 86_400,
      refreshIdleSeconds: 3600,
      refreshAbsoluteSeconds: 400 * 86_400,
    };
    const grantTypes: GrantType[] = ["authorization_code", "refresh_token", TOKEN_EXCHANGE_GRANT];
    const { client } = await it
      .as("developer")
      .clients.register({ ...webClient(), grantTypes, options, applicationId: await empty() });
    expect(client).toMatchObject({ options, grantTypes });
    expect(await it.deps.store.findClient(client.clientId)).toMatchObject({ options, grantTypes });
  });

  test("MF-11 a client's levels are stored, shown and used by the protocol", async () => {
    const options = { requireAcr: ACR.mfa, defaultAcrValues: ["phr", ACR.mfa], defaultMaxAge: 0 };
    const { clients } = it.as("developer");
    const { client } = await clients.register({ ...webClient(), options, applicationId: await empty() });
    expect(client).toMatchObject({ options });
    await clients.update({ ...webSettings(), clientId: client.clientId, options: { ...options, defaultMaxAge: 3600 } });
    expect((await it.deps.store.findClient(client.clientId))?.options).toEqual({ ...options, defaultMaxAge: 3600 });
  });

  describe("what a developer may not do", () => {
    const forbidden = { code: "FORBIDDEN" };
    const redirectUris = ["https://a.example/cb"];
    const production = () => webClient({ environment: "production", redirectUris });

    test("register, change, disable or delete in production", async () => {
      const { developer, admin } = { developer: it.as("developer").clients, admin: it.as("admin").clients };
      await expect(developer.register({ ...production(), applicationId: shop.applicationId })).rejects.toMatchObject(
        forbidden,
      );
      const { client } = await admin.register({ ...production(), applicationId: shop.applicationId });
      const { clientId } = client;
      await expect(developer.update({ ...webSettings({ redirectUris }), clientId })).rejects.toMatchObject(forbidden);
      await expect(developer.setEnabled({ clientId, enabled: false })).rejects.toMatchObject(forbidden);
      await expect(developer.addSecret({ clientId })).rejects.toMatchObject(forbidden);
      await expect(developer.remove({ clientId })).rejects.toMatchObject(forbidden);
      await expect(it.as("developer").applications.remove({ id: shop.applicationId })).rejects.toMatchObject(forbidden);
      expect(await developer.get({ clientId })).toMatchObject({ environment: "production" });
    });

    test("promote to production", async () => {
      const promotion = {
        applicationId: shop.applicationId,
        from: "development",
        redirectUris: ["https://a.example/cb"],
      } as const;
      const input = { ...promotion, redirectUris: [...promotion.redirectUris] };
      await expect(it.as("developer").clients.promote({ ...input, to: "production" })).rejects.toMatchObject(forbidden);
      expect(await it.as("developer").clients.promote({ ...input, to: "staging" })).toMatchObject({
        client: { environment: "staging" },
      });
    });

    test("make a client first-party, or change one: it acts with the rights of admins", async () => {
      const { clientId } = shop;
      const firstParty = { ...webSettings({ firstParty: true, scopes: ["console:write"] }), clientId };
      await expect(it.as("developer").clients.update(firstParty)).rejects.toMatchObject(forbidden);
      await it.as("admin").clients.update(firstParty);
      await expect(it.as("developer").clients.update({ ...webSettings(), clientId })).rejects.toMatchObject(forbidden);
      await expect(it.as("developer").clients.addSecret({ clientId })).rejects.toMatchObject(forbidden);
    });
  });

  describe("rotating a secret", () => {
    test("a second secret is active beside the first, which expires when requested", async () => {
      const added = await it.as("developer").clients.addSecret({ clientId: shop.clientId, expiresInSeconds: 3600 });
      const { secrets } = await it.as("viewer").clients.get({ clientId: shop.clientId });
      expect(secrets.map(({ id, expiresAt }) => [id === added.secretId, expiresAt])).toEqual(
        expect.arrayContaining([
          [false, it.clock.now + 3600],
          [true, null],
        ]),
      );
    });

    test("a third is rejected, also for five concurrent callers", async () => {
      const add = () => it.as("admin").clients.addSecret({ clientId: shop.clientId });
      await Promise.allSettled([add(), add(), add(), add(), add()]);
      expect((await it.as("admin").clients.get({ clientId: shop.clientId })).secrets.length).toBeLessThanOrEqual(2);
      await add().catch(() => {});
      await expect(add()).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("Retire") });
    });

    test("retiring the last active one requires confirmation; it stays in the store for the ledger", async () => {
      const { clientId } = shop;
      const [only] = (await it.as("admin").clients.get({ clientId })).secrets;
      const secretId = only?.id ?? "";
      await expect(it.as("admin").clients.retireSecret({ clientId, secretId })).rejects.toMatchObject({
        code: "CONFLICT",
      });
      await it.as("admin").clients.retireSecret({ clientId, secretId, confirmLast: true });
      expect((await it.as("admin").clients.get({ clientId })).secrets).toEqual([]);
      expect(await it.deps.store.findClient(clientId)).toMatchObject({
        secrets: [{ id: secretId, revokedAt: it.clock.now }],
      });
      await expect(
        it.as("admin").clients.retireSecret({ clientId, secretId, confirmLast: true }),
      ).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    test("another client's secret is not found", async () => {
      const other = await seedApplication(it.deps, `Other ${count}`);
      const [secret] = (await it.as("admin").clients.get({ clientId: other.clientId })).secrets;
      const attempt = it
        .as("admin")
        .clients.retireSecret({ clientId: shop.clientId, secretId: secret?.id ?? "", confirmLast: true });
      await expect(attempt).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    test("a given secret is added once, however often", async () => {
      const ensure = () => ensureSecret({ ...MAIN, id: shop.clientId }, "chosen-by-the-operator", ADMIN, it.deps);
      expect((await Promise.all([ensure(), ensure(), ensure()])).filter(Boolean)).toHaveLength(1);
      expect(await ensure()).toBe(false);
    });
  });

  test("the protocol sees a disabled client as disabled, and deleting the application deletes the client", async () => {
    const { clientId, applicationId } = shop;
    expect(await it.as("developer").clients.setEnabled({ clientId, enabled: false })).toMatchObject({ enabled: false });
    expect(await it.deps.store.findClient(clientId)).toMatchObject({ enabled: false });
    await it.as("developer").applications.remove({ id: applicationId });
    expect(await it.deps.store.findClient(clientId)).toBeUndefined();
  });

  test("RU-11 the type of a client cannot change", async () => {
    const { clientId } = shop;
    const retyped = { ...webSettings(), clientId, type: "native" as const };
    await expect(it.as("admin").clients.update(retyped)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await it.as("viewer").clients.get({ clientId })).toMatchObject({ type: "web" });
    expect(await it.deps.store.findClient(clientId)).toMatchObject({ type: "web" });
  });

  test("RU-10 a removed redirect URI is rejected from the next request on", async () => {
    const { clientId } = shop;
    await it
      .as("developer")
      .clients.update({ ...webSettings({ redirectUris: ["http://localhost:4000/other"] }), clientId });
    expect(await it.deps.store.findClient(clientId)).toMatchObject({ redirectUris: ["http://localhost:4000/other"] });
  });

  test("promoting copies all but the URIs; the comparison shows what would change", async () => {
    const { applicationId } = shop;
    const pair = { applicationId, from: "development", to: "production" } as const;
    expect(await it.as("viewer").clients.comparePromotion(pair)).toMatchObject({ targetExists: false, blocked: null });
    const redirectUris = ["https://shop.example/cb"];
    const first = await it.as("admin").clients.promote({ ...pair, redirectUris });
    expect(first).toMatchObject({
      client: { redirectUris, scopes: ["openid", "api:read"] },
      secret: expect.stringMatching(/^gcs_/),
    });

    await it.as("admin").clients.update({ ...webSettings({ scopes: ["api:write"] }), clientId: shop.clientId });
    const diff = await it.as("viewer").clients.comparePromotion(pair);
    expect(diff.fields.filter(({ differs, promoted }) => differs && promoted).map(({ field }) => field)).toEqual([
      "scopes",
    ]);
    const second = await it.as("admin").clients.promote({ ...pair, redirectUris });
    expect(second).toMatchObject({ client: { clientId: first.client.clientId, scopes: ["api:write"] }, secret: null });
  });

  test("CO-24 the comparison names what to look at twice: http, skipped consent, wide scopes, and what 30 days did not use", async () => {
    const { applicationId, clientId } = shop;
    const grantTypes: ("authorization_code" | "refresh_token")[] = ["authorization_code", "refresh_token"];
    const settings = { ...webSettings({ grantTypes, scopes: ["openid", "account:read"], firstParty: true }), clientId };
    await it.as("admin").clients.update(settings);
    const pair = { applicationId, from: "development", to: "staging" } as const;
    await it.as("admin").clients.promote({ ...pair, redirectUris: ["http://localhost:4000/cb"] });
    const lints = async () => (await it.as("viewer").clients.comparePromotion(pair)).lints;
    const wide = expect.objectContaining({ path: "scopes", message: expect.stringContaining("account:read") });
    const always = [
      { path: "redirectUris", message: "http://localhost:4000/cb uses http." },
      { path: "firstParty", message: expect.any(String) },
      wide,
    ];
    expect(await lints()).toEqual(always);

    const day = it.clock.now - (it.clock.now % 86_400);
    const { db } = it.deps;
    const { tables } = db;
    await db.insert(tables.clientDay).values({ clientId, day, metric: "token.authorization_code", count: 1 });
    await db.insert(tables.scopeDay).values({ clientId, day, scope: "openid", uses: 1 });
    expect(await lints()).toEqual([
      ...always,
      { path: "grantTypes", message: expect.stringContaining("refresh_token") },
      { path: "scopes", message: expect.stringContaining("no token with account:read") },
    ]);
  });

  test("the console's client cannot be changed, and its application takes no other, which users would see under its name", async () => {
    const { id: applicationId } = await createApplication({ name: "Gatehouse", description: "" }, ADMIN, it.deps);
    await registerClient(
      { ...webClient({ firstParty: true }), applicationId, clientId: CONSOLE_CLIENT_ID },
      ADMIN,
      it.deps,
    );
    const attempts = [
      () => it.as("admin").clients.setEnabled({ clientId: CONSOLE_CLIENT_ID, enabled: false }),
      () => it.as("admin").clients.remove({ clientId: CONSOLE_CLIENT_ID }),
      () => it.as("admin").clients.addSecret({ clientId: CONSOLE_CLIENT_ID }),
      () => it.as("admin").applications.remove({ id: applicationId }),
      () =>
        it.as("developer").clients.register({ ...webClient({ environment: "staging" }), applicationId, name: "Other" }),
      () => it.as("admin").clients.register({ ...webClient({ environment: "staging" }), applicationId }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "CONFLICT" });
    const staging = { type: "native", redirect_uris: ["http://127.0.0.1/cb"], scopes: ["openid"] };
    const file = JSON.stringify({ applications: [{ name: "Gatehouse", environments: { staging } }] });
    const refusal = {
      code: "BAD_REQUEST",
      message: expect.stringContaining("applications.0.name: belongs to Gatehouse itself"),
    };
    await expect(it.as("admin").configuration.plan({ file })).rejects.toMatchObject(refusal);
  });
});
