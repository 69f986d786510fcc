import { createStats } from "@gatehouse/db/stores/stats/store";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { type Delivery, eventKeyOf, PROVIDERS } from "@gatehouse/webhooks";
import { signedBy } from "@gatehouse/webhooks/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OperationDeps } from "../deps.ts";
import type { Author } from "../permissions.ts";
import { ADMIN, type Installation, ISSUER, NOON, openInstallation } from "../testing/callers.ts";
import { addWebhookSecret, endWebhookSecret } from "../webhook-secrets/webhook-secrets.ts";
import { removeWebhookEndpoint, setWebhookEndpointEnabled, updateWebhookEndpoint } from "./endpoints.ts";

const SECRET = "whsec_test_0123456789";
const DAY = 86_400;
const event = (id: string) => ({ key: eventKeyOf(id), id, type: null, objectKey: null, handlers: [] });
const hit: Delivery = {
  id: "d",
  endpoint: "stripe",
  environment: "production",
  receivedAt: NOON,
  method: "POST",
  outcome: "accepted",
  reason: "accepted",
  status: 200,
  eventType: null,
  eventId: null,
  secretId: null,
  mode: null,
  skewSeconds: 0,
  headers: {},
  body: Buffer.from("{}"),
  bodyBytes: 2,
  ackMs: 1,
  address: null,
  source: "http",
};

