import { readPasswordHash, totpPurpose } from "@gatehouse/accounts";
import { findAccountByEmail } from "@gatehouse/db/stores/accounts/accounts";
import { createAccountStore } from "@gatehouse/db/stores/accounts/store";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN, type Installation, NOON, openInstallation } from "../../testing/installation.ts";
import { exportUsers } from "../export/export.ts";
import { importUser } from "./import.ts";
import { type ImportedUser, importedUser } from "./schemas.ts";

const text = (of: string) => Buffer.from(of).toString("base64");
/** PBKDF2-SHA1 of "password", RFC 6070. */
const PBKDF2 = "$pbkdf2$4096$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE";

describe("UM-06 a line of an import", () => {
  test.each<[string, unknown, string]>([
    [
      "N74 an argon2 hash of 4 GiB",
      { password_hash: `$argon2id$v=19$m=4194304,t=2,p=1$${text("salt of bytes")}$${text("a".repeat(32))}` },
      "at most 262144",
    ],
    ["N74 a bcrypt hash of cost 31", { password_hash: `$2b$31$${"C".repeat(53)}` }, "at most 14"],
    ["a password in clear text", { password: "correct horse battery" }, "password"],
    ["an unknown hash", { password_hash: "md5:0cc175b9" }, "not supported"],
    ["no address", { email: "nobody" }, "email address"],
    ["a name of two lines", { name: "a\nb" }, ""],
    ["a role that does not exist", { role: "root" }, ""],
    ["a language that does not exist", { locale: "not a tag" }, "language tag"],
    ["a TOTP secret that is not base32", { totp_secret: "0189" }, "base32"],
    ["an identity without its issuer", { identities: [{ provider: "corp", subject: "1" }] }, ""],
  ])("UM-07 with %s is refused before anything is hashed", (_, change, message) => {
    const parsed = importedUser.safeParse({ email: "ada@example.com", ...(change as object) });
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).toContain(message);
  });

  test("reads a Keycloak credential as its PBKDF2 hash, and times as Unix seconds", () => {
    const credential = {
      secretData: JSON.stringify({ value: "SwB5AbdlSJq+rUnZJvch0GWkKcE=", salt: text("salt") }),
      credentialData: JSON.stringify({ hashIterations: 4096, algorithm: "pbkdf2" }),
    };
    const parsed = importedUser.parse({
      email: " Ada@Example.com ",
      password_hash: credential,
      created_at: "2020-01-01T00:00:00Z",
      locale: "pt-br",
    });
    expect(parsed).toMatchObject({ email: "ada@example.com", created_at: 1_577_836_800, locale: "pt-BR" });
    expect(parsed.password_hash).toBe(`$pbkdf2$i=4096$${text("salt")}$SwB5AbdlSJq+rUnZJvch0GWkKcE=`);
  });
});

