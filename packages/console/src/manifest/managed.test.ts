import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { getApplication, updateApplication } from "../applications/applications.ts";
import { setBranding, setLogo } from "../branding/branding.ts";
import { renameClient } from "../clients/names.ts";
import { promote } from "../clients/promotion.ts";
import { setClientEnabled, updateClient } from "../clients/register.ts";
import { addSecret } from "../clients/secrets.ts";
import { getClient } from "../clients/view.ts";
import { hasManagedObjects } from "../managed/queries.ts";
import { unlockManaged } from "../managed/unlock.ts";
import type { Author } from "../permissions.ts";
import { removeApplication, removeClient } from "../removed/remove.ts";
import { listResources, removeResource, setResourceEnabled, updateResource } from "../resources/resources.ts";
import {
  getSignInProvider,
  removeSignInProvider,
  setSignInProviderEnabled,
  updateSignInProvider,
} from "../sign-in-providers/providers.ts";
import { ADMIN, type Installation, NOON, openInstallation } from "../testing/installation.ts";
import {
  getWebhookEndpoint,
  removeWebhookEndpoint,
  setWebhookEndpointEnabled,
  updateWebhookEndpoint,
} from "../webhook-endpoints/endpoints.ts";
import { addWebhookSecret } from "../webhook-secrets/webhook-secrets.ts";
import { apply } from "./apply.ts";
import { readManifest } from "./file/read-manifest.ts";
import { listDrift } from "./managed/drift.ts";
import { planConfiguration } from "./plan.ts";

const SECRETS = [
  "only-for-tests-0123456789-0123456789",
  "whsec_test_0123456789",
  "a secret of the corporation",
] as const;
const STOCK = "https://stock.example/api";

const web = {
  client_id: "shop-web",
  type: "web",
  client_secret: SECRETS[0],
  redirect_uris: ["https://shop.example/cb"],
  scopes: ["openid"],
};
const dev = { ...web, client_id: "shop-dev", redirect_uris: ["http://localhost:4000/cb"], access_token_seconds: 120 };
const shop = { name: "Shop", clients: [{ name: "Web", environments: { development: dev, production: web } }] };
const stock = { id: STOCK, name: "Stock", scopes: { "stock:read": "see what is in stock" } };
const stripe = { provider: "stripe", endpoint: "stripe-staging", environment: "staging", secrets: [SECRETS[1]] };
const corp = {
  id: "corp",
  preset: "oidc",
  name: "Corp",
  issuer: "https://id.corp.example",
  client_id: "gate",
  client_secret_env: "CORP",
};
const EVERYTHING = { resources: [stock], applications: [shop], webhooks: [stripe], sign_in_providers: [corp] };
const LOCKED = { ...EVERYTHING, locked: true };

const account = (role: Author["role"], change: Partial<Author> = {}): Author => ({
  role,
  id: role,
  name: role,
  via: "console",
  freshSince: NOON,
  address: null,
  ...change,
});
const CONSOLE = account("admin", { name: "Ada" });