describe.each(engines)("webhook endpoints, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const admin = () => it.as("admin");
  const developer = () => it.as("developer");
  const staging = { slug: "stripe-staging", provider: "stripe", environment: "staging" } as const;
  const store = () => createWebhookStore(it.deps.db, it.deps.seal, it.deps.now);
  const received = (slug: string) => store().findEndpoint(slug);
  const audit = async () => {
    const { db } = it.deps;
    const { tables } = db;
    const rows = await db.select().from(tables.audit).orderBy(tables.audit.id);
    return rows.map(({ action, object, actorId, environment }) => [action, object, actorId, environment]);
  };

  test("CO-58 a provider can have several endpoints, each with its URL, environment and switch; each change has an audit row", async () => {
    expect(await developer().webhookEndpoints.create({ ...staging, name: "EU shop" })).toMatchObject({
      slug: "stripe-staging",
      url: `${ISSUER}/api/webhooks/stripe-staging`,
      environment: "staging",
      name: "EU shop",
      enabled: true,
      configured: true,
      createdAt: NOON,
      lastAcceptedAt: null,
      secrets: { signing: 0, apiKeys: 0, unreadable: 0 },
    });
    it.clock.now += 1;
    await admin().webhookEndpoints.create({ slug: "stripe", provider: "stripe", environment: "production" });
    await admin().webhookEndpoints.setEnabled({ slug: "stripe-staging", enabled: false });
    await admin().webhookEndpoints.update({
      slug: "stripe-staging",
      settings: { toleranceSeconds: 60 },
      name: "",
      version: 2,
    });
    expect(await it.as("viewer").webhookEndpoints.list()).toMatchObject([
      { slug: "stripe-staging", enabled: false, name: null, settings: { toleranceSeconds: 60 } },
      { slug: "stripe", environment: "production", enabled: true },
    ]);
    expect(await received("stripe-staging")).toMatchObject({
      environment: "staging",
      enabled: false,
      settings: { toleranceSeconds: 60 },
    });
    expect(await audit()).toEqual([
      ["webhook_endpoint.create", "stripe-staging", "developer", "staging"],
      ["webhook_endpoint.create", "stripe", "admin", "production"],
      ["webhook_endpoint.disable", "stripe-staging", "admin", "staging"],
      ["webhook_endpoint.update", "stripe-staging", "admin", "staging"],
    ]);
  });

  test("a provider's default endpoint can be read and changed before it is configured; an unknown one cannot", async () => {
    expect(await it.as("viewer").webhookEndpoints.get({ slug: "paddle" })).toMatchObject({
      configured: false,
      environment: "production",
    });
    await admin().webhookEndpoints.setEnabled({ slug: "paddle", enabled: false });
    expect(await received("paddle")).toMatchObject({ enabled: false });
    await expect(admin().webhookEndpoints.get({ slug: "pigeon" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(admin().webhookEndpoints.update({ slug: "pigeon", name: "x", version: 0 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("a change that changes nothing writes nothing", async () => {
    await admin().webhookEndpoints.create(staging);
    await admin().webhookEndpoints.update({ slug: staging.slug, environment: "staging", settings: {}, version: 1 });
    await admin().webhookEndpoints.setEnabled({ slug: staging.slug, enabled: true });
    expect(await audit()).toHaveLength(1);
  });

  test.each([
    ["an upper-case letter", { slug: "Stripe-eu" }, "slug"],
    ["a hyphen first", { slug: "-stripe" }, "slug"],
    ["64 characters", { slug: "s".repeat(64) }, "slug"],
    ["another provider's name", { slug: "paddle" }, "slug"],
    ["an unknown provider", { provider: "pigeon" }, "provider"],
    ["a provider's default endpoint outside production", { slug: "stripe" }, "environment"],
    ["an unknown setting", { settings: { tolerance: 5 } }, "settings.tolerance"],
    ["a tolerance of 0", { settings: { toleranceSeconds: 0 } }, "settings.toleranceSeconds"],
    ["a tolerance of two hours", { settings: { toleranceSeconds: 7200 } }, "settings.toleranceSeconds"],
    ["a tolerance that is no number", { settings: { toleranceSeconds: "60" } }, "settings.toleranceSeconds"],
    [
      "a notification URL that is none",
      { provider: "square", slug: "square-eu", settings: { notificationUrl: "x" } },
      "settings.notificationUrl",
    ],
    [
      "a custom scheme without a header",
      { provider: "custom", slug: "crm", settings: { algorithm: "hmac-sha256" } },
      "settings.header",
    ],
    [
      "a custom scheme that signs no body",
      { provider: "custom", slug: "crm", settings: { header: "x-sig", template: "{url}" } },
      "settings.template",
    ],
  ])("rejects %s, and names the field", async (_, change, path) => {
    const attempt = admin().webhookEndpoints.create({ ...staging, ...change });
    await expect(attempt).rejects.toMatchObject({
      code: "BAD_REQUEST",
      cause: { problems: [expect.objectContaining({ path })] },
    });
  });

  test("another API address ends the API keys, so that nobody has a key sent to a server of their own", async () => {
    await developer().webhookEndpoints.create(staging);
    await developer().webhookSecrets.add({ endpoint: staging.slug, secret: SECRET });
    await admin().webhookSecrets.add({ endpoint: staging.slug, secret: "sk_test_0123456789abcdef", kind: "api_key" });
    const { version } = await developer().webhookEndpoints.get({ slug: staging.slug });
    const rename = { slug: staging.slug, name: "EU", settings: { toleranceSeconds: 60 }, version };
    const renamed = await developer().webhookEndpoints.update(rename);
    expect(renamed.secrets).toMatchObject({ signing: 1, apiKeys: 1 });
    const move = {
      slug: staging.slug,
      settings: { apiBaseUrl: "https://elsewhere.example" },
      version: renamed.version,
    };
    const moved = await developer().webhookEndpoints.update(move);
    expect(moved.secrets).toMatchObject({ signing: 1, apiKeys: 0 });
    expect(await received(staging.slug)).toMatchObject({ apiKeys: [] });
  });

  test("CO-58 a provider's default endpoint stays in production, configured or not", async () => {
    const move = (slug: string, version: number) =>
      admin().webhookEndpoints.update({ slug, environment: "development", version });
    await admin().webhookEndpoints.create({ slug: "stripe", provider: "stripe", environment: "production" });
    const refused = { cause: { problems: [{ path: "environment" }] } };
    await expect(move("stripe", 1)).rejects.toMatchObject(refused);
    await expect(move("paddle", 0)).rejects.toMatchObject(refused);
    expect(await received("paddle")).toBeUndefined();
    expect(await received("stripe")).toMatchObject({ environment: "production" });
  });

  describe("CO-58 a move", () => {
    const LATER = "whsec_later_9876543210";
    const endpoint = staging.slug;
    const move = async (
      environment: "development" | "staging" | "production",
      more: { keepSecrets?: string[]; settings?: Record<string, string> } = {},
    ) => {
      const { version } = await admin().webhookEndpoints.get({ slug: endpoint });
      return admin().webhookEndpoints.update({ slug: endpoint, environment, version, ...more });
    };
    /** The endpoint in staging with two signing secrets and an API key of a developer. */
    const seed = async () => {
      await developer().webhookEndpoints.create(staging);
      const one = await developer().webhookSecrets.add({ endpoint, secret: SECRET });
      const other = await developer().webhookSecrets.add({ endpoint, secret: LATER });
      await developer().webhookSecrets.add({ endpoint, secret: "sk_test_0123456789abcdef", kind: "api_key" });
      return { one: one.id, other: other.id };
    };

    test("into production ends the secrets that were added below it, except those that the mover names", async () => {
      const { other } = await seed();
      expect((await move("production", { keepSecrets: [other] })).secrets).toEqual({
        signing: 1,
        apiKeys: 0,
        unreadable: 0,
      });
      expect(await received(endpoint)).toMatchObject({
        environment: "production",
        secrets: [{ value: LATER }],
        apiKeys: [],
      });
      const { db } = it.deps;
      const { tables } = db;
      const rows = await db.select({ detail: tables.audit.detail }).from(tables.audit).orderBy(tables.audit.id);
      expect(rows.at(-1)?.detail).toMatchObject({ secrets: { kept: ["…3210"], ended: 2 } });
    });

    test("out of production ends what production was verified with, so that its deliveries do not become development's", async () => {
      await seed();
      await move("production");
      const { id } = await admin().webhookSecrets.add({ endpoint, secret: "whsec_live_0123456789" });
      expect(await move("development")).toMatchObject({
        environment: "development",
        secrets: { signing: 0, apiKeys: 0 },
      });
      expect((await admin().webhookSecrets.list({ endpoint })).find((one) => one.id === id)).toMatchObject({
        state: "ended",
      });
    });

    test("between development and staging ends none", async () => {
      await seed();
      expect((await move("development")).secrets).toEqual({ signing: 2, apiKeys: 1, unreadable: 0 });
    });

    test("states the settings of an endpoint whose API keys go to an address that somebody chose", async () => {
      await seed();
      const { version } = await admin().webhookEndpoints.get({ slug: endpoint });
      const settings = { apiBaseUrl: "https://elsewhere.example" };
      await developer().webhookEndpoints.update({ slug: endpoint, settings, version });
      await expect(move("production")).rejects.toMatchObject({ cause: { problems: [{ path: "settings" }] } });
      expect(await move("production", { settings })).toMatchObject({ environment: "production", settings });
    });

    test("names only active secrets of the endpoint", async () => {
      const { one } = await seed();
      await admin().webhookSecrets.end({ id: one, confirmLast: true });
      const problems = [{ path: "keepSecrets.0" }, { path: "keepSecrets.1" }];
      await expect(move("production", { keepSecrets: [one, "unknown"] })).rejects.toMatchObject({
        cause: { problems },
      });
      expect(await received(endpoint)).toMatchObject({ environment: "staging" });
    });

    test.each<[string, (author: Author, deps: OperationDeps, id: string) => Promise<unknown>]>([
      [
        "adds a secret",
        (author, deps) => addWebhookSecret({ endpoint, secret: "whsec_mine_0123456789" }, author, deps),
      ],
      ["ends one", (author, deps, id) => endWebhookSecret({ id, confirmLast: true }, author, deps)],
      ["disables it", (author, deps) => setWebhookEndpointEnabled({ slug: endpoint, enabled: false }, author, deps)],
      ["renames it", (author, deps) => updateWebhookEndpoint({ slug: endpoint, name: "mine" }, author, deps)],
      ["removes it", (author, deps) => removeWebhookEndpoint(endpoint, author, deps)],
    ])("into production wins over a developer who %s at the same time", async (_, act) => {
      const { other } = await seed();
      const { db } = it.deps;
      const guarded: typeof db.guarded = async (...writes) => {
        await move("production", { keepSecrets: [other] });
        return db.guarded(...writes);
      };
      const author = { ...ADMIN, role: "developer", via: "console", freshSince: NOON } as const;
      await expect(act(author, { ...it.deps, db: { ...db, guarded } }, other)).rejects.toThrow();
      expect(await received(endpoint)).toMatchObject({
        environment: "production",
        enabled: true,
        secrets: [{ value: LATER }],
      });
      expect(await admin().webhookEndpoints.get({ slug: endpoint })).toMatchObject({ name: null });
    });
  });

  test("a slug that is taken is a conflict, and the endpoint stays as it is", async () => {
    await admin().webhookEndpoints.create({ ...staging, name: "first" });
    await expect(admin().webhookEndpoints.create({ ...staging, name: "second" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(await admin().webhookEndpoints.get({ slug: staging.slug })).toMatchObject({ name: "first" });
    expect(await audit()).toHaveLength(1);
  });

  test("CO-02 a developer changes development and staging, and neither production nor an endpoint's way there", async () => {
    await developer().webhookEndpoints.create(staging);
    await admin().webhookEndpoints.create({ slug: "stripe", provider: "stripe", environment: "production" });
    const forbidden = [
      () => developer().webhookEndpoints.create({ ...staging, slug: "stripe-live", environment: "production" }),
      () => developer().webhookEndpoints.update({ slug: "stripe", name: "mine", version: 1 }),
      () => developer().webhookEndpoints.update({ slug: staging.slug, environment: "production", version: 1 }),
      () => developer().webhookEndpoints.setEnabled({ slug: "stripe", enabled: false }),
      () => developer().webhookEndpoints.setEnabled({ slug: "paddle", enabled: false }),
      () => developer().webhookEndpoints.remove({ slug: "stripe" }),
      () => developer().webhookSecrets.add({ endpoint: "stripe", secret: SECRET }),
      () => developer().webhookSecrets.add({ provider: "paddle", secret: SECRET }),
    ];
    for (const attempt of forbidden) await expect(attempt()).rejects.toMatchObject({ code: "FORBIDDEN" });
    await developer().webhookSecrets.add({ endpoint: staging.slug, secret: SECRET });
  });

  test("CO-88 production endpoints and secrets, and every removal, need a fresh sign-in; staging secrets do not", async () => {
    const stale = it.as("admin", undefined, { authTime: NOON - 600 });
    await admin().webhookEndpoints.create(staging);
    const { id } = await stale.webhookSecrets.add({ endpoint: staging.slug, secret: SECRET });
    await stale.webhookSecrets.end({ id, confirmLast: true });
    const live = await admin().webhookSecrets.add({ provider: "stripe", secret: SECRET });
    const rejected = [
      () => stale.webhookSecrets.add({ provider: "stripe", secret: "whsec_another_0123456789" }),
      () => stale.webhookSecrets.end({ id: live.id, confirmLast: true }),
      () => stale.webhookEndpoints.remove({ slug: staging.slug }),
      () => stale.webhookEndpoints.create({ slug: "stripe-live", provider: "stripe", environment: "production" }),
      () => stale.webhookEndpoints.update({ slug: "stripe", name: "Live", version: 1 }),
      () => stale.webhookEndpoints.update({ slug: staging.slug, environment: "production", version: 1 }),
      () => stale.webhookEndpoints.setEnabled({ slug: "stripe", enabled: false }),
    ];
    for (const attempt of rejected) await expect(attempt()).rejects.toMatchObject({ cause: { kind: "stale_sign_in" } });
  });

  test("an endpoint is removed with its secrets, but not while the log has deliveries of it", async () => {
    await admin().webhookEndpoints.create(staging);
    await admin().webhookSecrets.add({ endpoint: staging.slug, secret: SECRET });
    await store().recordRejection({
      ...hit,
      endpoint: staging.slug,
      outcome: "rejected",
      reason: "unparsable",
      status: 400,
    });
    await expect(admin().webhookEndpoints.remove({ slug: staging.slug })).rejects.toMatchObject({ code: "CONFLICT" });
    await it.deps.db.delete(it.deps.db.tables.webhookDeliveries);
    await admin().webhookEndpoints.remove({ slug: staging.slug });
    expect([await received(staging.slug), await admin().webhookSecrets.list()]).toEqual([undefined, []]);
    expect((await audit()).at(-1)).toEqual(["webhook_endpoint.remove", staging.slug, "admin", "staging"]);
    await expect(admin().webhookEndpoints.remove({ slug: staging.slug })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  describe("secrets", () => {
    /** A delivery that this secret verified. */
    const matched = async (secretId: string, at: number) => {
      const { db, seal, now } = it.deps;
      const stats = createStats(db, { now, onError: (error) => expect.unreachable(String(error)) });
      await createWebhookStore(db, seal, now, stats).acceptDelivery(
        { ...hit, id: `d${at}`, receivedAt: at, secretId },
        [event(`${at}`)],
      );
      await stats.stop();
    };

    test.each([
      ["the id of an endpoint of Stripe", "we_1QabcDEF", /id of a webhook endpoint.*Signing secret/],
      ["an API key", "sk_live_abc123", /is an API key/],
      ["nothing but white space", " \n", /is empty/],
      ["white space within", "whsec_one whsec_two", /white space/],
    ])("CO-58 %s is not a signing secret, and the error says where the secret is", async (_, secret, message) => {
      const attempt = admin().webhookSecrets.add({ provider: "stripe", secret });
      await expect(attempt).rejects.toMatchObject({ code: "BAD_REQUEST", message: expect.stringMatching(message) });
    });

    test("CO-58 white space around a secret is removed and reported, except the line end of a paste", async () => {
      await admin().webhookEndpoints.create(staging);
      expect(await admin().webhookSecrets.add({ provider: "stripe", secret: `${SECRET}\n` })).toMatchObject({
        hint: "6789",
        warnings: [],
      });
      const { warnings } = await admin().webhookSecrets.add({ endpoint: staging.slug, secret: ` ${SECRET}_2 ` });
      expect(warnings).toEqual(["White space around the secret was removed."]);
    });

    test("CO-58 the same secret in two environments is stored with a warning", async () => {
      await admin().webhookEndpoints.create(staging);
      await admin().webhookSecrets.add({ endpoint: staging.slug, secret: SECRET });
      const { warnings } = await admin().webhookSecrets.add({ provider: "stripe", secret: SECRET });
      expect(warnings).toEqual([expect.stringMatching(/^stripe-staging \(staging\) has the same secret\./)]);
    });

    test("an API key is stored beside the signing secrets, is never the last of them, and verifies no signature", async () => {
      const key = await admin().webhookSecrets.add({
        provider: "stripe",
        kind: "api_key",
        secret: "sk_test_0123456789",
      });
      expect(key).toMatchObject({
        kind: "api_key",
        rotation: null,
        warnings: ["This is a test key, but the endpoint is for production."],
      });
      expect(await received("stripe")).toMatchObject({ secrets: [], apiKeys: [{ value: "sk_test_0123456789" }] });
      await admin().webhookSecrets.end({ id: key.id });
      expect(await received("stripe")).toMatchObject({ apiKeys: [] });
      await expect(
        admin().webhookSecrets.add({ provider: "stripe", kind: "api_key", secret: SECRET }),
      ).rejects.toMatchObject({
        message: expect.stringContaining("is a signing secret"),
      });
    });

    test("CO-32 CO-58 the verdicts of a rotation: never used, in use, then safe to remove once the new one took over a week ago", async () => {
      const verdicts = async () => (await admin().webhookSecrets.list()).map(({ rotation }) => rotation?.state);
      const old = await admin().webhookSecrets.add({ provider: "stripe", secret: SECRET });
      expect(await verdicts()).toEqual(["never_used"]);
      await matched(old.id, NOON);
      it.clock.now += DAY;
      const fresh = await admin().webhookSecrets.add({ provider: "stripe", secret: "whsec_test_9876543210" });
      expect(await verdicts()).toEqual(["in_use", "never_used"]);
      for (let day = 2; day <= 7; day++) {
        expect((await verdicts())[0]).toBe("in_use");
        it.clock.now = NOON + day * DAY;
        await matched(fresh.id, it.clock.now);
      }
      const [first] = await admin().webhookSecrets.list();
      expect(first?.rotation).toEqual({
        state: "safe_to_remove",
        lastMatchedAt: NOON,
        replacedBy: { id: fresh.id, hint: "3210", lastMatchedAt: it.clock.now },
      });
    });

    test("CO-32 where deliveries are rare, a week of silence is not enough", async () => {
      const old = await admin().webhookSecrets.add({ provider: "stripe", secret: SECRET });
      const fresh = await admin().webhookSecrets.add({ provider: "stripe", secret: "whsec_test_9876543210" });
      const today = NOON - (NOON % DAY);
      const counted = { environment: "production", metric: "webhook_result", key: "stripe/accepted", count: 1 };
      const { db } = it.deps;
      const { tables } = db;
      await db.insert(tables.statDay).values([
        { ...counted, at: today - 8 * DAY },
        { ...counted, at: today + 2 * DAY },
      ]);
      await matched(old.id, NOON - 8 * DAY);
      it.clock.now = NOON + 2 * DAY;
      await matched(fresh.id, it.clock.now);
      const state = async () => (await admin().webhookSecrets.list())[0]?.rotation?.state;
      expect(await state()).toBe("quiet");
      it.clock.now = NOON + 12 * DAY;
      expect(await state()).toBe("safe_to_remove");
    });

    test("CO-58 a secret that matched within 24 hours ends now only with its last four characters, at a later time without", async () => {
      const { id } = await admin().webhookSecrets.add({ provider: "stripe", secret: SECRET });
      await matched(id, NOON - 60);
      const end = (more: { confirmHint?: string; endsAt?: number }) =>
        admin().webhookSecrets.end({ id, confirmLast: true, ...more });
      await expect(end({})).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("last four") });
      await expect(end({ confirmHint: "0000" })).rejects.toMatchObject({ code: "CONFLICT" });
      await end({ endsAt: NOON + 3600 });
      await end({ confirmHint: "6789" });
      expect(await received("stripe")).toMatchObject({ secrets: [] });
      expect((await audit()).map(([action]) => action)).toEqual([
        "webhook_secret.add",
        "webhook_secret.end",
        "webhook_secret.end",
      ]);
    });
  });

  describe("a sample", () => {
    const scheme = { header: "x-crm-signature", prefix: "sha256=" };
    const test_ = (change: object = {}) => {
      const signed = signedBy("custom", {
        body: '{"id":"e1","type":"contact.created"}',
        secret: "crm-secret",
        settings: scheme,
        timestamp: NOON,
      });
      const headers = Object.entries(signed.headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n");
      const sample = {
        slug: "crm",
        provider: "custom",
        settings: { ...scheme, idPath: "id", typePath: "type" },
        secret: "crm-secret",
      };
      return admin().webhookEndpoints.testSample({
        ...sample,
        headers,
        body: Buffer.from(signed.body).toString(),
        ...change,
      });
    };

    test("is verified with settings that are not saved, and stores nothing", async () => {
      expect(await test_()).toEqual({
        matches: true,
        message: "The signature matches.",
        eventId: "e1",
        eventType: "contact.created",
        skewSeconds: null,
      });
      expect(await admin().webhookEndpoints.list()).toEqual([]);
    });

    test("says why it does not match", async () => {
      expect(await test_({ secret: "another" })).toMatchObject({
        matches: false,
        message: expect.stringContaining("does not match"),
      });
      expect(await test_({ headers: "" })).toMatchObject({
        matches: false,
        message: expect.stringContaining("missing"),
      });
      expect(await test_({ headers: "x-crm-signature: sha256=zz" })).toMatchObject({
        message: expect.stringContaining("malformed"),
      });
      await expect(test_({ headers: "no header" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
      await expect(test_({ settings: {} })).rejects.toMatchObject({
        cause: { problems: [{ path: "settings.header" }] },
      });
    });

    test("reports a timestamp that is too old beside a signature that matches", async () => {
      const signed = signedBy("stripe", { body: "{}", secret: SECRET, timestamp: NOON - 900 });
      const headers = Object.entries(signed.headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n");
      const verdict = await admin().webhookEndpoints.testSample({
        slug: "stripe",
        provider: "stripe",
        secret: SECRET,
        headers,
        body: "{}",
      });
      expect(verdict).toMatchObject({
        matches: true,
        skewSeconds: -900,
        message: expect.stringContaining("300 seconds"),
      });
    });
  });

  test("the list of providers has all of them, with their settings and where the secret is", async () => {
    const providers = await it.as("viewer").webhookEndpoints.providers();
    expect(providers.map(({ provider }) => provider).sort()).toEqual(Object.keys(PROVIDERS).sort());
    expect(providers.find(({ provider }) => provider === "stripe")).toMatchObject({
      name: "Stripe",
      toleranceSeconds: 300,
      settingsFields: expect.arrayContaining([expect.objectContaining({ name: "toleranceSeconds", kind: "number" })]),
    });
    expect(providers.every(({ secretHelp, retries }) => secretHelp !== "" && retries !== "")).toBe(true);
  });
});
