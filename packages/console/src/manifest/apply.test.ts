import { createHash } from "node:crypto";
import { createUpstream, secretPurpose, verifyPassword } from "@gatehouse/accounts";
import { createSeal, OutboundError, sha256, startSession } from "@gatehouse/auth";
import { passwordSignIn } from "@gatehouse/auth/testing";
import { listSignInProviders } from "@gatehouse/db/stores/accounts/sign-in-providers";
import { createAuthStore } from "@gatehouse/db/stores/auth/store";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listAuditHistory } from "../audit/queries.ts";
import { brandOf } from "../branding/branding.ts";
import { renameClient } from "../clients/names.ts";
import { listClientRows } from "../clients/queries.ts";
import { listClientSecrets } from "../clients/secret-queries.ts";
import { retireSecret } from "../clients/secrets.ts";
import { isLiveSecret } from "../clients/view.ts";
import type { OperationDeps } from "../deps.ts";
import { removeApplication } from "../removed/remove.ts";
import { restoreRemoved } from "../removed/restore.ts";
import { ADMIN, accountDeps } from "../testing/installation.ts";
import { signUpUnverified } from "../testing/sign-up.ts";
import { updateUser } from "../users/manage-users.ts";
import { setWebhookEndpointEnabled } from "../webhook-endpoints/endpoints.ts";
import { addWebhookSecret, endWebhookSecret, listWebhookSecrets } from "../webhook-secrets/webhook-secrets.ts";
import { apply } from "./apply.ts";
import { readManifest } from "./file/read-manifest.ts";

const NOON = 1_800_000_000;
const APPLIER = { ...ADMIN, file: "gatehouse.json" };
const SECRET = "only-for-tests-0123456789-0123456789";

const development = {
  client_id: "demo-dev",
  type: "web",
  client_secret: SECRET,
  redirect_uris: ["http://localhost:4000/callback"],
  post_logout_redirect_uris: ["http://localhost:4000/"],
  grant_types: ["authorization_code", "refresh_token"],
  scopes: ["openid", "profile", "email", "offline_access", "api:read"],
  first_party: false,
  refresh_retry_seconds: 30,
};
const machine = { type: "service", scopes: ["api:read"], resource_server: true };
const ada = { email: "ada@example.com", password: "correct horse battery", name: "Ada", role: "user" };
const stripe = { provider: "stripe", secrets: ["whsec_test_0123456789"] };

const variables: Record<string, string> = { SHOP_SECRET: SECRET };
const variable = (name: string) => variables[name] ?? "";

const file = (environments: object = { development, staging: machine }, change: object = {}) =>
  JSON.stringify({ users: [ada], applications: [{ name: "Demo shop", environments }], webhooks: [stripe], ...change });

