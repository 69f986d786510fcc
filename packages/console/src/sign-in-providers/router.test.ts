import { generateKeyPairSync } from "node:crypto";
import { type SignInProvider, secretPurpose } from "@gatehouse/accounts";
import { createAccountStore } from "@gatehouse/db/stores/accounts/store";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, ISSUER, NOON, openInstallation } from "../testing/callers.ts";

const TENANT = "11111111-2222-3333-4444-555555555555";
const key = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

describe.each(engines)("sign-in providers, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const admin = () => it.as("admin").signInProviders;
  const google = { id: "google", preset: "google", clientId: "client.apps", secret: "GOCSPX-secret" } as const;
  const corp = {
    id: "corp",
    preset: "oidc",
    clientId: "gate",
    issuer: "https://id.corp.example",
    secret: "corp-secret",
  } as const;
  const stored = async (): Promise<SignInProvider[]> => createAccountStore(it.deps.db).listSignInProviders();
  const audit = async () => {
    const { db } = it.deps;
    const { tables } = db;
    return db.select().from(tables.audit).orderBy(tables.audit.id);
  };
  const problemsOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const cause = (error as { cause?: { problems?: { path: string }[]; issues?: { path: string[] }[] } }).cause;
    return cause?.problems?.map(({ path }) => path) ?? cause?.issues?.map(({ path }) => path.join("."));
  };

  test("UP-01 a provider is added enabled, behind the others, with its callback URL; its secret is sealed and never shown", async () => {
    expect(await admin().create(google)).toMatchObject({
      id: "google",
      name: "Google",
      enabled: true,
      position: 0,
      secret: "set",
      issuer: null,
      users: 0,
      createdAt: NOON,
      callbackUrl: `${ISSUER}/sign-in/with/google/callback`,
    });
    await admin().create({ ...corp, name: "Corp", settings: { domains: ["Corp.Example", "corp.example"] } });
    expect(await it.as("viewer").signInProviders.list()).toMatchObject([
      { id: "google" },
      { id: "corp", position: 1, settings: { domains: ["corp.example"] } },
    ]);
    const rows = await stored();
    expect(rows.map(({ id, secret }) => it.deps.seal.open(secretPurpose(id), secret ?? ""))).toEqual([
      "GOCSPX-secret",
      "corp-secret",
    ]);
    expect(JSON.stringify([await it.as("viewer").signInProviders.list(), await audit(), rows])).not.toMatch(
      /GOCSPX-secret|corp-secret/,
    );
  });

  test("CO-13 the users of a provider are counted up to 1,000", async () => {
    await admin().create(google);
    await admin().create(corp);
    const { db } = it.deps;
    const { tables } = db;
    const identity = (n: number) => ({
      id: `identity-${n}`,
      userId: "user",
      provider: "google",
      issuer: "https://accounts.google.com",
      subject: String(n),
      createdAt: NOON,
    });
    const counts = async () =>
      (await it.as("viewer").signInProviders.list()).map(({ users, moreUsers }) => [users, moreUsers]);
    await db.insert(tables.identities).values(Array.from({ length: 1_000 }, (_, n) => identity(n)));
    expect(await counts()).toEqual([
      [1_000, false],
      [0, false],
    ]);
    await db.insert(tables.identities).values(identity(1_000));
    expect(await counts()).toEqual([
      [1_000, true],
      [0, false],
    ]);
    expect(await it.as("viewer").signInProviders.get({ id: "google" })).toMatchObject({
      users: 1_000,
      moreUsers: true,
    });
  });

  test("UP-01 every change has an audit row, and applies at the next sign-in; a change that changes nothing writes nothing", async () => {
    await admin().create(google);
    it.clock.now += 5;
    await admin().update({ id: "google", name: "Google Workspace", secret: "another" });
    await admin().update({ id: "google", name: "Google Workspace" });
    await admin().setEnabled({ id: "google", enabled: false });
    await admin().setEnabled({ id: "google", enabled: false });
    expect(await stored()).toMatchObject([{ name: "Google Workspace", enabled: false, updatedAt: NOON + 6 }]);
    await admin().remove({ id: "google" });
    expect(await stored()).toEqual([]);
    expect((await audit()).map(({ action, object, actorId }) => [action, object, actorId])).toEqual([
      ["sign_in_provider.create", "google", "admin"],
      ["sign_in_provider.update", "google", "admin"],
      ["sign_in_provider.disable", "google", "admin"],
      ["sign_in_provider.remove", "google", "admin"],
    ]);
    expect((await audit())[1]?.detail).toMatchObject({
      changes: { name: { before: "Google", after: "Google Workspace" }, secret: { after: "changed" } },
    });
  });

  test("removing needs the provider switched off, and removes its users' connections but not their accounts", async () => {
    await admin().create(corp);
    const people = createAccountStore(it.deps.db);
    const identity = { id: "i", userId: "user", provider: "corp", issuer: corp.issuer, subject: "1", email: null };
    await people.insertIdentity({ ...identity, createdAt: NOON, lastUsedAt: null }, { signInEpoch: 0 }, {});
    expect(await admin().get({ id: "corp" })).toMatchObject({ users: 1 });
    await expect(admin().remove({ id: "corp" })).rejects.toMatchObject({ code: "CONFLICT" });
    await admin().setEnabled({ id: "corp", enabled: false });
    await admin().remove({ id: "corp" });
    expect(await people.listIdentities("user")).toEqual([]);
    expect(await people.findAccount("user")).toMatchObject({ id: "user" });
  });

  test("a secret cannot be sent to another server by changing the issuer", async () => {
    await admin().create(corp);
    const moved = { id: "corp", issuer: "https://evil.example" };
    expect(await problemsOf(admin().update(moved))).toEqual(["secret"]);
    expect(await stored()).toMatchObject([{ issuer: corp.issuer }]);
    expect(await admin().update({ ...moved, secret: "new-secret" })).toMatchObject({ issuer: "https://evil.example" });
  });

  test.each<[string, object, string[]]>([
    ["an id with capitals", { ...google, id: "Google" }, ["id"]],
    ["no secret", { ...google, secret: null }, ["secret"]],
    ["an issuer for Google", { ...google, issuer: "https://x.example" }, ["issuer"]],
    ["trust for Google", { ...google, settings: { trustEmail: true } }, ["settings.trustEmail"]],
    ["tenants for Google", { ...google, settings: { tenants: [TENANT] } }, ["settings.tenants"]],
    ["no issuer", { ...corp, issuer: null }, ["issuer"]],
    ["plain http", { ...corp, issuer: "http://id.corp.example" }, ["issuer"]],
    ["loopback, while the server is not there", { ...corp, issuer: "http://localhost:9" }, ["issuer"]],
    ["a query", { ...corp, issuer: "https://id.corp.example/?a" }, ["issuer"]],
    ["no tenant", { ...google, preset: "microsoft" }, ["settings.tenants"]],
    [
      "a tenant's domain",
      { ...google, preset: "microsoft", settings: { tenants: ["corp.example"] } },
      ["settings.tenants.0"],
    ],
    [
      "apple without team, key and private key",
      { ...google, preset: "apple" },
      ["secret", "settings.teamId", "settings.keyId"],
    ],
    ["scopes without openid", { ...corp, settings: { scopes: ["email"] } }, ["settings.scopes"]],
    ["two scopes in one", { ...corp, settings: { scopes: ["openid", "a b"] } }, ["settings.scopes.1"]],
    ["no domain", { ...corp, settings: { domains: ["@corp"] } }, ["settings.domains.0"]],
    ["an unknown level", { ...corp, settings: { trustAcr: { mfa: "strong" } } }, ["settings.trustAcr.mfa"]],
    ["an unknown setting", { ...corp, settings: { anything: true } }, ["settings"]],
  ])("rejects %s, naming the field", async (_, draft, paths) => {
    expect(await problemsOf(admin().create(draft as typeof google))).toEqual(paths);
    expect(await stored()).toEqual([]);
  });

  test("accepts a complete Apple and Microsoft, and a public client", async () => {
    await admin().create({
      ...google,
      id: "apple",
      preset: "apple",
      secret: key,
      settings: { teamId: "ABCDE12345", keyId: "12345ABCDE" },
    });
    await admin().create({ ...google, id: "entra", preset: "microsoft", settings: { tenants: [TENANT] } });
    expect(await admin().create({ ...corp, secret: null })).toMatchObject({ secret: "none" });
  });

  test("UP-10 a domain leads to one provider", async () => {
    await admin().create({ ...corp, settings: { domains: ["corp.example"] } });
    const other = { ...corp, id: "other", settings: { domains: ["CORP.example"] } };
    expect(await problemsOf(admin().create(other))).toEqual(["settings.domains.0"]);
    expect(
      await admin().update({ id: "corp", settings: { domains: ["corp.example", "second.example"] } }),
    ).toMatchObject({ id: "corp" });
  });

  test("a taken id is a conflict, an unknown one is not found", async () => {
    await admin().create(google);
    await expect(admin().create(google)).rejects.toMatchObject({ code: "CONFLICT" });
    for (const work of [
      () => admin().update({ id: "x", name: "y" }),
      () => admin().setEnabled({ id: "x", enabled: true }),
      () => admin().remove({ id: "x" }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await expect(admin().test({ id: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a provider that cannot be reached is reported by the test, without the secret", async () => {
    await admin().create(corp);
    const checks = await admin().test({ id: "corp" });
    expect(checks).toMatchObject([{ check: "metadata", state: "failed" }]);
    expect(JSON.stringify(checks)).not.toContain(corp.secret);
  });

  test("only admins change providers, and only soon after signing in", async () => {
    for (const role of ["developer", "viewer", "user"] as const) {
      await expect(it.as(role).signInProviders.create(google)).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(it.as(role).signInProviders.test({ id: "google" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    await expect(it.as("user").signInProviders.list()).rejects.toMatchObject({ code: "FORBIDDEN" });
    const stale = it.as("admin", undefined, { authTime: NOON - 600 }).signInProviders;
    await expect(stale.create(google)).rejects.toMatchObject({ cause: { kind: "stale_sign_in" } });
  });

  test("every kind of provider says how it is set up", async () => {
    const presets = await it.as("viewer").signInProviders.presets();
    expect(presets.map(({ preset }) => preset)).toEqual(["google", "microsoft", "github", "apple", "gitlab", "oidc"]);
    for (const { steps, docsUrl } of presets) {
      expect(steps.join(" ")).toContain("{callback}");
      expect(docsUrl).toMatch(/^https:/);
    }
  });
});
