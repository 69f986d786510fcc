import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApplication } from "../applications/applications.ts";
import { registerClient } from "../clients/register.ts";
import { createContext } from "../context.ts";
import {
  ADMIN,
  type Installation,
  ISSUER,
  issueToken,
  openInstallation,
  seedApplication,
  webClient,
  webSettings,
} from "../testing/callers.ts";
import { createCallerFactory, procedure, router } from "../trpc.ts";
import type { ResourceDraft } from "./rules.ts";

const stock = (change: Partial<ResourceDraft> = {}): ResourceDraft => ({
  id: "https://stock.example",
  name: "Stock",
  scopes: [{ name: "stock:read", description: "see what is in stock" }],
  tokenFormat: "opaque",
  tokenAlgorithm: "RS256",
  environments: null,
  attachedBy: "admins",
  strangers: "refused",
  ...change,
});
const ping = { name: "ping", description: "see whether it is there" };

describe.each(engines)("API resources, on $name", (engine) => {
  let it: Installation;
  let clientId: string;
  let applicationId: string;
  beforeAll(async () => {
    it = await openInstallation(engine);
    ({ clientId, applicationId } = await seedApplication(it.deps));
    await it.as("admin").resources.create(stock());
  });
  afterAll(() => it.close());

  const settings = (change: Parameters<typeof webClient>[0]) => ({ ...webSettings(change), clientId });

  test("a resource is registered, changed, disabled, enabled and deleted", async () => {
    const { resources } = it.as("admin");
    const mail = stock({ id: "https://mail.example/v1", name: "Mail", scopes: [ping] });
    expect(await resources.create(mail)).toMatchObject({ ...mail, enabled: true });
    expect((await resources.list()).map(({ id }) => id)).toEqual(["https://mail.example/v1", "https://stock.example"]);
    const changed = { ...mail, name: "Post", tokenFormat: "jwt", tokenAlgorithm: "EdDSA" } as const;
    expect(await resources.update(changed)).toMatchObject(changed);
    expect(await resources.setEnabled({ id: mail.id, enabled: false })).toMatchObject({ enabled: false });
    expect(await it.deps.store.listResources()).toContainEqual(
      expect.objectContaining({ id: mail.id, disabledAt: it.clock.now }),
    );
    expect(await resources.setEnabled({ id: mail.id, enabled: true })).toMatchObject({ enabled: true });
    await expect(resources.create(mail)).rejects.toMatchObject({ code: "CONFLICT" });
    await resources.remove({ id: mail.id });
    await expect(resources.remove({ id: mail.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(resources.update(mail)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("CO-58 of resources that take one scope at once, one is created or changed, and the others are told who has it", async () => {
    const { resources } = it.as("admin");
    const ids = [1, 2, 3, 4].map((number) => `https://race-${number}.example`);
    const raced = { name: "race:read", description: "see who wins" };
    const taken = { code: "BAD_REQUEST", message: expect.stringContaining("race:read belongs to") };
    const owners = async () =>
      (await resources.list()).filter(({ scopes }) => scopes.some(({ name }) => name === raced.name));

    const created = await Promise.allSettled(ids.map((id) => resources.create(stock({ id, scopes: [raced] }))));
    expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of created) if (one.status === "rejected") expect(one.reason).toMatchObject(taken);
    expect(await owners()).toHaveLength(1);

    for (const { id } of await owners()) await resources.remove({ id });
    for (const [at, id] of ids.entries())
      await resources.create(stock({ id, scopes: [{ name: `RACE:READ:${at}`, description: "race with it" }] }));
    const updated = await Promise.allSettled(ids.map((id) => resources.update(stock({ id, scopes: [raced] }))));
    expect(updated.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of updated) if (one.status === "rejected") expect(one.reason).toMatchObject(taken);
    expect(await owners()).toHaveLength(1);
    for (const id of ids) await resources.remove({ id });
  });

  test("CO-37 CO-59 a resource says how many clients can request its tokens, and each of its scopes; a client that serves it does not count", async () => {
    const { resources, clients } = it.as("admin");
    const id = "https://use_d.example";
    await resources.create(
      stock({
        id,
        name: "Used",
        environments: ["development"],
        scopes: [
          { name: "used:read", description: "use it" },
          { ...ping, name: "used:ping" },
        ],
      }),
    );
    expect(await resources.usage({ id })).toEqual({ clients: 0, more: false, inProduction: 0, first: [], scopes: {} });
    const application = await seedApplication(it.deps, "Uses an API");
    const draft = { ...webClient(), applicationId: application.applicationId };
    const holder = { ...draft, name: "Holder", scopes: ["openid", "used:read"], options: { resources: [id] } };
    const { client } = await clients.register(holder);
    await clients.register({
      ...draft,
      name: "Server",
      type: "service",
      redirectUris: [],
      grantTypes: ["client_credentials"],
      scopes: [],
      resourceServer: true,
      options: { serves: [id] },
    });
    expect(await resources.usage({ id })).toMatchObject({
      clients: 1,
      more: false,
      first: [{ clientId: client.clientId, name: "Holder", applicationName: "Uses an API" }],
      scopes: { "used:read": 1 },
    });
    await clients.remove({ clientId: client.clientId });
    await resources.remove({ id });
  });

  test.each([
    ["relative", "/stock"],
    ["plain http", "http://stock.example"],
    ["another scheme", "ftp://stock.example"],
    ["a fragment", "https://other.example#x"],
    ["a query", "https://other.example?x"],
    ["a user", "https://me@other.example"],
    ["a trailing slash", "https://other.example/"],
    ["upper case in the host", "https://Other.example"],
    ["a default port", "https://other.example:443"],
    ["a quote", 'https://other.example/"'],
    ["the built-in API", `${ISSUER}/api`],
  ])("RI-01 RI-04: an id is refused that is %s", async (_, id) => {
    const created = it.as("admin").resources.create(stock({ id, scopes: [ping] }));
    await expect(created).rejects.toMatchObject({ code: "BAD_REQUEST", cause: { problems: [{ path: "id" }] } });
  });

  test.each([
    ["none", []],
    ["a built-in one", ["api:read"]],
    ["one of OpenID Connect", ["openid"]],
    ["one of another resource", ["stock:read"]],
    ["two with one name", ["ping", "ping"]],
    ["two in one", ["ping pong"]],
    ["a quote", ['ping"']],
  ])("a scope belongs to one resource; refused: %s", async (_, names) => {
    const scopes = names.map((name) => ({ name, description: "do it" }));
    await expect(it.as("admin").resources.create(stock({ id: "https://other.example", scopes }))).rejects.toMatchObject(
      {
        code: "BAD_REQUEST",
      },
    );
  });

  test("RI-01: a client is registered for existing resources and their scopes", async () => {
    const { clients, resources } = it.as("admin");
    await resources.update(stock({ environments: ["development", "production"] }));
    const options = { resources: ["https://stock.example"] };
    expect(await clients.update(settings({ scopes: ["api:read", "stock:read"], options }))).toMatchObject({ options });
    // Left out, they stay what they are.
    expect(await clients.update(settings({ scopes: ["stock:read"] }))).toMatchObject({ options });
    for (const change of [
      { scopes: ["stock:read"], options: {} },
      { scopes: ["mail:read"], options },
      { scopes: ["api:read"], options: { resources: ["https://nowhere.example"] } },
      { scopes: ["api:read"], options: { serves: ["https://stock.example"] } },
    ]) {
      await expect(clients.update(settings(change))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
  });

  test("IN-05: a resource server serves existing resources, including the built-in one", async () => {
    const { clients } = it.as("admin");
    const service = {
      ...webClient({ type: "service", environment: "staging", redirectUris: [], scopes: ["api:read"] }),
      applicationId,
    };
    const draft = { ...service, grantTypes: ["client_credentials" as const], resourceServer: true };
    await expect(
      clients.register({ ...draft, options: { serves: ["https://nowhere.example"] } }),
    ).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    const serves = [`${ISSUER}/api`, "https://stock.example"];
    expect((await clients.register({ ...draft, options: { serves } })).client).toMatchObject({ options: { serves } });
  });

  describe("D22 an API says which environments may request its tokens", () => {
    const WIKI = "https://wiki.example";
    const wiki = (change: Partial<ResourceDraft> = {}) =>
      stock({ id: WIKI, scopes: [{ name: "wiki:read", description: "read" }], ...change });
    const HOLDING = { scopes: ["wiki:read"], options: { resources: [WIKI] } };
    const holding = (change: Parameters<typeof webClient>[0] = {}) => webClient({ ...HOLDING, ...change });
    let held: string;

    beforeAll(async () => {
      const admin = it.as("admin");
      await admin.resources.create(wiki());
      const team = await createApplication({ name: "Wiki team", description: "" }, ADMIN, it.deps);
      await admin.resources.update(wiki({ environments: ["development"] }));
      held = (await admin.clients.register({ ...holding(), applicationId: team.id })).client.clientId;
    });
    beforeEach(async () => void (await it.as("admin").resources.update(wiki({ environments: ["development"] }))));

    let count = 0;
    const application = async () => {
      count += 1;
      return (await createApplication({ name: `Wiki ${count}`, description: "" }, ADMIN, it.deps)).id;
    };

    test("only production by default; each environment once, and at least one", async () => {
      const { clients, resources } = it.as("admin");
      expect(await resources.update(wiki())).toMatchObject({
        environments: null,
        attachedBy: "admins",
        strangers: "refused",
      });
      for (const environment of ["development", "staging"] as const) {
        const registered = clients.register({ ...holding({ environment }), applicationId: await application() });
        await expect(registered).rejects.toMatchObject({
          code: "BAD_REQUEST",
          cause: {
            problems: [{ path: "options.resources.0", message: expect.stringContaining(`not of ${environment}`) }],
          },
        });
      }
      const production = holding({ environment: "production", redirectUris: ["https://wiki.example/cb"] });
      await clients.register({ ...production, applicationId: await application() });
      expect(await resources.update(wiki({ environments: ["staging", "development", "staging"] }))).toMatchObject({
        environments: ["development", "staging"],
      });
      await expect(resources.update(wiki({ environments: [] }))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    });

    test("all environments by default if the issuer is http on loopback", async () => {
      const deps = { ...it.deps, config: { issuer: "http://localhost:3000", resource: "http://localhost:3000/api" } };
      await it.as("admin").resources.update(wiki());
      const registration = { ...holding(), applicationId: await application() };
      expect(await registerClient(registration, ADMIN, deps)).toMatchObject({
        client: { options: { resources: [WIKI] } },
      });
    });

    test("only admins can attach it, and only admins can give a client that has it another way to get its tokens", async () => {
      const { clients } = it.as("developer");
      const update = (change: Parameters<typeof webClient>[0]) =>
        clients.update({ ...webSettings({ ...HOLDING, ...change }), clientId: held });
      const acts: [string, () => Promise<unknown>][] = [
        ["attach", async () => clients.register({ ...holding(), applicationId: await application() })],
        ["attach later", () => clients.update(settings({ scopes: ["wiki:read"], options: { resources: [WIKI] } }))],
        ["secret", () => clients.addSecret({ clientId: held })],
        [
          "redirect URI",
          () => update({ redirectUris: ["http://localhost:4000/callback", "http://localhost:5000/mine"] }),
        ],
        [
          "redirect URI, options left out",
          () => update({ redirectUris: ["http://localhost:5000/mine"], options: undefined }),
        ],
        [
          "keys",
          () =>
            update({
              options: { resources: [WIKI], authentication: "private_key_jwt", jwksUri: "https://mine.example/jwks" },
            }),
        ],
        ["grant", () => update({ grantTypes: ["authorization_code", "client_credentials"] })],
        ["enable", () => clients.setEnabled({ clientId: held, enabled: true })],
      ];
      const before = await it.as("admin").clients.get({ clientId: held });
      for (const [act, attempt] of acts) {
        await expect(attempt(), act).rejects.toMatchObject({
          code: "FORBIDDEN",
          message: expect.stringContaining(WIKI),
        });
      }
      expect(await it.as("admin").clients.get({ clientId: held })).toEqual(before);
    });

    test("CO-28 CO-33 only admins can put preview slots of such a client, or let its secret live longer", async () => {
      const { clients, previews } = it.as("developer");
      const frame = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/cb" };
      const { version } = await it.as("admin").previews.list({ clientId: held });
      await it.as("admin").previews.setFrame({ clientId: held, version, frame });
      const [secret] = (await it.as("admin").clients.get({ clientId: held })).secrets;
      const retirement = { clientId: held, secretId: secret?.id ?? "", confirmLast: true };
      await clients.retireSecret({ ...retirement, expiresInSeconds: 7200 });
      const acts: [string, () => Promise<unknown>][] = [
        [
          "slot",
          () => previews.put({ clientId: held, key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" }),
        ],
        ["numbered slots", () => previews.putNumbered({ clientId: held })],
        ["call the end off", () => clients.keepSecret({ clientId: held, secretId: secret?.id ?? "" })],
        ["a later end", () => clients.retireSecret({ ...retirement, expiresInSeconds: 7201 })],
      ];
      for (const [act, attempt] of acts)
        await expect(attempt(), act).rejects.toMatchObject({
          code: "FORBIDDEN",
          message: expect.stringContaining(WIKI),
        });
      await clients.retireSecret({ ...retirement, expiresInSeconds: 3600 });
      await it.as("admin").clients.keepSecret({ clientId: held, secretId: secret?.id ?? "" });
      await it
        .as("admin")
        .previews.put({ clientId: held, key: "pr-1", redirectUri: "https://pr-1.preview.example.com/cb" });
      await previews.end({ clientId: held, key: "pr-1" });
    });

    test("only admins can promote such a client", async () => {
      await it.as("admin").resources.update(wiki({ environments: ["development", "staging"] }));
      const { applicationId } = await it.as("admin").clients.get({ clientId: held });
      const promotion = { applicationId, from: "development" as const, redirectUris: ["https://staging.example/cb"] };
      const attempt = it.as("developer").clients.promote({ ...promotion, to: "staging" });
      await expect(attempt).rejects.toMatchObject({ code: "FORBIDDEN" });
      const onward = it.as("admin").clients.promote({ ...promotion, to: "production" });
      await expect(onward).rejects.toMatchObject({
        code: "BAD_REQUEST",
        message: expect.stringContaining("not of production"),
      });
    });

    test("a developer may still disable, retire a secret and detach", async () => {
      const admin = it.as("admin");
      const { client, secret } = await admin.clients.register({ ...holding(), applicationId: await application() });
      expect(secret).not.toBeNull();
      const { clients } = it.as("developer");
      const { clientId, secrets } = client;
      await clients.retireSecret({ clientId, secretId: secrets[0]?.id ?? "", confirmLast: true });
      expect(await clients.setEnabled({ clientId, enabled: false })).toMatchObject({ enabled: false });
      expect(await clients.update({ ...webSettings({ options: {} }), clientId })).toMatchObject({ options: {} });
      await clients.addSecret({ clientId });
    });

    test("clients of a deleted API stay protected, because it may be registered again", async () => {
      await it.as("admin").resources.remove({ id: WIKI });
      await expect(it.as("developer").clients.addSecret({ clientId: held })).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
      await it.as("admin").resources.create(wiki());
    });

    test("an API may allow developers to attach it to the clients that they manage", async () => {
      await it
        .as("admin")
        .resources.update(wiki({ environments: ["development", "production"], attachedBy: "developers" }));
      const { clients } = it.as("developer");
      const { client } = await clients.register({ ...holding(), applicationId: await application() });
      await clients.addSecret({ clientId: client.clientId });
      const production = holding({ environment: "production", redirectUris: ["https://wiki.example/cb"] });
      await expect(clients.register({ ...production, applicationId: await application() })).rejects.toMatchObject({
        code: "FORBIDDEN",
      });
    });
  });

  test("BR-09 RI-03: a procedure may require a token for another resource, and then rejects a session", async () => {
    const audience = "https://stock.example";
    const routes = router({
      stock: procedure({ may: "signIn", scope: "stock:read", audience }).query(() => "stock"),
      ours: procedure({ may: "signIn", scope: "api:read" }).query(() => "ours"),
    });
    const as = async (token: string) => {
      const request = new Request(`${ISSUER}/trpc/x`, { headers: { authorization: `Bearer ${token}` } });
      const audiences = [it.deps.config.resource, audience];
      const context = await createContext({
        request,
        deps: it.deps,
        caller: { address: null },
        alsoAccepts: [],
        audiences,
      });
      return createCallerFactory(routes)(context);
    };
    const theirs = await as(
      await issueToken(it.deps, { clientId, userId: "admin", scope: "stock:read api:read", audience }),
    );
    expect(await theirs.stock()).toBe("stock");
    await expect(theirs.ours()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const ours = await as(await issueToken(it.deps, { clientId, userId: "admin", scope: "stock:read api:read" }));
    expect(await ours.ours()).toBe("ours");
    await expect(ours.stock()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});