describe.each(engines)("gatehouse apply, on $name", ({ open }) => {
  let database: TestDatabase;
  let deps: OperationDeps;
  let count = 0;

  beforeEach(async () => {
    database = await open();
    const random = (length: number) => createHash("sha512").update(`${count++}`).digest().subarray(0, length);
    const { db, reads } = database;
    const config = { issuer: "http://localhost:3000", resource: "http://localhost:3000/api" };
    const seal = createSeal("a secret for the tests, 32 bytes or more", random);
    const now = () => NOON;
    const offline = () => Promise.reject(new OutboundError("unreachable", "no network"));
    const upstream = createUpstream({ outbound: { public: offline, private: offline }, seal, config, now });
    deps = {
      config,
      store: createAuthStore(db),
      now,
      random,
      seal,
      db,
      reads,
      upstream,
      ...accountDeps(database, { now, random }),
    };
  });
  afterEach(() => database.close());

  const run = (text: string) => apply(readManifest(text, {}, variable), { author: APPLIER, variable }, deps);
  const problemsOf = async (text: string) => {
    const error: unknown = await Promise.resolve()
      .then(() => run(text))
      .catch((cause: unknown) => cause);
    return error instanceof Error && "problems" in error ? error.problems : error;
  };

  test("CO-44 the client id of a removed client is refused, with the way to restore it, and never free again", async () => {
    await run(file());
    const [{ id = "" } = {}] = (await run(file())).applications;
    await removeApplication(id, ADMIN, deps);
    await expect(run(file())).rejects.toThrow(
      /client_id: belongs to the application Demo shop, which was removed. Restore it in the console/,
    );
    const later = () => NOON + 7 * 86_400;
    const manifest = readManifest(file(), {}, variable);
    await expect(apply(manifest, { author: APPLIER, variable }, { ...deps, now: later })).rejects.toThrow(
      /client_id: belonged to the client Main, which was removed. Choose another client id/,
    );
    await restoreRemoved({ id }, ADMIN, deps);
    expect((await run(file())).applications[0]).toMatchObject({ id, status: "unchanged" });
  });

  test("BD-01 applies the branding of an application, and changes nothing the second time", async () => {
    const branded = (branding: object) =>
      JSON.stringify({ applications: [{ name: "Shop", branding, environments: {} }] });
    const text = branded({ display_name: "The shop", colour: "#0F766E", privacy_url: "https://shop.example/privacy" });
    const [{ id = "" } = {}] = (await run(text)).applications;
    expect(await brandOf(id, deps)).toMatchObject({
      displayName: "The shop",
      colour: "#0f766e",
      privacyUrl: "https://shop.example/privacy",
    });
    expect(await run(text)).toMatchObject({ changed: false });
    expect(await run(branded({ colour: "#4f46e5" }))).toMatchObject({
      changed: true,
      applications: [{ status: "updated" }],
    });
    expect((await brandOf(id, deps))?.displayName).toBeUndefined();
    expect(() => readManifest(branded({ privacy_url: "http://shop.example" }), {}, variable)).toThrow(
      "applications.0.branding.privacy_url",
    );
  });

  test("registers the clients of an application by name; the second time nothing changes", async () => {
    const several = (clients: object[]) => JSON.stringify({ applications: [{ name: "Shop", clients }] });
    const web = { name: "Web", environments: { development } };
    const cli = { name: "CLI", environments: { development: machine, staging: machine } };
    const first = await run(several([web, cli]));
    expect(first.applications).toMatchObject([
      {
        name: "Shop",
        clients: [
          { name: "Web", environments: { development: { client_id: "demo-dev", status: "created" } } },
          { name: "CLI", environments: { development: { status: "created" }, staging: { status: "created" } } },
        ],
      },
    ]);
    expect(first.applications[0]).not.toHaveProperty("environments");
    expect(await run(several([web, cli]))).toMatchObject({ changed: false });
    const changed = { ...cli, environments: { staging: { ...machine, scopes: ["api:write"] } } };
    expect((await run(several([changed]))).applications).toMatchObject([
      { clients: [{ environments: { staging: { status: "updated" } } }] },
    ]);
  });

  test("the environments of an application are those of its only client, whatever its name", async () => {
    const [{ id = "" } = {}] = (await run(file({ development }))).applications;
    expect((await listClientRows(database.db, id)).map(({ name }) => name)).toEqual(["Main"]);
    await renameClient({ applicationId: id, name: "Main", newName: "Web" }, ADMIN, deps);
    expect(await run(file({ development }))).toMatchObject({ changed: false });
    const { client_id: _, ...other } = development;
    await run(
      JSON.stringify({
        applications: [{ name: "Demo shop", clients: [{ name: "iOS", environments: { development: other } }] }],
      }),
    );
    expect(await problemsOf(file({ development }))).toMatchObject([
      { path: "applications.0.environments", message: expect.stringContaining("iOS, Web") },
    ]);
  });

  test("creates what the file lists; the second time nothing changes, and the result says so", async () => {
    const first = await run(file());
    expect(first).toMatchObject({
      changed: true,
      users: [{ email: "ada@example.com", status: "created" }],
      applications: [
        {
          name: "Demo shop",
          status: "created",
          environments: {
            development: { client_id: "demo-dev", status: "created" },
            staging: { status: "created", client_secret: expect.stringMatching(/^gcs_/) },
          },
        },
      ],
      webhooks: [{ provider: "stripe", status: "created", secrets_added: 1 }],
    });
    const second = await run(file());
    expect(second.changed).toBe(false);
    expect(JSON.stringify(second)).not.toMatch(/created|updated|client_secret/);
    expect(second.applications[0]?.environments?.staging?.client_id).toBe(
      first.applications[0]?.environments?.staging?.client_id,
    );

    expect(await deps.store.findClient("demo-dev")).toMatchObject({
      environment: "development",
      secrets: [{ hash: sha256(SECRET) }],
    });
    expect(await verifyPassword(ada, deps)).toMatchObject({ name: "Ada", role: "user" });
    const provider = await createWebhookStore(database.db, deps.seal).findEndpoint("stripe");
    expect(provider).toMatchObject({ enabled: true, secrets: [{ value: "whsec_test_0123456789" }] });
  });

  describe("webhook secrets: only those that the file lists verify", () => {
    const [OLD, NEW] = ["whsec_test_0123456789", "whsec_test_9876543210"];
    const listing = (...secrets: unknown[]) => JSON.stringify({ webhooks: [{ provider: "stripe", secrets }] });
    const statusOf = async (text: string) => (await run(text)).webhooks[0];
    const verifying = async () => (await store().findEndpoint("stripe"))?.secrets.map(({ value }) => value).sort();
    const store = () => createWebhookStore(database.db, deps.seal, deps.now);

    test("a secret that is no longer listed ends at once; listed again it is valid again; an empty list ends all", async () => {
      await run(listing(OLD, NEW));
      expect(await verifying()).toEqual([OLD, NEW]);
      expect(await statusOf(listing(NEW))).toMatchObject({ status: "updated", secrets_added: 0, secrets_ended: 1 });
      expect(await verifying()).toEqual([NEW]);
      expect(await statusOf(listing(NEW))).toMatchObject({ status: "unchanged", secrets_ended: 0 });
      expect(await statusOf(listing(OLD, NEW))).toMatchObject({ secrets_added: 1, secrets_ended: 0 });
      expect(await verifying()).toEqual([OLD, NEW]);
      await run(listing());
      expect(await verifying()).toEqual([]);
    });

    test("a provider that the file leaves out does not change, nor do the secrets and the switch that an entry leaves out", async () => {
      await run(listing(OLD));
      await run(JSON.stringify({ webhooks: [{ provider: "polar", secrets: ["polar_whs_0123456789"] }] }));
      expect(await verifying()).toEqual([OLD]);
      await run(JSON.stringify({ webhooks: [{ provider: "stripe", enabled: false }] }));
      expect(await statusOf(listing(OLD))).toMatchObject({ status: "unchanged" });
      expect(await store().findEndpoint("stripe")).toMatchObject({ enabled: false, secrets: [{ value: OLD }] });
    });

    test("CO-58 a file that moves an endpoint into production or out of it ends every secret that it does not list", async () => {
      const shop = (more: object) => JSON.stringify({ webhooks: [{ provider: "stripe", endpoint: "shop", ...more }] });
      const active = async () => {
        const found = await store().findEndpoint("shop");
        return [found?.environment, found?.secrets.map(({ value }) => value), found?.apiKeys.length];
      };
      await run(shop({ environment: "staging", secrets: [OLD, NEW], api_key: "sk_test_0123456789abcdef" }));
      expect(await statusOf(shop({ environment: "development", name: "Shop" }))).toMatchObject({ secrets_ended: 0 });
      expect(await statusOf(shop({ environment: "production", secrets: [NEW] }))).toMatchObject({ secrets_ended: 2 });
      expect(await active()).toEqual(["production", [NEW], 0]);
      expect(await statusOf(shop({ environment: "staging" }))).toMatchObject({ secrets_ended: 1 });
      expect(await active()).toEqual(["staging", [], 0]);
      await run(shop({ settings: { apiBaseUrl: "https://elsewhere.example" } }));
      expect(await problemsOf(shop({ environment: "production" }))).toMatchObject([{ path: "webhooks.0.settings" }]);
      expect(await statusOf(shop({ environment: "production", settings: {} }))).toMatchObject({ status: "updated" });
    });

    test("PK-56 a file says where events are forwarded; the secret is made and printed once, and a move has to state it", async () => {
      const shop = (more: object) => JSON.stringify({ webhooks: [{ provider: "stripe", endpoint: "shop", ...more }] });
      const forward = { url: "https://app.example/hooks", events: ["invoice.*"] };
      const inUse = async () => (await store().findEndpoint("shop"))?.forward?.secrets.map(({ value }) => value);
      const first = await statusOf(shop({ environment: "staging", forward }));
      expect(first).toMatchObject({ status: "created", forwarding_secret: expect.stringMatching(/^whsec_/) });
      expect(await inUse()).toEqual([first?.forwarding_secret]);
      for (const same of [{ forward }, {}, { name: "Shop" }]) {
        expect(await statusOf(shop(same))).not.toHaveProperty("forwarding_secret");
        expect(await inUse()).toEqual([first?.forwarding_secret]);
      }
      expect(await problemsOf(shop({ forward: { url: "http://app.example/" } }))).toMatchObject([
        { path: "webhooks.0.forward.url" },
      ]);
      const moved = await statusOf(shop({ environment: "production", forward }));
      expect(await inUse()).toEqual([moved?.forwarding_secret]);
      expect(moved?.forwarding_secret).not.toBe(first?.forwarding_secret);
      await run(shop({ environment: "staging" }));
      expect(await inUse()).toBeUndefined();
      await run(shop({ forward }));
      expect(await statusOf(shop({ forward: null }))).toMatchObject({ status: "updated" });
      expect(await inUse()).toBeUndefined();
    });

    test("a secret may have a name and an end, as a time or in Unix seconds", async () => {
      await run(
        listing(
          { secret: OLD, name: "old endpoint", ends_at: NOON + 60 },
          { secret: NEW, ends_at: "2027-01-15T08:02:00Z" },
        ),
      );
      expect(await listWebhookSecrets({}, deps)).toMatchObject([
        { name: "old endpoint", hint: "6789", endsAt: NOON + 60, state: "active" },
        { name: null, endsAt: NOON + 120 },
      ]);
      expect(await statusOf(listing({ secret: OLD, name: "retired", ends_at: null }, NEW))).toMatchObject({
        secrets_changed: 1,
      });
      expect(await listWebhookSecrets({}, deps)).toMatchObject([
        { name: "retired", endsAt: null },
        { endsAt: NOON + 120 },
      ]);
    });

    test("a secret that an admin ended does not come back with the file, unless the file says so", async () => {
      await run(listing(OLD, NEW));
      const [old] = await listWebhookSecrets({}, deps);
      await endWebhookSecret({ id: old?.id ?? "" }, ADMIN, deps);
      const problems = [
        {
          path: "webhooks.0.secrets.0",
          message: expect.stringMatching(/^ended at 2027-01-15T08:00:00.000Z.*"ends_at": null/),
        },
      ];
      expect(await problemsOf(listing(OLD, NEW))).toMatchObject(problems);
      expect(await verifying()).toEqual([NEW]);
      expect(await statusOf(listing({ secret: OLD, ends_at: null }, NEW))).toMatchObject({ secrets_added: 1 });
      expect(await verifying()).toEqual([OLD, NEW]);
    });

    describe("CO-58 that somebody changes between the read and the write of an apply", () => {
      /** Applies a file; `meanwhile` happens right before the first write. */
      async function runAround(text: string, meanwhile: () => Promise<unknown>) {
        const { db } = deps;
        let happened: Promise<unknown> | undefined;
        const guarded: typeof db.guarded = async (...writes) => {
          happened ??= meanwhile();
          await happened;
          return db.guarded(...writes);
        };
        return apply(
          readManifest(text, {}, variable),
          { author: APPLIER, variable },
          { ...deps, db: { ...db, guarded } },
        );
      }
      const end = async (hint: string, endsAt?: number) => {
        const secrets = await listWebhookSecrets({}, deps);
        return endWebhookSecret({ id: secrets.find((one) => one.hint === hint)?.id ?? "", endsAt }, ADMIN, deps);
      };
      const CONFLICT = "was changed by somebody else at the same time. Apply the file again.";

      test("one that the file keeps and an admin ends stays ended, and the other one is not ended as well", async () => {
        await run(listing(OLD, NEW));
        await expect(runAround(listing(OLD), () => end("6789"))).rejects.toThrow(CONFLICT);
        expect(await verifying()).toEqual([NEW]);
        expect(await problemsOf(listing(OLD))).toMatchObject([{ message: expect.stringMatching(/^ended at/) }]);
      });

      test("at once, one of them is always left", async () => {
        await run(listing(OLD, NEW));
        await Promise.allSettled([run(listing(OLD)), end("6789")]);
        expect(await verifying()).toHaveLength(1);
      });

      test("an end that an admin sets stays, for one that the file keeps and for one that it adds", async () => {
        await run(listing(OLD, NEW));
        await expect(runAround(listing(OLD), () => end("6789", NOON + 60))).rejects.toThrow(CONFLICT);
        await run(listing(OLD));
        const ends = async () => (await listWebhookSecrets({}, deps)).map(({ hint, endsAt }) => [hint, endsAt]);
        expect(await ends()).toEqual(expect.arrayContaining([["6789", NOON + 60]]));

        const secret = "whsec_test_added_at_once";
        const add = () => addWebhookSecret({ provider: "stripe", secret, endsAt: NOON + 90 }, ADMIN, deps);
        await expect(runAround(listing(OLD, secret), add)).rejects.toThrow(CONFLICT);
        await run(listing(OLD, secret));
        expect(await ends()).toEqual(expect.arrayContaining([["once", NOON + 90]]));
      });

      test("an apply that leaves the secrets alone is not refused because one ends, but it overwrites no other change", async () => {
        await run(listing(OLD, NEW));
        const named = (name: string) => JSON.stringify({ webhooks: [{ provider: "stripe", name }] });
        expect((await runAround(named("Payments"), () => end("6789"))).webhooks).toMatchObject([{ status: "updated" }]);
        expect(await verifying()).toEqual([NEW]);
        const disable = () => setWebhookEndpointEnabled({ slug: "stripe", enabled: false }, ADMIN, deps);
        await expect(runAround(named("Shop"), disable)).rejects.toThrow(CONFLICT);
        expect(await store().findEndpoint("stripe")).toMatchObject({ enabled: false });
      });
    });

    test("a secret that can no longer be decrypted is replaced when it is applied again", async () => {
      await run(listing(OLD));
      deps = { ...deps, seal: createSeal("another secret, also 32 bytes or more", deps.random) };
      expect(await store().findEndpoint("stripe")).toMatchObject({ secrets: [], unreadableSecrets: 1 });
      expect(await statusOf(listing(OLD))).toMatchObject({ status: "updated", secrets_added: 0, secrets_replaced: 1 });
      expect(await verifying()).toEqual([OLD]);
      expect(await statusOf(listing(OLD))).toMatchObject({ status: "unchanged" });
    });
  });

  test("UP-01 sign-in providers, with their secrets from variables; the second time nothing changes", async () => {
    const corp = {
      id: "corp",
      preset: "oidc",
      name: "Corp",
      issuer: "https://id.corp.example",
      client_id: "gate",
      client_secret_env: "CORP_SECRET",
    };
    const applied = (change: object = {}) =>
      run(JSON.stringify({ sign_in_providers: [{ ...corp, domains: ["Corp.example"], ...change }] }));
    const problemsOfProvider = (change: object) =>
      problemsOf(JSON.stringify({ sign_in_providers: [{ ...corp, ...change }] }));
    expect(await problemsOfProvider({})).toMatchObject([
      { path: "sign_in_providers.0.client_secret_env", message: expect.stringContaining("not set") },
    ]);
    variables["CORP_SECRET"] = "a-secret-of-corp";
    expect(await applied()).toMatchObject({ changed: true, sign_in_providers: [{ id: "corp", status: "created" }] });
    expect(await applied()).toMatchObject({ changed: false, sign_in_providers: [{ status: "unchanged" }] });
    expect(await applied({ client_secret_env: undefined })).toMatchObject({ changed: false });
    variables["CORP_SECRET"] = "another-secret";
    expect(await applied()).toMatchObject({ sign_in_providers: [{ status: "updated" }] });
    expect(await applied({ trust_email: true, enabled: false, link: "verified" })).toMatchObject({
      sign_in_providers: [{ status: "updated" }],
    });
    const [row] = await listSignInProviders(database.db);
    expect(row).toMatchObject({
      enabled: false,
      settings: { domains: ["corp.example"], trustEmail: true, link: "verified" },
    });
    expect(deps.seal.open(secretPurpose("corp"), row?.secret ?? "")).toBe("another-secret");

    expect(await problemsOfProvider({ preset: "gitlab" })).toMatchObject([{ path: "sign_in_providers.0.preset" }]);
    expect(
      await problemsOfProvider({ id: "other", issuer: undefined, trust_acr: { a: "b" }, colour: "red" }),
    ).toMatchObject([{ path: "sign_in_providers.0.colour" }]);
    expect(await problemsOfProvider({ id: "other", issuer: undefined, trust_acr: { a: "b" } })).toMatchObject([
      { path: "sign_in_providers.0.issuer" },
      { path: "sign_in_providers.0.trust_acr.a" },
    ]);
    delete variables["CORP_SECRET"];
  });

  test("SE-06 a generated secret is printed once and kept as a hash", async () => {
    const { client_id = "", client_secret = "" } = (await run(file())).applications[0]?.environments?.staging ?? {};
    const stored = await listClientSecrets(database.db, [client_id]);
    expect(stored.map(({ hash }) => hash)).toEqual([sha256(client_secret)]);
    expect(JSON.stringify(stored)).not.toContain(client_secret);
  });

  test("API resources are registered before the clients that use them; the second time nothing changes", async () => {
    const stock = {
      id: "https://stock.example",
      name: "Stock",
      scopes: { "stock:read": "see what is in stock" },
      token_format: "jwt",
    };
    const shop = { ...development, scopes: ["api:read", "stock:read"], resources: [stock.id] };
    const server = { ...machine, serves: [stock.id] };
    const text = (change: object = {}) =>
      file({ development: shop, staging: server }, { resources: [{ ...stock, ...change }] });
    expect(await run(text())).toMatchObject({ resources: [{ id: stock.id, status: "created" }] });
    expect(await run(text())).toMatchObject({ changed: false, resources: [{ id: stock.id, status: "unchanged" }] });
    expect(await run(text({ name: "Store", enabled: false }))).toMatchObject({ resources: [{ status: "updated" }] });
    expect(await deps.store.listResources()).toMatchObject([{ name: "Store", tokenFormat: "jwt", disabledAt: NOON }]);
    expect(await deps.store.findClient("demo-dev")).toMatchObject({ options: { resources: [stock.id] } });
  });

  test("the file sets a client's lifetimes, and those out of bounds are named", async () => {
    const lasting = {
      rotate_refresh_tokens: false,
      access_token_seconds: 90,
      refresh_idle_seconds: 7200,
      refresh_absolute_seconds: 86_400,
    };
    await run(file({ development: { ...development, ...lasting } }));
    expect(await deps.store.findClient("demo-dev")).toMatchObject({
      options: {
        rotateRefreshTokens: false,
        accessTokenSeconds: 90,
        refreshIdleSeconds: 7200,
        refreshAbsoluteSeconds: 86_400,
      },
    });
    const short = await problemsOf(file({ development: { ...development, access_token_seconds: 5 } }));
    expect(JSON.stringify(short)).toContain("use 60 to 86400 seconds");
  });

  test("MF-11 the file sets a client's levels, and unknown ones are named", async () => {
    const levels = { require_acr: "urn:gatehouse:acr:mfa", default_acr_values: ["phr"], default_max_age: 3600 };
    await run(file({ development: { ...development, ...levels } }));
    expect(await deps.store.findClient("demo-dev")).toMatchObject({
      options: { requireAcr: "urn:gatehouse:acr:mfa", defaultAcrValues: ["phr"], defaultMaxAge: 3600 },
    });
    const unknown = await problemsOf(file({ development: { ...development, require_acr: "loa3" } }));
    expect(JSON.stringify(unknown)).toContain("is not a level");
    expect(JSON.stringify(await problemsOf(file({ development: { ...development, default_max_age: -1 } })))).toContain(
      "default_max_age",
    );
  });

  test("D21 D22 the file says which clients may request an API's tokens; the default applies to what it leaves out", async () => {
    const stock = { id: "https://stock.example", name: "Stock", scopes: { "stock:read": "see what is in stock" } };
    const shop = { ...development, scopes: ["api:read", "stock:read"], resources: [stock.id] };
    const admitting = { environments: ["production", "development"], attached_by: "developers", strangers: "asked" };
    const applied = async (change: object, environments: object = { development: shop }) => {
      await run(file(environments, { resources: [{ ...stock, ...change }] }));
      return (await deps.store.listResources())[0];
    };
    expect(await applied(admitting)).toMatchObject({
      environments: ["development", "production"],
      attachedBy: "developers",
      strangers: "asked",
    });
    expect(await run(file({ development: shop }, { resources: [{ ...stock, ...admitting }] }))).toMatchObject({
      changed: false,
    });
    expect(await applied({})).toMatchObject({ environments: null, attachedBy: "admins", strangers: "refused" });

    const production = file({ development: shop }, { resources: [{ ...stock, environments: ["production"] }] });
    expect(await problemsOf(production)).toMatchObject([
      {
        path: "applications.0.environments.development.resources.0",
        message: expect.stringContaining("not of development"),
      },
    ]);
    for (const change of [
      { environments: [] },
      { environments: ["test"] },
      { attached_by: "anybody" },
      { strangers: "welcome" },
    ]) {
      expect(await problemsOf(file({}, { resources: [{ ...stock, ...change }] })), JSON.stringify(change)).toHaveLength(
        1,
      );
    }
  });

  test("problems with resources are reported before anything is written", async () => {
    const shop = { ...development, scopes: ["api:read", "mail:send"], resources: ["https://nowhere.example"] };
    const stock = { id: "http://stock.example", name: "Stock", scopes: { "api:read": "what is ours" } };
    expect(await problemsOf(file({ development: shop }, { resources: [stock] }))).toMatchObject([
      { path: "resources.0.id" },
      { path: "resources.0.scopes.0.name" },
      { path: "applications.0.environments.development.resources.0" },
      { path: "applications.0.environments.development.scopes.1" },
    ]);
    expect(await deps.store.listResources()).toEqual([]);
  });

  test("updates what differs and leaves the rest", async () => {
    await run(file());
    const changed = {
      ...development,
      redirect_uris: ["http://localhost:4000/other"],
      refresh_retry_seconds: 0,
      enabled: false,
    };
    const grace = { ...ada, name: "Grace", role: "viewer", password: "another good password", reset_password: true };
    const result = await run(file({ development: changed }, { users: [grace] }));
    expect(result).toMatchObject({
      users: [{ status: "updated" }],
      applications: [{ status: "unchanged", environments: { development: { status: "updated" } } }],
      webhooks: [{ status: "unchanged" }],
    });
    expect(await deps.store.findClient("demo-dev")).toMatchObject({
      redirectUris: ["http://localhost:4000/other"],
      refreshRetrySeconds: 0,
      enabled: false,
      secrets: [{ hash: sha256(SECRET) }],
    });
    expect(await verifyPassword(grace, deps)).toMatchObject({ name: "Grace", role: "viewer" });
    expect(await verifyPassword(ada, deps)).toBeUndefined();
  });

  const applyUsers = (...users: object[]) => run(JSON.stringify({ users }));
  const problemsOfUsers = (...users: object[]) => problemsOf(JSON.stringify({ users }));

  test("fields of a user that the file leaves out do not change: role, name and password", async () => {
    const { id = "" } = (await applyUsers(ada)).users[0] ?? {};
    await updateUser({ id, name: "Ada L.", role: "developer", password: "changed in the console" }, ADMIN, deps);
    expect(await applyUsers({ email: ada.email })).toMatchObject({
      changed: false,
      users: [{ id, status: "unchanged" }],
    });
    expect(await applyUsers({ email: ada.email, password: ada.password })).toMatchObject({ changed: false });
    expect(await verifyPassword({ ...ada, password: "changed in the console" }, deps)).toMatchObject({
      name: "Ada L.",
      role: "developer",
    });
  });

  test("a password in the file is for a new account only, unless reset_password is true; applying twice changes nothing", async () => {
    const newer = { ...ada, password: "another good password" };
    await applyUsers(ada);
    expect(await applyUsers(newer)).toMatchObject({ changed: false });
    expect(await verifyPassword(ada, deps)).toBeDefined();
    expect(await applyUsers({ ...newer, reset_password: true })).toMatchObject({ users: [{ status: "updated" }] });
    expect(await verifyPassword(newer, deps)).toBeDefined();
    expect(await applyUsers({ ...newer, reset_password: true })).toMatchObject({ changed: false });
  });

  test("a new user needs a password, and has the role user unless the file says another", async () => {
    expect(await problemsOfUsers({ email: ada.email })).toMatchObject([
      { path: "users.0.password", message: "is required for a new user" },
    ]);
    await applyUsers({ email: ada.email, password: ada.password });
    expect(await verifyPassword(ada, deps)).toMatchObject({ role: "user", name: ada.email });
  });

  test("a higher role in the file ends the user's sessions", async () => {
    const { id = "" } = (await applyUsers(ada)).users[0] ?? {};
    const user = await verifyPassword(ada, deps);
    if (!user) throw new Error("expected Ada");
    await startSession({ user, userAgent: null, address: null, ...passwordSignIn(deps) }, deps);
    await applyUsers({ ...ada, name: "Ada L." });
    expect(await deps.store.listSessions(id, NOON)).toHaveLength(1);
    await applyUsers({ ...ada, role: "admin" });
    expect(await deps.store.listSessions(id, NOON)).toEqual([]);
  });

  test("RG-06 an account that somebody signed up for is rejected before anything is written, and taken over empty with adopt", async () => {
    const stranger = { email: "ops@example.com", name: "Mallory", password: "the password of a stranger" };
    const { id } = await signUpUnverified(stranger, deps);
    const ops = { email: stranger.email, password: "correct horse battery", role: "admin" };
    for (const wanted of [ops, { email: ops.email }, { ...ops, password: stranger.password }]) {
      expect(await problemsOfUsers(ada, wanted)).toMatchObject([
        { path: "users.1.email", message: expect.stringContaining('"adopt": true') },
      ]);
    }
    expect(await verifyPassword(ada, deps)).toBeUndefined();
    expect(await problemsOfUsers({ email: ops.email, adopt: true })).toMatchObject([{ path: "users.0.password" }]);
    expect(await verifyPassword(stranger, deps)).toMatchObject({ role: "user" });

    const adopting = { ...ops, adopt: true };
    expect(await applyUsers(adopting)).toMatchObject({ changed: true, users: [{ id, status: "adopted" }] });
    expect(await verifyPassword(stranger, deps)).toBeUndefined();
    expect(await verifyPassword(ops, deps)).toMatchObject({ id, role: "admin", name: ops.email });
    expect(await applyUsers(adopting)).toMatchObject({ changed: false });
  });

  test("an account from before registeredBy was recorded is the operator's if the file has its password", async () => {
    const stranger = { email: "old@example.com", name: "Old", password: "an old password of before" };
    const { id } = await signUpUnverified(stranger, deps);
    await database.db.update(database.db.tables.users).set({ registeredBy: null });
    expect(await problemsOfUsers({ ...stranger, password: "correct horse battery" })).toMatchObject([
      { path: "users.0.email" },
    ]);
    expect(await applyUsers({ ...stranger, role: "viewer" })).toMatchObject({ users: [{ id, status: "updated" }] });
    expect(await applyUsers({ email: stranger.email, role: "admin" })).toMatchObject({
      users: [{ id, status: "updated" }],
    });
  });

  test("CO-64 vouching for such an account leaves a row", async () => {
    const stranger = { email: "old@example.com", name: "Old", password: "an old password of before" };
    const { id } = await signUpUnverified(stranger, deps);
    await database.db.update(database.db.tables.users).set({ registeredBy: null });
    await applyUsers(stranger);
    const rows = await listAuditHistory(database.db, { objects: [id], limit: 5 });
    expect(rows).toMatchObject([
      { action: "user.vouch", detail: { changes: { registeredBy: { before: null, after: "operator" } } } },
    ]);
  });

  test("the order of a list does not matter", async () => {
    await run(file());
    const { changed } = await run(file({ development: { ...development, scopes: development.scopes.toReversed() } }));
    expect(changed).toBe(false);
  });

  test("a new client_secret is active beside the old one; a third is rejected until one is retired, and a retired one stays retired", async () => {
    const withSecret = (client_secret: string) => file({ development: { ...development, client_secret } });
    await run(file());
    await run(withSecret("a-second-secret-0123456789"));
    const live = (await listClientSecrets(database.db, ["demo-dev"])).filter((one) => isLiveSecret(one, NOON));
    expect(live).toHaveLength(2);

    const path = "applications.0.environments.development.client_secret";
    expect(await problemsOf(withSecret("a-third-secret-01234567890"))).toMatchObject([
      { path, message: expect.stringContaining("Retire") },
    ]);
    const old = live.find(({ hash }) => hash === sha256(SECRET));
    await retireSecret({ clientId: "demo-dev", secretId: old?.id ?? "", confirmLast: false }, ADMIN, deps);
    expect(await problemsOf(file())).toMatchObject([{ path, message: expect.stringContaining("Use a new one") }]);
    expect(await run(withSecret("a-third-secret-01234567890"))).toMatchObject({ changed: true });
  });

  test.each([
    [
      "another type",
      { development: { ...development, type: "browser", client_secret: undefined } },
      "development.type",
    ],
    ["another id", { development: { ...development, client_id: "demo-other" } }, "development.client_id"],
    ["an id that is taken", { production: { ...machine, client_id: "demo-dev" } }, "production.client_id"],
  ])("%s is refused before anything is written", async (_, environments, path) => {
    await run(file());
    const newcomer = { email: "new@example.com", password: "correct horse battery" };
    expect(await problemsOf(file(environments, { users: [newcomer] }))).toMatchObject([
      { path: `applications.0.environments.${path}` },
    ]);
    expect(await verifyPassword(newcomer, deps)).toBeUndefined();
  });
});

