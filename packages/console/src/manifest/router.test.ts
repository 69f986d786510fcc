import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation, seedApplication } from "../testing/callers.ts";

const BCRYPT = "$2b$12$wJkYgEYgUBnkRNJgZ5Y7Oe0YzFq1l0yTzUjQq1w7pJwXl8oXvVn1a";
const SERVICE = { client_id: "desk", type: "service", scopes: ["api:read"] };
const fileOf = (change: object = {}) =>
  JSON.stringify({ applications: [{ name: "Desk", environments: { development: { ...SERVICE, ...change } } }] });

describe.each(engines)("CO-72 the configuration as a file, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());
  const configuration = () => it.as("admin").configuration;

  test("a plan says what would change, and only that plan can be applied; a new secret is returned once", async () => {
    const plan = await configuration().plan({ file: fileOf() });
    expect(plan.changes.map(({ action, kind, name }) => [action, kind, name])).toEqual([
      ["create", "application", "Desk"],
      ["create", "client", "Desk / Main"],
    ]);
    const applied = await configuration().applyFile({ file: fileOf(), planId: plan.changesId });
    expect(applied).toMatchObject({ changed: true, removed: 0, secrets: [{ clientId: "desk" }] });

    const again = await configuration().plan({ file: fileOf() });
    expect(again.changes.map(({ action }) => action)).toEqual(["keep", "keep"]);
    expect(JSON.stringify(again)).not.toContain(applied.secrets[0]?.secret ?? "none");
    const wider = fileOf({ scopes: ["api:read", "api:write"] });
    expect((await configuration().plan({ file: wider })).changes).toMatchObject([
      { action: "keep" },
      { action: "update", fields: [{ field: "scopes", before: ["api:read"], after: ["api:read", "api:write"] }] },
    ]);
    await expect(configuration().applyFile({ file: wider, planId: again.changesId })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  test("what the file does not mention stays, unless exactly as many are to be removed as the plan lists", async () => {
    await seedApplication(it.deps);
    const file = fileOf();
    const plan = await configuration().plan({ file });
    expect(plan.notInFile).toMatchObject([{ kind: "application", name: "Shop" }]);
    await expect(configuration().applyFile({ file, planId: plan.changesId, prune: 1 })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await expect(configuration().applyFile({ file, planId: plan.id, prune: 2 })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    expect((await it.as("viewer").applications.list({ query: "Shop" })).items).toHaveLength(1);
    expect(await configuration().applyFile({ file, planId: plan.id, prune: 1 })).toMatchObject({ removed: 1 });
    expect((await it.as("viewer").applications.list({ query: "Shop" })).items).toEqual([]);
  });

  test("secrets that the file takes from variables come with the request, never from the server's environment", async () => {
    const file = fileOf({ client_secret: { from_env: "PATH" } });
    await expect(configuration().plan({ file })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("PATH is not set"),
    });
    const variables = { PATH: "a-secret-of-forty-characters-0123456789" };
    const plan = await configuration().plan({ file, variables });
    expect(JSON.stringify(plan)).not.toContain(variables.PATH);
    await configuration().applyFile({ file, variables, planId: plan.changesId });
    expect(await configuration().export()).toContain('"client_id": "desk"');
    expect(await configuration().export()).not.toContain(variables.PATH);
  });

  test("CO-70 an API token plans and applies by scope, without a fresh sign-in; the audit log names it", async () => {
    const planner = it.asToken(["config:plan"]).configuration;
    const applier = it.asToken(["config:plan", "config:apply"]).configuration;
    const plan = await planner.plan({ file: fileOf() });
    await expect(planner.applyFile({ file: fileOf(), planId: plan.changesId })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const inProduction = fileOf().replace("development", "production");
    const { changesId: planId } = await applier.plan({ file: inProduction });
    expect(await applier.applyFile({ file: inProduction, planId })).toMatchObject({ secrets: [{ clientId: "desk" }] });
    expect(await planner.export()).toContain('"client_id": "desk"');
    const [row] = (await it.as("admin").audit.list({ action: "client.create" })).items;
    expect(row).toMatchObject({ environment: "production", via: "api_token" });
    const staging = it.asToken(["config:plan"], { environments: ["staging"] }).configuration;
    await expect(staging.plan({ file: fileOf() })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test.each([
    [
      "password of a new user",
      { email: "eve@example.com", name: "Eve", password: "correct horse battery" },
      "password",
    ],
    ["hash of a new user", { email: "eve@example.com", name: "Eve", password_hash: BCRYPT }, "password_hash"],
    [
      "new password of a user",
      { email: "viewer@example.com", password: "correct horse battery", reset_password: true },
      "password",
    ],
    ["password of a user who has one", { email: "viewer@example.com", password: "correct horse battery" }, "password"],
    [
      "password that adopts an account",
      { email: "viewer@example.com", password: "correct horse battery", adopt: true },
      "password",
    ],
  ])("UM-03 CO-72 a file with the %s is neither planned nor applied here", async (_, user, field) => {
    const file = JSON.stringify({ users: [{ email: "admin@example.com", name: "Admin" }, user] });
    const passwords = async () =>
      (await it.deps.db.select().from(it.deps.db.tables.users)).map((row) => row.passwordHash);
    const before = await passwords();
    const refusal = { code: "BAD_REQUEST", message: expect.stringContaining(`users.1.${field}: cannot be set here`) };
    await expect(configuration().plan({ file })).rejects.toMatchObject(refusal);
    await expect(configuration().applyFile({ file, planId: "any" })).rejects.toMatchObject(refusal);
    expect(await passwords()).toEqual(before);
  });

  test("UM-03 a file with users and without passwords is applied here: names, roles and invitations", async () => {
    const users = [
      { email: "viewer@example.com", name: "Vera", role: "developer" },
      { email: "eve@example.com", invited: true, role: "viewer" },
    ];
    const file = JSON.stringify({ users });
    const { changesId: planId } = await configuration().plan({ file });
    expect(await configuration().applyFile({ file, planId })).toMatchObject({ changed: true });
    expect((await it.as("admin").users.list({})).items).toContainEqual(
      expect.objectContaining({ name: "Vera", role: "developer" }),
    );
    expect((await it.as("admin").invitations.list({})).items).toMatchObject([
      { email: "eve@example.com", role: "viewer" },
    ]);
  });

  test("CO-70 an API token applies no users, so that it makes no admins", async () => {
    const file = JSON.stringify({ users: [{ email: "eve@example.com", role: "admin", invited: true }] });
    const token = it.asToken(["config:plan", "config:apply"]).configuration;
    const refusal = { code: "BAD_REQUEST", message: expect.stringContaining("users") };
    await expect(token.plan({ file })).rejects.toMatchObject(refusal);
    const { changesId: planId } = await configuration().plan({ file });
    await expect(token.applyFile({ file, planId })).rejects.toMatchObject(refusal);
    expect(await configuration().applyFile({ file, planId })).toMatchObject({ changed: true });
  });

  test("CO-70 an API token adds and changes no sign-in providers, which can vouch for an admin's address, and keeps those that there are", async () => {
    const fileWith = (change: object) =>
      JSON.stringify({
        sign_in_providers: [
          {
            id: "corp",
            preset: "oidc",
            name: "Corp",
            issuer: "https://id.corp.example",
            client_id: "gatehouse",
            ...change,
          },
        ],
      });
    const token = it.asToken(["config:plan", "config:apply"]).configuration;
    const refusal = { code: "BAD_REQUEST", message: expect.stringContaining("sign_in_providers") };
    const refuses = async (file: string) => {
      const { changesId: planId } = await token.plan({ file });
      await expect(token.applyFile({ file, planId })).rejects.toMatchObject(refusal);
      return planId;
    };
    const planId = await refuses(fileWith({}));
    expect(await configuration().applyFile({ file: fileWith({}), planId })).toMatchObject({ changed: true });
    await refuses(fileWith({ trust_email: true, link: "verified" }));
    const kept = await token.plan({ file: fileWith({}) });
    expect(await token.applyFile({ file: fileWith({}), planId: kept.changesId })).toMatchObject({ changed: false });
  });

  test("CO-70 PK-56 an API token neither adds nor changes forwarding, which decides who gets the payloads", async () => {
    const token = it.asToken(["config:plan", "config:apply"]).configuration;
    const fileWith = (endpoint: object) =>
      JSON.stringify({ webhooks: [{ provider: "stripe", endpoint: "shop", environment: "staging", ...endpoint }] });
    const applyAs = async (caller: typeof token, file: string) =>
      caller.applyFile({ file, planId: (await caller.plan({ file })).changesId });
    const forward = { url: "https://app.example/hooks" };
    await expect(applyAs(token, fileWith({ forward }))).rejects.toMatchObject({
      message: expect.stringMatching(/webhooks: shop\.forward: cannot be added or changed by an API token/),
    });
    const made = await applyAs(configuration(), fileWith({ forward }));
    expect(made.secrets).toMatchObject([{ name: "Forwarding of shop", clientId: null }]);
    for (const change of [{ forward: { url: "https://elsewhere.example/" } }, { forward, environment: "production" }])
      await expect(applyAs(token, fileWith(change))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await applyAs(token, fileWith({ forward, name: "Shop" }))).toMatchObject({ changed: true, secrets: [] });
  });

  test("CO-70 an API token removes no sign-in provider and no client that it could not change, and nothing else of that plan", async () => {
    const token = it.asToken(["config:plan", "config:apply"]).configuration;
    const trusted = { ...SERVICE, client_id: "sees-all", resource_server: true };
    const whole = {
      applications: [
        { name: "Desk", environments: { development: SERVICE, staging: { ...trusted, client_id: "sees-all-too" } } },
        { name: "Gateway", environments: { development: trusted } },
        { name: "Spare", environments: { development: { ...SERVICE, client_id: "spare" } } },
      ],
      sign_in_providers: [
        { id: "corp", preset: "oidc", issuer: "https://id.corp.example", client_id: "gate", domains: ["corp.example"] },
      ],
    };
    const { changesId } = await configuration().plan({ file: JSON.stringify(whole) });
    await configuration().applyFile({ file: JSON.stringify(whole), planId: changesId });
    const [desk, gateway, spare] = whole.applications;
    const pruned = async (change: object, by = token) => {
      const file = JSON.stringify({ ...whole, ...change });
      const { id: planId, notInFile } = await by.plan({ file });
      return by.applyFile({ file, planId, prune: notInFile.length });
    };
    const refusal = (named: RegExp) => ({ code: "BAD_REQUEST", message: expect.stringMatching(named) });
    await expect(pruned({ sign_in_providers: [], applications: [desk, gateway] })).rejects.toMatchObject(
      refusal(/sign_in_providers.*removed/),
    );
    await expect(pruned({ applications: [desk] })).rejects.toMatchObject(refusal(/: Gateway: .*API token/));
    const onlyDevelopment = { name: "Desk", environments: { development: SERVICE } };
    await expect(pruned({ applications: [onlyDevelopment, gateway, spare] })).rejects.toMatchObject(
      refusal(/Desk \/ Main \(staging\)/),
    );
    expect(
      (await configuration().plan({ file: JSON.stringify(whole) })).changes.every(({ action }) => action === "keep"),
    ).toBe(true);

    expect(await pruned({ applications: [desk, gateway] })).toMatchObject({ removed: 1 });
    expect(await pruned({ sign_in_providers: [], applications: [desk] }, configuration())).toMatchObject({
      removed: 2,
    });
  });

  test("CO-73 a locked file's objects are refused to everybody until one is unlocked, and then drift", async () => {
    const file = JSON.stringify({ locked: true, ...JSON.parse(fileOf()) });
    const { changesId: planId } = await configuration().plan({ file, name: "desk.json" });
    await configuration().applyFile({ file, name: "desk.json", planId });
    const developer = it.as("developer");
    const managed = { file: "desk.json", locked: true, appliedBy: "admin" };
    expect(await developer.clients.get({ clientId: "desk" })).toMatchObject({ managed });
    const listed = (await developer.applications.list({ state: "managed" })).items;
    expect(listed).toMatchObject([{ name: "Desk", clients: [{ lockedBy: "desk.json" }] }]);
    const disable = () => developer.clients.setEnabled({ clientId: "desk", enabled: false });
    const update = () =>
      developer.clients.update({ clientId: "desk", redirectUris: [], grantTypes: ["client_credentials"], scopes: [] });
    const locked = { code: "CONFLICT", message: expect.stringContaining("managed by desk.json and locked") };
    await expect(disable()).rejects.toMatchObject(locked);
    await expect(update()).rejects.toMatchObject(locked);
    await expect(
      it.asToken(["config:apply"]).configuration.unlock({ kind: "client", id: "desk" }),
    ).rejects.toMatchObject({
      code: "FORBIDDEN",
    });

    await developer.configuration.unlock({ kind: "client", id: "desk" });
    await update();
    const drift = { field: "scopes", fileValue: ["api:read"], liveValue: [], by: { name: "developer" } };
    expect((await it.asToken(["config:plan"]).configuration.drift({})).drift).toMatchObject([drift]);
    await expect(developer.configuration.drift({})).rejects.toMatchObject({ code: "FORBIDDEN" });

    const again = await configuration().plan({ file, name: "desk.json" });
    expect(again).toMatchObject({
      changes: [{ action: "keep" }, { action: "update" }],
      recording: { locks: 1, marks: 0, releases: 0 },
    });
    await configuration().applyFile({ file, name: "desk.json", planId: again.changesId });
    await expect(disable()).rejects.toMatchObject(locked);
    expect(await configuration().drift({})).toEqual({ drift: [], managed: true, nextCursor: null });
    expect(await configuration().export()).not.toContain("locked");
  });

  test.each([
    [
      "a first-party client with scopes of the console",
      { first_party: true, type: "web", scopes: ["openid", "console:read", "console:write"] },
    ],
    ["a first-party client", { first_party: true, type: "web", scopes: ["openid"] }],
    ["a resource server", { resource_server: true }],
  ])("CO-70 an API token neither adds nor changes %s, and keeps one that there is", async (_, rights) => {
    const redirects =
      "type" in rights
        ? { redirect_uris: ["https://desk.example/callback"], client_secret: "a-secret-of-forty-characters-0123456789" }
        : {};
    const token = it.asToken(["config:plan", "config:apply"]).configuration;
    const refusal = { code: "BAD_REQUEST", message: expect.stringMatching(/Desk \/ Main \(development\).*API token/) };
    const refuses = async (file: string) => {
      const { changesId: planId } = await token.plan({ file });
      await expect(token.applyFile({ file, planId })).rejects.toMatchObject(refusal);
      return planId;
    };
    const file = fileOf({ ...rights, ...redirects });
    const planId = await refuses(file);
    expect(await configuration().applyFile({ file, planId })).toMatchObject({ changed: true });
    const kept = await token.plan({ file });
    expect(await token.applyFile({ file, planId: kept.changesId })).toMatchObject({ changed: false });
    await refuses(fileOf({ ...rights, ...redirects, enabled: false }));
    await refuses(fileOf("type" in rights ? { ...redirects, type: "web", scopes: ["openid"] } : {}));
    if ("type" in rights)
      await refuses(fileOf({ ...rights, ...redirects, redirect_uris: ["https://evil.example/callback"] }));
  });

  test("a file that cannot be applied is refused whole, with the place of each problem", async () => {
    const refused = configuration().plan({
      file: JSON.stringify({ applications: [{ name: "Desk", environments: { production: { type: "web" } } }] }),
    });
    await expect(refused).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("applications.0.environments.production"),
    });
    await expect(configuration().plan({ file: "{" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});