describe.each(engines)("objects that a file manages, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const variable = (name: string) => (name === "CORP" ? SECRETS[2] : "");
  const applierOf = (file: string) => ({ author: { ...ADMIN, name: "CI", file }, variable });
  const read = (content: object) => readManifest(JSON.stringify(content), {}, variable);
  const run = (content: object, file = "gatehouse.json") => apply(read(content), applierOf(file), it.deps);
  const plan = (content: object, file = "gatehouse.json") => planConfiguration(read(content), applierOf(file), it.deps);
  const drift = async () => (await listDrift({}, it.deps)).drift;
  const fields = async () => (await drift()).map(({ kind, field }) => `${kind} ${field}`);

  async function shopId(): Promise<string> {
    return (await getClient("shop-web", it.deps)).applicationId;
  }
  async function managed() {
    return {
      resource: (await listResources(it.deps))[0]?.managed,
      application: (await getApplication(await shopId(), it.deps)).managed,
      client: (await getClient("shop-web", it.deps)).managed,
      webhook_endpoint: (await getWebhookEndpoint("stripe-staging", it.deps)).managed,
      sign_in_provider: (await getSignInProvider("corp", it.deps)).managed,
    };
  }
  const settingsOf = async (clientId: string) => {
    const { clientId: _, enabled: __, secrets: ___, managed: ____, ...client } = await getClient(clientId, it.deps);
    return client;
  };
  const rows = () => it.deps.db.select().from(it.deps.db.tables.managedObjects);
  const auditRows = () => it.deps.db.select().from(it.deps.db.tables.audit);

  test("CO-72 CO-73 what another file locks is not among what pruning removes, until somebody unlocks it", async () => {
    await run({ ...LOCKED, applications: [] }, "apis.json");
    await run({ applications: [shop] });
    const desk = {
      applications: [{ name: "Desk", environments: { development: { type: "service", scopes: ["api:read"] } } }],
    };
    const pruned = async (content: object, file: string) =>
      (await plan(content, file)).notInFile.map(({ kind, id }) => `${kind} ${id}`);
    expect(await pruned(desk, "desk.json")).toEqual([`application ${await shopId()}`]);
    const ofOther = [
      `application ${await shopId()}`,
      `resource ${STOCK}`,
      "webhook_endpoint stripe-staging",
      "sign_in_provider corp",
    ];
    expect(await pruned({}, "apis.json")).toEqual(ofOther);
    await unlockManaged({ kind: "resource", id: STOCK }, CONSOLE, it.deps);
    expect(await pruned(desk, "desk.json")).toEqual([`application ${await shopId()}`, `resource ${STOCK}`]);

    await run(
      { locked: true, applications: [{ name: "Shop", clients: [{ name: "Web", environments: { production: web } }] }] },
      "web.json",
    );
    await unlockManaged({ kind: "application", id: await shopId() }, CONSOLE, it.deps);
    expect(await pruned(desk, "desk.json")).toEqual([`resource ${STOCK}`]);
  });

  test("CO-73 an apply marks its objects with the file, once, and the audit log names the file", async () => {
    expect(await run(EVERYTHING)).toMatchObject({ changed: true });
    const mark = {
      file: "gatehouse.json",
      locked: false,
      appliedAt: NOON,
      appliedBy: "CI",
      unlockedAt: null,
      unlockedBy: null,
    };
    expect(await managed()).toEqual({
      resource: mark,
      application: mark,
      client: mark,
      webhook_endpoint: mark,
      sign_in_provider: mark,
    });
    const before = { managed: await rows(), audit: await auditRows() };
    expect(new Set(before.audit.map(({ detail }) => detail["file"]))).toEqual(new Set(["gatehouse.json"]));
    it.clock.now += 60;
    expect(await run(EVERYTHING)).toMatchObject({ changed: false });
    expect({ managed: await rows(), audit: await auditRows() }).toEqual(before);
  });

  test("CO-73 what is recorded has no secret, and a user is never managed", async () => {
    await run({ ...LOCKED, users: [{ email: "bob@example.com", password: "correct horse battery" }] });
    await updateWebhookEndpoint(
      { slug: "stripe-staging", name: "EU" },
      { ...CONSOLE, file: "by another file" },
      it.deps,
    );
    const text = JSON.stringify([await rows(), await drift(), await auditRows()]);
    for (const secret of [...SECRETS, "correct horse battery"]) expect(text).not.toContain(secret);
    expect(new Set((await rows()).map(({ kind }) => kind)).size).toBe(5);
  });

  test("CO-73 an object that the file no longer lists is released, and another file takes over what it lists", async () => {
    await run(LOCKED);
    expect((await plan({ ...LOCKED, webhooks: [] })).recording).toEqual({ locks: 0, marks: 0, releases: 1 });
    await run({ ...LOCKED, webhooks: [] });
    expect(await managed()).toMatchObject({ webhook_endpoint: null, client: { locked: true } });
    await run({ resources: [stock] }, "apis.json");
    expect(await managed()).toMatchObject({
      resource: { file: "apis.json", locked: false },
      client: { file: "gatehouse.json" },
    });
  });

  test("CO-73 the plan counts what an apply locks, marks and releases, beside what it creates", async () => {
    expect((await plan(EVERYTHING)).recording).toEqual({ locks: 0, marks: 0, releases: 0 });
    await run(EVERYTHING);
    const { id, recording, changes } = await plan(LOCKED);
    expect(changes.every(({ action }) => action === "keep")).toBe(true);
    expect(recording).toEqual({ locks: 6, marks: 0, releases: 0 });
    expect(id).toBe((await plan(EVERYTHING)).id);
    expect((await plan(EVERYTHING, "other.json")).recording).toEqual({ locks: 0, marks: 6, releases: 0 });
  });

  /** Everything that a file can state about an object. */
  const CHANGES: Record<string, (author: Author) => Promise<unknown>> = {
    "an application": async (author) =>
      updateApplication({ id: await shopId(), name: "Shop 2", description: "" }, author, it.deps),
    "its branding": async (author) =>
      setBranding({ applicationId: await shopId(), settings: { colour: "#0a5d3c" } }, author, it.deps),
    "its removal": async (author) => removeApplication(await shopId(), author, it.deps),
    "a client": async (author) =>
      updateClient("shop-dev", { ...(await settingsOf("shop-dev")), scopes: [] }, author, it.deps),
    "a client's switch": (author) => setClientEnabled({ clientId: "shop-dev", enabled: false }, author, it.deps),
    "a client's name": async (author) =>
      renameClient({ applicationId: await shopId(), name: "Web", newName: "Browser" }, author, it.deps),
    "a client's removal": (author) => removeClient("shop-dev", author, it.deps),
    "a promotion into a client": async (author) =>
      promote(
        {
          applicationId: await shopId(),
          from: "development",
          to: "production",
          redirectUris: [],
          postLogoutRedirectUris: [],
        },
        author,
        it.deps,
      ),
    "an API": (author) => updateResource({ ...toDraft(stock), name: "Stocks" }, author, it.deps),
    "an API's switch": (author) => setResourceEnabled({ id: STOCK, enabled: false }, author, it.deps),
    "an API's removal": (author) => removeResource(STOCK, author, it.deps),
    "a webhook endpoint": (author) => updateWebhookEndpoint({ slug: "stripe-staging", name: "EU" }, author, it.deps),
    "a webhook endpoint's switch": (author) =>
      setWebhookEndpointEnabled({ slug: "stripe-staging", enabled: false }, author, it.deps),
    "a webhook endpoint's removal": (author) => removeWebhookEndpoint("stripe-staging", author, it.deps),
    "a sign-in provider": (author) => updateSignInProvider({ id: "corp", name: "Corporation" }, author, it.deps),
    "a sign-in provider's switch": (author) =>
      setSignInProviderEnabled({ id: "corp", enabled: false }, author, it.deps),
    "a sign-in provider's removal": (author) => removeSignInProvider("corp", author, it.deps),
  };
  const toDraft = ({ id, name }: typeof stock) => ({
    id,
    name,
    scopes: [{ name: "stock:read", description: "see what is in stock" }],
    tokenFormat: "opaque" as const,
    tokenAlgorithm: "RS256" as const,
    environments: null,
    attachedBy: "admins" as const,
    strangers: "refused" as const,
  });

  test("CO-73 a lock refuses every change in the console, by API token and on the command line", async () => {
    await run(LOCKED);
    const before = await auditRows();
    const refusal = {
      kind: "conflict",
      message: expect.stringMatching(/managed by gatehouse\.json and locked\. Change the file and apply it, or unlock/),
    };
    for (const [what, change] of Object.entries(CHANGES))
      for (const author of [CONSOLE, account("admin", { via: "api_token", freshSince: null }), ADMIN])
        await expect(change(author), `${what}, ${author.via}`).rejects.toMatchObject(refusal);
    expect(await auditRows()).toEqual(before);
  });

  test("CO-73 without a lock everything stays editable, and an apply changes what is locked", async () => {
    await run(EVERYTHING);
    await updateClient("shop-dev", { ...(await settingsOf("shop-dev")), scopes: [] }, CONSOLE, it.deps);
    await run({ ...LOCKED, applications: [shop] });
    const renamed = { ...LOCKED, resources: [{ ...stock, name: "Stocks" }] };
    expect(await run(renamed)).toMatchObject({ changed: true, resources: [{ status: "updated" }] });
  });

  test("CO-73 what no file holds stays open: secrets and logos", async () => {
    await run(LOCKED);
    await addSecret({ clientId: "shop-web" }, CONSOLE, it.deps);
    await addWebhookSecret({ endpoint: "stripe-staging", secret: "whsec_test_9876543210" }, CONSOLE, it.deps);
    await updateSignInProvider({ id: "corp", secret: "another secret" }, CONSOLE, it.deps);
    await setLogo(await shopId(), null, CONSOLE, it.deps);
    expect(await drift()).toEqual([]);
  });

  const TARGETS = async () =>
    [
      { kind: "client", id: "shop-dev", place: "development" },
      { kind: "webhook_endpoint", id: "stripe-staging", place: "staging" },
      { kind: "client", id: "shop-web", place: "production" },
      { kind: "application", id: await shopId(), place: "production" },
      { kind: "resource", id: STOCK, place: "production" },
      { kind: "sign_in_provider", id: "corp", place: "production" },
    ] as const;

  test.each<[Author["role"], readonly string[]]>([
    ["admin", ["development", "staging", "production"]],
    ["developer", ["development", "staging"]],
    ["viewer", []],
    ["user", []],
  ])("CO-73 a %s unlocks what they may change: %j", async (role, places) => {
    await run(LOCKED);
    for (const { kind, id, place } of await TARGETS()) {
      if (places.includes(place)) {
        const stale = account(role, { freshSince: NOON - 3600 });
        await expect(unlockManaged({ kind, id }, stale, it.deps)).rejects.toMatchObject({ kind: "stale_sign_in" });
        const unlocked = { file: "gatehouse.json", locked: false, unlockedAt: NOON, unlockedBy: role };
        expect(await unlockManaged({ kind, id }, account(role), it.deps)).toMatchObject(unlocked);
      } else
        await expect(unlockManaged({ kind, id }, account(role), it.deps)).rejects.toMatchObject({ kind: "forbidden" });
    }
    const unlocks = (await auditRows()).filter(({ action }) => action === "configuration.unlock");
    expect(unlocks).toHaveLength((await TARGETS()).filter(({ place }) => places.includes(place)).length);
    for (const row of unlocks) expect(row).toMatchObject({ actorName: role, detail: { managed_by: "gatehouse.json" } });
  });

  test("CO-73 there is nothing to unlock where no file manages the object", async () => {
    await expect(unlockManaged({ kind: "client", id: "nothing" }, CONSOLE, it.deps)).rejects.toMatchObject({
      kind: "not_found",
    });
  });

  test("CO-73 the next apply locks what was unlocked, and undoes the drift", async () => {
    await run(LOCKED);
    await unlockManaged({ kind: "resource", id: STOCK }, CONSOLE, it.deps);
    await updateResource({ ...toDraft(stock), name: "Stocks" }, CONSOLE, it.deps);
    expect(await fields()).toEqual(["resource name"]);
    expect(await run(LOCKED)).toMatchObject({ changed: true });
    expect(await managed()).toMatchObject({ resource: { locked: true, unlockedAt: null, unlockedBy: null } });
    expect(await drift()).toEqual([]);
  });

  test("CO-73 drift names the value of the file, the live value, who and when; it is what a plan would change", async () => {
    await run(EVERYTHING);
    it.clock.now = NOON + 60;
    const scopes = { ...(await settingsOf("shop-dev")), scopes: ["openid", "email"] };
    await updateClient("shop-dev", scopes, CONSOLE, it.deps);
    it.clock.now = NOON + 120;
    const longer = { ...(await settingsOf("shop-dev")), options: { accessTokenSeconds: 600 } };
    await updateClient("shop-dev", longer, account("developer", { name: "Bob" }), it.deps);
    await setClientEnabled({ clientId: "shop-web", enabled: false }, CONSOLE, it.deps);
    const object = {
      kind: "client",
      id: "shop-dev",
      name: "Shop / Web",
      environment: "development",
      file: "gatehouse.json",
    };
    const found = await drift();
    expect(found).toMatchObject([
      { ...object, field: "access_token_seconds", fileValue: 120, liveValue: 600, by: { name: "Bob", at: NOON + 120 } },
      {
        ...object,
        field: "scopes",
        fileValue: ["openid"],
        liveValue: ["openid", "email"],
        by: { name: "Ada", at: NOON + 60 },
      },
    ]);
    const planned = (await plan(EVERYTHING)).changes.flatMap((change) =>
      change.fields.map((field) => ({ kind: change.kind, ...field })),
    );
    expect(
      found.map(({ kind, field, liveValue, fileValue }) => ({ kind, field, before: liveValue, after: fileValue })),
    ).toEqual(planned);
  });

  test("CO-73 each kind drifts by the file's names", async () => {
    await run({
      ...EVERYTHING,
      applications: [{ ...shop, description: "Where people buy", branding: { colour: "#0a5d3c" } }],
      webhooks: [{ ...stripe, name: "Payments", enabled: true }],
      sign_in_providers: [{ ...corp, sign_up: true, enabled: true }],
    });
    const id = await shopId();
    await updateApplication({ id, name: "Shop 2", description: "Where people buy" }, CONSOLE, it.deps);
    await setBranding({ applicationId: id, settings: {} }, CONSOLE, it.deps);
    await renameClient({ applicationId: id, name: "Web", newName: "Browser" }, CONSOLE, it.deps);
    await updateResource({ ...toDraft(stock), tokenFormat: "jwt" }, CONSOLE, it.deps);
    await updateWebhookEndpoint({ slug: "stripe-staging", name: "EU" }, CONSOLE, it.deps);
    await setWebhookEndpointEnabled({ slug: "stripe-staging", enabled: false }, CONSOLE, it.deps);
    await updateSignInProvider({ id: "corp", settings: { signUp: false } }, CONSOLE, it.deps);
    await setSignInProviderEnabled({ id: "corp", enabled: false }, CONSOLE, it.deps);
    expect((await fields()).toSorted()).toEqual([
      "application branding",
      "application name",
      "client name",
      "client name",
      "resource token_format",
      "sign_in_provider enabled",
      "sign_in_provider sign_up",
      "webhook_endpoint enabled",
      "webhook_endpoint name",
    ]);
    expect((await drift()).every(({ by }) => by?.name === "Ada")).toBe(true);
  });

  test("CO-73 what the file leaves out is no drift: switches, branding, a description, settings of an endpoint", async () => {
    await run(EVERYTHING);
    const id = await shopId();
    await updateApplication({ id, name: "Shop", description: "Where people buy" }, CONSOLE, it.deps);
    await setBranding({ applicationId: id, settings: { colour: "#0a5d3c" } }, CONSOLE, it.deps);
    await setClientEnabled({ clientId: "shop-dev", enabled: false }, CONSOLE, it.deps);
    await setResourceEnabled({ id: STOCK, enabled: false }, CONSOLE, it.deps);
    await updateWebhookEndpoint({ slug: "stripe-staging", settings: { toleranceSeconds: 60 } }, CONSOLE, it.deps);
    expect(await drift()).toEqual([]);
    const options = { ...(await settingsOf("shop-web")).options, dpopBound: true };
    await updateClient("shop-web", { ...(await settingsOf("shop-web")), options }, CONSOLE, it.deps);
    // An apply would set an option that it leaves out to its default
    expect(await fields()).toEqual(["client dpop_bound"]);
  });

  test("CO-73 a removed object is listed with who removed it, until the file no longer lists it", async () => {
    await run(EVERYTHING);
    await removeResource(STOCK, CONSOLE, it.deps);
    await setClientEnabled({ clientId: "shop-dev", enabled: false }, account("developer", { name: "Bob" }), it.deps);
    it.clock.now = NOON + 60;
    await removeApplication(await shopId(), CONSOLE, it.deps);
    expect(await drift()).toMatchObject([
      { kind: "resource", id: STOCK, field: null, by: { name: "Ada", at: NOON } },
      { kind: "application", name: "Shop", field: null, by: { name: "Ada", at: NOON + 60 } },
      {
        kind: "client",
        id: "shop-dev",
        name: "Shop · Web",
        environment: "development",
        field: null,
        by: { name: "Ada", at: NOON + 60 },
      },
    ]);
    await run({ resources: [stock] });
    expect(await drift()).toEqual([]);
  });

  test("CO-73 says whether any file was applied", async () => {
    expect(await listDrift({}, it.deps)).toEqual({ drift: [], managed: false, nextCursor: null });
    await run({ resources: [stock] });
    expect(await hasManagedObjects(it.deps.reads)).toBe(true);
    expect(await listDrift({}, it.deps)).toEqual({ drift: [], managed: true, nextCursor: null });
  });

  test("CO-73 a new client of a locked application can be registered: the file does not describe it", async () => {
    await run(LOCKED);
    const uris = { redirectUris: ["https://staging.example/cb"], postLogoutRedirectUris: [] };
    const { client } = await promote(
      { applicationId: await shopId(), from: "development", to: "staging", ...uris },
      CONSOLE,
      it.deps,
    );
    expect(client).toMatchObject({ environment: "staging", managed: null });
  });
});