describe("a file that cannot be applied: every problem has its path", () => {
  const problems = (text: string): string[] => {
    try {
      readManifest(text, {}, variable);
      return [];
    } catch (error) {
      return (error as { problems: { path: string }[] }).problems.map(({ path }) => path);
    }
  };
  const at = (field: string) => `applications.0.environments.development.${field}`;

  test.each([
    ["not JSON", "{", [""]],
    ["an unknown field", file({ development: { ...development, redirect_uri: "x" } }), [at("redirect_uri")]],
    ["an unknown environment", file({ prod: development }), ["applications.0.environments.prod"]],
    ["an unknown role", file({}, { users: [{ ...ada, role: "king" }] }), ["users.0.role"]],
    ["a weak password", file({}, { users: [{ ...ada, password: "short" }] }), ["users.0.password"]],
    ["a password to reset to", file({}, { users: [{ email: ada.email, reset_password: true }] }), ["users.0.password"]],
    ["a user twice", file({}, { users: [ada, { ...ada, email: "ADA@example.com" }] }), ["users.1.email"]],
    ["a secret for a public client", file({ development: { ...development, type: "browser" } }), [at("client_secret")]],
    ["the console's id", file({ development: { ...development, client_id: "gatehouse-console" } }), [at("client_id")]],
    [
      "several at once",
      file({
        development: { ...development, redirect_uris: ["https://a.example/#x", "http://b.example/"], scopes: ["nope"] },
      }),
      [at("redirect_uris.0"), at("redirect_uris.1"), at("scopes.0")],
    ],
    [
      "D11 loopback in production",
      file({ production: development }),
      ["redirect_uris.0", "post_logout_redirect_uris.0"].map((f) => `applications.0.environments.production.${f}`),
    ],
    [
      "an id twice",
      file({ development, staging: { ...development } }),
      ["applications.0.environments.staging.client_id"],
    ],
    [
      "environments and clients",
      JSON.stringify({ applications: [{ name: "Shop", environments: {}, clients: [] }] }),
      ["applications.0.environments"],
    ],
    [
      "neither environments nor clients",
      JSON.stringify({ applications: [{ name: "Shop" }] }),
      ["applications.0.environments"],
    ],
    [
      "a client twice",
      JSON.stringify({
        applications: [
          {
            name: "Shop",
            clients: [
              { name: "Web", environments: {} },
              { name: "Web", environments: {} },
            ],
          },
        ],
      }),
      ["applications.0.clients.1.name"],
    ],
    [
      "an unknown provider",
      file({}, { webhooks: [{ provider: "carrier-pigeon", secrets: [] }] }),
      ["webhooks.0.provider"],
    ],
    [
      "a provider's default endpoint outside production",
      file({}, { webhooks: [{ provider: "stripe", endpoint: "stripe", environment: "staging" }] }),
      ["webhooks.0.environment"],
    ],
  ])("%s", (_, text, paths) => {
    expect(problems(text)).toEqual(paths);
  });

  test("grant types may be left out", () => {
    const { grant_types: _, ...usual } = development;
    expect(
      readManifest(file({ development: usual }), {}, variable).applications[0]?.environments?.development?.grant_types,
    ).toEqual(["authorization_code", "refresh_token"]);
  });
});
