import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTrpcHandler } from "@gatehouse/console/handler";
import { appRouter } from "@gatehouse/console/root";
import { type Installation, ISSUER, openInstallation } from "@gatehouse/console/testing/callers";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runHere } from "../testing/run.ts";

const trpc = createTrpcHandler(appRouter);
const SQLITE = engines.find(({ name }) => name === "sqlite") ?? expect.unreachable();

/** As `gatehouse init --staging --production` writes it. */
const clientAt = (client_id: string, url: string, change: object = {}) => ({
  client_id,
  type: "web",
  first_party: true,
  redirect_uris: [`${url}/auth/callback`],
  post_logout_redirect_uris: [`${url}/`],
  backchannel_logout_uri: `${url}/auth/backchannel-logout`,
  rotate_refresh_tokens: false,
  id_token_algorithm: "ES256",
  scopes: ["openid", "profile", "email", "offline_access"],
  ...change,
});
const SHOP = "https://shop.example.com";
const fileOf = (production: object = clientAt("shop", SHOP)) => ({
  applications: [
    { name: "shop", environments: { development: clientAt("shop-dev", "http://localhost:3000"), production } },
  ],
});

describe("PK-22 gatehouse apply at a running server", () => {
  let it: Installation;
  let folder: string;
  let sent: { path: string; body: string }[];
  let isDown: boolean;
  beforeEach(async () => {
    it = await openInstallation(SQLITE);
    folder = mkdtempSync(join(tmpdir(), "gatehouse-remote-"));
    sent = [];
    isDown = false;
    vi.stubGlobal("fetch", async (input: URL, init: RequestInit) => {
      if (isDown) throw new TypeError("fetch failed");
      sent.push({ path: input.pathname, body: String(init.body) });
      return trpc(new Request(input, init), it.deps, { address: "192.0.2.1" });
    });
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    rmSync(folder, { recursive: true });
    await it.close();
  });

  const tokenFor = async (...firstPartyOrigins: string[]) => {
    const draft = { name: "CI", scopes: ["config:plan" as const, "config:apply" as const], firstPartyOrigins };
    return (await it.as("admin").apiTokens.create(draft)).token;
  };
  const run = (command: "plan" | "apply", file: object, token: string | undefined, ...more: string[]) => {
    writeFileSync(join(folder, "gatehouse.json"), JSON.stringify(file));
    const env = {
      ...(token !== undefined && { GATEHOUSE_API_TOKEN: token }),
      SHOP_SECRET: "a-secret-of-forty-characters-0123456789",
    };
    return runHere([command, join(folder, "gatehouse.json"), "--issuer", ISSUER, ...more], { env, cwd: folder });
  };
  const IN_PRODUCTION = ["--environment", "production", "--yes"];

  test("the plan comes first, then the variables of the product once; a second run changes nothing", async () => {
    const token = await tokenFor(SHOP);
    const applied = await run("apply", fileOf(), token, ...IN_PRODUCTION);
    expect(applied.stderr).toMatch(
      /gatehouse\.json \(production\) at [\s\S]*\+ client shop \/ Main \(production\)[\s\S]*redirect_uris: \["https:\/\/shop/,
    );
    const { clients, ...rest } = JSON.parse(applied.stdout);
    expect([applied.code, rest]).toEqual([0, { changed: true, secrets: [] }]);
    const { GATEHOUSE_CLIENT_SECRET: secret, ...variables } = clients[0].variables;
    expect([clients.length, clients[0].name]).toEqual([1, "shop (production)"]);
    expect(variables).toEqual({ GATEHOUSE_ISSUER: ISSUER, GATEHOUSE_CLIENT_ID: "shop", GATEHOUSE_APP_URL: SHOP });
    expect(secret).toMatch(/^\S{40,}$/);
    for (const text of [applied.stderr, JSON.stringify(sent)]) expect(text).not.toContain(secret);

    const again = await run("apply", fileOf(), token, ...IN_PRODUCTION);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { changed: false, clients: [], secrets: [] }]);
    expect(sent.at(-1)?.path).toBe("/trpc/configuration.plan");
    const [row] = (await it.as("admin").audit.list({ action: "client.create" })).items;
    expect(row).toMatchObject({ via: "api_token", environment: "production" });
  });

  test("only the client of the named environment is sent, as a file of its own", async () => {
    const { stdout } = await run("plan", fileOf(), await tokenFor(), "--environment", "production");
    expect(JSON.parse(stdout)).toMatchObject({
      plan_id: expect.any(String),
      changes: [{ kind: "application" }, { name: "shop / Main" }],
    });
    expect(sent[0]?.body).not.toContain("shop-dev");
    expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ name: "gatehouse.json (production)" });
  });

  test("without --yes and a terminal nothing is applied; an approved plan is, unless something has changed", async () => {
    const token = await tokenFor(SHOP, "https://other.example.com");
    const asked = await run("apply", fileOf(), token, "--environment", "production");
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([2, "", expect.stringContaining("Add --yes")]);
    const { plan_id } = JSON.parse((await run("plan", fileOf(), token, "--environment", "production")).stdout);
    const other = fileOf(clientAt("shop", "https://other.example.com"));
    const stale = await run("apply", other, token, "--environment", "production", "--plan", plan_id);
    expect([stale.code, stale.stderr]).toEqual([75, expect.stringContaining("Make a new plan")]);
    expect((await run("apply", fileOf(), token, "--environment", "production", "--plan", plan_id)).code).toBe(0);
  });

  test("variables that the file names are sent, those of the server never", async () => {
    const token = await tokenFor(SHOP);
    const own = fileOf(clientAt("shop", SHOP, { client_secret: { from_env: "SHOP_SECRET" } }));
    const applied = await run("apply", own, token, ...IN_PRODUCTION);
    expect([applied.code, JSON.parse(applied.stdout).clients]).toEqual([0, []]);
    expect(applied.stdout + applied.stderr).not.toContain("a-secret-of-forty");
    const stolen = fileOf(clientAt("shop", SHOP, { client_secret: { from_env: "GATEHOUSE_API_TOKEN" } }));
    expect((await run("apply", stolen, token, ...IN_PRODUCTION)).code).toBe(1);
    expect(sent.at(-1)?.body).not.toContain(token);
  });

  test.each([
    ["no token", undefined, 78, /GATEHOUSE_API_TOKEN is not set.*config:apply/],
    ["what is no token", "secret", 78, /GATEHOUSE_API_TOKEN must be an API token/],
    ["a token that the server does not know", `gap_${"x".repeat(43)}`, 78, /does not accept GATEHOUSE_API_TOKEN/],
  ])("%s: exit code %s", async (_, token, code, message) => {
    const result = await run("apply", fileOf(), token, ...IN_PRODUCTION);
    expect([result.code, result.stdout, result.stderr]).toEqual([code, "", expect.stringMatching(message)]);
    if (token !== undefined) expect(result.stderr).not.toContain(token);
  });

  test("a token without the scope, a server that is down, a file that cannot be applied, and options that need --issuer", async () => {
    const { token } = await it.as("admin").apiTokens.create({ name: "Plans", scopes: ["config:plan"] });
    expect(await run("apply", fileOf(), token, ...IN_PRODUCTION)).toMatchObject({
      code: 78,
      stderr: expect.stringContaining("config:apply"),
    });
    const wrong = await run(
      "plan",
      { applications: [{ name: "shop", environments: { production: { type: "web" } } }] },
      token,
    );
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining("applications.0.environments.production.scopes"),
    ]);
    isDown = true;
    expect(await run("plan", fileOf(), token)).toMatchObject({
      code: 75,
      stderr: expect.stringContaining("does not answer"),
    });
    const local = await runHere(["apply", "gatehouse.json", "--yes"], {
      env: { GATEHOUSE_DATA_DIR: folder },
      cwd: folder,
    });
    expect([local.code, local.stderr]).toEqual([2, expect.stringContaining("--yes: needs --issuer")]);
  });
});
