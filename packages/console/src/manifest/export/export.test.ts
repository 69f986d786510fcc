import { createHash } from "node:crypto";
import { createUpstream } from "@gatehouse/accounts";
import { createSeal, OutboundError } from "@gatehouse/auth";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { insertApplication } from "../../applications/queries.ts";
import { insertClient } from "../../clients/queries.ts";
import type { OperationDeps } from "../../deps.ts";
import { ADMIN, accountDeps } from "../../testing/installation.ts";
import { apply } from "../apply.ts";
import { readManifest } from "../file/read-manifest.ts";
import { exportConfiguration } from "./export.ts";

const NOON = 1_800_000_000;

const web = {
  client_id: "shop-web",
  type: "web",
  client_secret: "only-for-tests-0123456789-0123456789",
  redirect_uris: ["https://shop.example/callback", "https://shop.example/a"],
  post_logout_redirect_uris: ["https://shop.example/"],
  scopes: ["profile", "openid", "stock:read"],
  first_party: true,
  refresh_retry_seconds: 10,
  resources: ["https://stock.example/api"],
  dpop_nonce: true,
  dpop_bound: true,
  access_token_seconds: 120,
};
const cli = { client_id: "shop-cli", type: "device", scopes: ["openid"], enabled: false };
const EVERYTHING = {
  resources: [
    {
      id: "https://stock.example/api",
      name: "Stock",
      scopes: { "stock:read": "see what is in stock" },
      token_format: "jwt",
      token_algorithm: "ES256",
      environments: ["production", "staging", "development"],
      enabled: false,
    },
  ],
  users: [{ email: "ada@example.com", password: "correct horse battery", name: "Ada" }],
  applications: [
    {
      name: "Shop",
      description: "Where people buy",
      branding: { display_name: "The Shop", colour: "#0a5d3c", privacy_url: "https://shop.example/privacy" },
      clients: [
        {
          name: "Web",
          environments: { production: web, staging: { ...web, client_id: "shop-staging", client_secret: undefined } },
        },
        { name: "CLI", environments: { production: cli } },
      ],
    },
    { name: "Empty", environments: {} },
    {
      name: "1st job",
      environments: {
        development: { type: "service", scopes: ["stock:read"], resources: ["https://stock.example/api"] },
      },
    },
  ],
  webhooks: [
    {
      provider: "stripe",
      secrets: ["whsec_test_0123456789", { secret: "whsec_test_9876543210", name: "next", ends_at: NOON + 86_400 }],
    },
    {
      provider: "stripe",
      endpoint: "stripe-staging",
      environment: "staging",
      name: "Sandbox",
      api_key: "rk_test_0123456789abcdef",
      forward: { url: "https://app.example/hooks", events: ["invoice.paid"] },
      enabled: false,
    },
  ],
  sign_in_providers: [
    {
      id: "corp",
      preset: "oidc",
      name: "Corp",
      issuer: "https://id.corp.example",
      client_id: "gatehouse",
      client_secret_env: "CORP_SECRET",
      position: 3,
      domains: ["corp.example"],
      scopes: ["openid", "email"],
    },
  ],
};