describe.each(engines)("UM-06 importing users on $name", (engine) => {
  let installation: Installation;
  beforeEach(async () => {
    installation = await openInstallation(engine);
  });
  afterEach(() => installation.close());

  const run = (line: object, { dryRun = false } = {}) =>
    importUser(
      importedUser.parse({ email: "grace@example.com", ...line }) as ImportedUser,
      { dryRun, author: ADMIN },
      installation.deps,
    );
  const grace = () => findAccountByEmail(installation.deps.db, "grace@example.com");
  const rows = async () => {
    const { db } = installation.deps;
    const { tables: t } = db;
    return {
      identities: (await db.select().from(t.identities)).map(({ provider, subject }) => `${provider} ${subject}`),
      totp: (await db.select().from(t.totpSecrets)).map(({ userId, secret }) =>
        installation.deps.seal.open(totpPurpose(userId), secret),
      ),
      audit: (await db.select().from(t.audit)).map(({ action, object }) => `${action} ${object}`),
    };
  };
  const FULL = {
    name: "Grace",
    external_id: "kc-1",
    email_verified: true,
    role: "viewer",
    locale: "de",
    password_hash: PBKDF2,
    totp_secret: "gezd gnbv gy3t qojq gezd gnbv gy3t qojq",
    created_at: 1_577_836_800,
    identities: [{ provider: "corp", issuer: "https://corp.example", subject: "42", email: "grace@corp.example" }],
  };

  test("creates the account with everything, and leaves an audit row", async () => {
    const { status, id } = await run(FULL);
    expect(status).toBe("created");
    expect(await grace()).toMatchObject({
      id,
      name: "Grace",
      externalId: "kc-1",
      emailVerifiedAt: NOON,
      role: "viewer",
      locale: "de",
      passwordHash: PBKDF2,
      createdAt: 1_577_836_800,
      registeredBy: "operator",
      disabledAt: null,
    });
    expect(await readPasswordHash((await grace())?.passwordHash ?? "").matches("password")).toBe(true);
    expect(await rows()).toEqual({
      identities: ["corp 42"],
      totp: ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
      audit: [`user.import ${id}`],
    });
  });

  test("a second time changes nothing; a password that has changed since is kept", async () => {
    await run(FULL);
    expect(await run(FULL)).toMatchObject({ status: "unchanged" });
    const { db } = installation.deps;
    const { tables } = db;
    await db.update(tables.users).set({ passwordHash: "$argon2id$new" });
    expect(await run({ ...FULL, name: "Grace H." })).toMatchObject({ status: "updated" });
    expect(await grace()).toMatchObject({ name: "Grace H.", passwordHash: "$argon2id$new" });
    expect((await rows()).audit).toHaveLength(2);
  });

  test("adds to an account what it lacks", async () => {
    await run({});
    expect(await grace()).toMatchObject({ passwordHash: null, emailVerifiedAt: null, externalId: null });
    expect(await run(FULL)).toMatchObject({ status: "updated" });
    expect(await grace()).toMatchObject({
      passwordHash: PBKDF2,
      emailVerifiedAt: NOON,
      externalId: "kc-1",
      role: "viewer",
    });
    expect(await rows()).toMatchObject({ identities: ["corp 42"], totp: [expect.any(String)] });
  });

  test("SN-04 the user of an account is told of what is added to it, once, and of a new role", async () => {
    await run({ locale: "fr" });
    expect(installation.mail.composed).toEqual([]);
    await run(FULL, { dryRun: true });
    expect(installation.mail.composed).toEqual([]);
    await run(FULL);
    await run(FULL);
    const byOperator = { at: NOON, userAgent: null, address: null };
    const to = { to: "grace@example.com", userId: (await grace())?.id };
    expect(installation.mail.composed).toMatchObject([
      { ...to, kind: "password_set", locale: "fr", data: { at: NOON, isFirst: true } },
      { ...to, kind: "totp_on", locale: "fr", data: byOperator },
      { ...to, kind: "identity_linked", locale: "fr", data: { ...byOperator, provider: "corp" } },
      { ...to, kind: "role_changed", data: { at: NOON, role: "viewer" } },
    ]);
    const { db } = installation.deps;
    const { tables } = db;
    const sent = await db.select({ kind: tables.mails.kind }).from(tables.mails);
    expect(sent.map(({ kind }) => kind).sort()).toEqual(["identity_linked", "password_set", "role_changed", "totp_on"]);
    const events = await db
      .select({ kind: tables.accountEvents.kind, address: tables.accountEvents.address })
      .from(tables.accountEvents);
    expect(events.map(({ kind, address }) => [kind, address]).sort()).toEqual([
      ["identity_linked", null],
      ["password_changed", null],
      ["role_changed", null],
      ["totp_on", null],
    ]);
  });

  test("SN-04 a new user gets no mail, and a change of the name none either", async () => {
    await run(FULL);
    await run({ ...FULL, name: "Grace H." });
    expect(installation.mail.composed).toEqual([]);
  });

  test("a dry run writes nothing and says what would happen", async () => {
    expect(await run(FULL, { dryRun: true })).toEqual({ status: "created" });
    expect(await grace()).toBeUndefined();
    await run(FULL);
    const before = await rows();
    expect(await run({ ...FULL, name: "Other" }, { dryRun: true })).toMatchObject({ status: "updated" });
    expect(await run(FULL, { dryRun: true })).toMatchObject({ status: "unchanged" });
    expect([await rows(), (await grace())?.name]).toEqual([before, "Grace"]);
  });

  test.each<[string, object, string]>([
    ["another account's identity", { identities: FULL.identities }, "identities"],
    ["another account's external id", { external_id: "kc-1" }, "external_id"],
  ])("refuses %s, and changes nothing", async (_, line, path) => {
    await run(FULL);
    const other = importedUser.parse({ email: "other@example.com", ...line });
    await expect(importUser(other, { dryRun: false, author: ADMIN }, installation.deps)).rejects.toMatchObject({
      problems: [{ path }],
    });
    expect(await findAccountByEmail(installation.deps.db, "other@example.com")).toBeUndefined();
  });

  test("refuses an address whose account has another external id, and the last admin's demotion", async () => {
    await run(FULL);
    await expect(run({ external_id: "kc-2" })).rejects.toMatchObject({ problems: [{ path: "email" }] });
    await expect(run({ email: "admin@example.com", role: "user" })).rejects.toMatchObject({
      problems: [{ path: "role" }],
    });
  });

  test("RG-06 refuses an account that somebody signed up for without proving the address", async () => {
    const { db } = installation.deps;
    const { tables } = db;
    await run({});
    await db.update(tables.users).set({ registeredBy: "self" });
    await expect(run(FULL)).rejects.toMatchObject({ kind: "conflict", problems: [{ path: "email" }] });
    expect(await grace()).toMatchObject({ passwordHash: null, role: "user" });
  });

  test("a higher role for an existing user ends the sessions", async () => {
    await run({});
    await run({ role: "admin" });
    expect(await grace()).toMatchObject({ role: "admin", accessEpoch: 1 });
  });

  test("UM-08 CO-64 an export has no hash unless asked for, is in the audit log, and can be imported again", async () => {
    await run(FULL);
    const all = async (hashes: boolean) => {
      const users = [];
      for await (const user of exportUsers({ hashes }, ADMIN, installation.deps)) users.push(user);
      return users;
    };
    const users = await all(false);
    expect(users).toHaveLength(5);
    expect(JSON.stringify(users)).not.toMatch(/hash|\$pbkdf2/);
    const { db } = installation.deps;
    const { tables } = db;
    const exports = (await db.select().from(tables.audit)).filter(({ action }) => action === "user.export");
    expect(exports).toMatchObject([{ actorId: ADMIN.id, object: "users", detail: { password_hashes: false } }]);
    const exported = (await all(true)).find(({ email }) => email === "grace@example.com");
    expect(exported).toMatchObject({
      password_hash: PBKDF2,
      external_id: "kc-1",
      identities: FULL.identities,
      created_at: "2020-01-01T00:00:00.000Z",
    });
    expect(
      await importUser(importedUser.parse(exported), { dryRun: false, author: ADMIN }, installation.deps),
    ).toMatchObject({
      status: "unchanged",
    });
    expect(await createAccountStore(installation.deps.db).findAccountByExternalId("kc-1")).toMatchObject({
      email: "grace@example.com",
    });
  });
});