describe.each(engines)("gatehouse export, on $name", ({ open }) => {
  const opened: TestDatabase[] = [];
  let count = 0;

  async function installation(): Promise<OperationDeps> {
    const database = await open();
    opened.push(database);
    const random = (length: number) => createHash("sha512").update(`${count++}`).digest().subarray(0, length);
    const { db, reads } = database;
    const config = { issuer: "http://localhost:3000", resource: "http://localhost:3000/api" };
    const seal = createSeal("a secret for the tests, 32 bytes or more", random);
    const now = () => NOON;
    const offline = () => Promise.reject(new OutboundError("unreachable", "no network"));
    const upstream = createUpstream({ outbound: { public: offline, private: offline }, seal, config, now });
    const store = createAuthStore(db);
    return { config, store, now, random, seal, db, reads, upstream, ...accountDeps(database, { now, random }) };
  }

  const given: Record<string, string> = {};
  beforeEach(() => {
    for (const name of Object.keys(given)) delete given[name];
    given["CORP_SECRET"] = "a secret of the corporation";
    given["SIGN_IN_CORP_SECRET"] = "a secret of the corporation";
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });

  const run = (file: string, deps: OperationDeps) =>
    apply(
      readManifest(file, {}, (name) => given[name] ?? ""),
      { author: { ...ADMIN, file: "gatehouse.json" }, variable: (name) => given[name] ?? "" },
      deps,
    );

  test("CO-71 export-apply-export: applied to an empty installation, an exported file is exported as the same bytes, and applied to its own changes nothing", async () => {
    const first = await installation();
    await run(JSON.stringify(EVERYTHING), first);
    const file = await exportConfiguration(first);

    const named = [...file.matchAll(/"from_env": "(\w+)"/g)].map(([, name = ""]) => name);
    expect(named).toEqual([
      "_1ST_JOB_DEVELOPMENT_SECRET",
      "SHOP_WEB_STAGING_SECRET",
      "SHOP_WEB_PRODUCTION_SECRET",
      "WEBHOOK_STRIPE_SECRET",
      "WEBHOOK_STRIPE_SECRET_2",
      "WEBHOOK_STRIPE_STAGING_API_KEY",
    ]);
    for (const name of named)
      given[name] = /^WEBHOOK.*SECRET/.test(name) ? `whsec_${name}_0123456789` : `rk_live_of_${name}_0123456789`;
    const second = await installation();
    await run(file, second);
    expect(await exportConfiguration(second)).toBe(file);
    expect(await run(file, second)).toMatchObject({ changed: false });
  });

  test("CO-71 an export has no secret, no person, no client that registered itself and none of the server's own", async () => {
    const deps = await installation();
    await run(JSON.stringify(EVERYTHING), deps);
    for (const [id, origin] of [
      ["gatehouse-console", "registered"],
      ["self-made", "dynamic"],
    ] as const) {
      const application = { id: `of ${id}`, name: `Application of ${id}`, description: "", createdAt: NOON };
      await insertApplication(deps.db, application);
      await insertClient(deps.db, {
        id,
        applicationId: application.id,
        environment: "production",
        type: "web",
        redirectUris: ["https://elsewhere.example/callback"],
        postLogoutRedirectUris: [],
        grantTypes: ["authorization_code"],
        scopes: ["openid"],
        firstParty: false,
        resourceServer: false,
        refreshRetrySeconds: 30,
        options: {},
        origin,
        createdAt: NOON,
        updatedAt: NOON,
      });
    }
    const file = await exportConfiguration(deps);
    expect(file).not.toMatch(
      /whsec_|rk_test|only-for-tests|of the corporation|ada@example|elsewhere|self-made|gatehouse-console/,
    );
    expect(JSON.parse(file).applications.map(({ name }: { name: string }) => name)).toEqual([
      "1st job",
      "Empty",
      "Shop",
    ]);
  });

  test("CO-71 a file can take a secret from an environment variable; one that is not set is named", async () => {
    const deps = await installation();
    const file = (client_secret: unknown) =>
      JSON.stringify({
        applications: [
          { name: "Shop", environments: { production: { ...web, resources: [], scopes: ["openid"], client_secret } } },
        ],
      });
    expect(() => run(file({ from_env: "SHOP_SECRET" }), deps)).toThrow(
      "applications.0.environments.production.client_secret.from_env: the environment variable SHOP_SECRET is not set",
    );
    expect(() => run(file({ from_env: "SHOP SECRET" }), deps)).toThrow("must be the name of an environment variable");
    given["SHOP_SECRET"] = "short";
    expect(() => run(file({ from_env: "SHOP_SECRET" }), deps)).toThrow("client_secret: use 16 to 256");
    given["SHOP_SECRET"] = web.client_secret;
    expect(await run(file({ from_env: "SHOP_SECRET" }), deps)).toMatchObject({ changed: true });
  });
});
