import { verifyPassword } from "@gatehouse/accounts";
import { type Role, readSession, startSession, storageHash } from "@gatehouse/auth";
import { passwordSignIn } from "@gatehouse/auth/testing";
import { findUser, findUserByEmail } from "@gatehouse/db/stores/accounts/users";
import { engines } from "@gatehouse/db/testing/engines";
import { SHOWN } from "@gatehouse/db/testing/people";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, type Installation, issueToken, openInstallation, seedApplication, signIn } from "../testing/callers.ts";
import { signUpUnverified } from "../testing/sign-up.ts";
import { disconnectUserApps, setUserDisabled, updateUser } from "./manage-users.ts";
import { recordActivity } from "./profile.ts";
import { createUser } from "./users.ts";

const PASSWORD = "correct horse battery";

describe.each(engines)("users, on $name", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
  });
  afterAll(() => it.close());

  const add = (email: string, password = PASSWORD) =>
    createUser({ email, name: "Ada", password, role: "user" }, it.deps);

  test("SE-06 the password is stored as argon2id, and verifies", async () => {
    await add("Ada@Example.com");
    const row = await findUserByEmail(it.deps.db, "ada@example.com");
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword({ email: " ADA@example.com ", password: PASSWORD }, it.deps)).toMatchObject({
      email: "ada@example.com",
    });
  });

  test("SE-07 a wrong password, an unknown and a disabled user are all rejected", async () => {
    const { id } = await add("grace@example.com");
    expect(await verifyPassword({ email: "grace@example.com", password: "wrong password" }, it.deps)).toBeUndefined();
    expect(await verifyPassword({ email: "nobody@example.com", password: PASSWORD }, it.deps)).toBeUndefined();
    expect(
      await verifyPassword({ email: "grace@example.com", password: "x".repeat(100_000) }, it.deps),
    ).toBeUndefined();
    await setUserDisabled({ id, disabled: true }, ADMIN, it.deps);
    expect(await verifyPassword({ email: "grace@example.com", password: PASSWORD }, it.deps)).toBeUndefined();
  });

  test.each([
    ["short", "123456789"],
    ["too long", "x".repeat(257)],
    ["the email address", "Weak@Example.com"],
  ])("refuses a password that is %s", async (_, password) => {
    await expect(add("weak@example.com", password)).rejects.toMatchObject({
      kind: "invalid",
      problems: [{ path: "password" }],
    });
  });

  test("of five concurrent sign-ups with one email address, one succeeds", async () => {
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => add("race@example.com")));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(tries.find(({ status }) => status === "rejected")).toMatchObject({ reason: { kind: "conflict" } });
  });

  test("a new password replaces the old one", async () => {
    const user = await add("renew@example.com");
    await updateUser({ id: user.id, password: "another good password" }, ADMIN, it.deps);
    expect(await verifyPassword({ email: user.email, password: PASSWORD }, it.deps)).toBeUndefined();
    expect(await verifyPassword({ email: user.email, password: "another good password" }, it.deps)).toMatchObject({
      id: user.id,
    });
  });

  test("the last admin can be neither demoted nor disabled", async () => {
    const last = { kind: "conflict", message: expect.stringContaining("last admin") };
    const operator = { ...ADMIN, id: "cli" };
    await expect(updateUser({ id: "admin", name: "Admin", role: "viewer" }, operator, it.deps)).rejects.toMatchObject(
      last,
    );
    await expect(setUserDisabled({ id: "admin", disabled: true }, ADMIN, it.deps)).rejects.toMatchObject(last);
    expect(await updateUser({ id: "admin", name: "Renamed", role: "admin" }, ADMIN, it.deps)).toMatchObject({
      name: "Renamed",
    });

    const second = await createUser(
      { email: "second@example.com", name: "Second", password: PASSWORD, role: "admin" },
      it.deps,
    );
    await setUserDisabled({ id: second.id, disabled: true }, ADMIN, it.deps);
    await expect(setUserDisabled({ id: "admin", disabled: true }, ADMIN, it.deps)).rejects.toMatchObject(last);
    await setUserDisabled({ id: second.id, disabled: false }, ADMIN, it.deps);
    expect(await setUserDisabled({ id: "admin", disabled: true }, ADMIN, it.deps)).toMatchObject({
      disabledAt: it.clock.now,
    });
    await setUserDisabled({ id: "admin", disabled: false }, ADMIN, it.deps);
  });

  test("CO-63 nobody changes their own role", async () => {
    const tried = it.as("admin").users.update({ id: "admin", role: "viewer" });
    await expect(tried).rejects.toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("your own role") });
    expect(await it.as("admin").users.get({ id: "admin" })).toMatchObject({ role: "admin" });
  });

  test("CO-02 only admins see whole addresses in another user's sessions and activity; everybody sees their own", async () => {
    const { id } = await add("located@example.com");
    const user = await findUser(it.deps.db, id);
    if (!user) throw new Error("the user was just created");
    const source = { userAgent: "Firefox", address: "198.51.100.27" };
    await startSession({ user, ...source, ...passwordSignIn(it.deps) }, it.deps);
    await recordActivity("signed_in", { userId: id, source }, it.deps);
    const seenBy = async (role: Role) => {
      const { items } = await it.as(role).users.events({ id });
      return [...(await it.as(role).sessions.list({ userId: id })), ...items].map(({ address }) => address);
    };
    expect(await seenBy("admin")).toEqual(["198.51.100.27", "198.51.100.27"]);
    expect(await seenBy("developer")).toEqual(["198.51.100.0/24", "198.51.100.0/24"]);
    expect(await seenBy("viewer")).toEqual(["198.51.100.0/24", "198.51.100.0/24"]);

    await signIn(it.deps, "viewer");
    expect((await it.as("viewer").sessions.mine()).map(({ address }) => address)).toEqual(["192.0.2.1"]);
    expect((await it.as("viewer").me.sessions()).map(({ address }) => address)).toEqual(["192.0.2.1"]);
  });

  test("CO-62 taking an app back ends its tokens, offline ones too, and leaves the other apps alone", async () => {
    const [shop, mail] = [await seedApplication(it.deps, "Taken back"), await seedApplication(it.deps, "Kept")];
    const tokens = await Promise.all(
      [shop, mail].map(({ clientId }) =>
        issueToken(it.deps, { clientId, userId: "viewer", scope: "api:read offline_access" }),
      ),
    );
    for (const { clientId } of [shop, mail])
      await it.deps.store.saveConsent({
        userId: "viewer",
        clientId,
        scope: "api:read offline_access",
        ...SHOWN,
        now: it.clock.now,
      });
    const live = async () =>
      Promise.all(
        tokens.map(async (token) => (await it.deps.store.findAccessToken(storageHash(token)))?.grantRevokedAt === null),
      );
    const names = async () =>
      (await it.as("developer").users.connectedApps({ id: "viewer" })).map(({ applicationName }) => applicationName);
    expect([await live(), (await names()).sort()]).toEqual([
      [true, true],
      ["Kept", "Taken back"],
    ]);

    await it.as("admin").users.disconnectApp({ id: "viewer", clientId: shop.clientId, reason: "asked by phone" });
    expect([await live(), await names()]).toEqual([[false, true], ["Kept"]]);
    const again = it.as("admin").users.disconnectApp({ id: "viewer", clientId: shop.clientId });
    await expect(again).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { items } = await it.as("admin").users.history({ id: "viewer" });
    expect(items[0]).toMatchObject({
      action: "user.disconnect_app",
      detail: { application: "Taken back", reason: "asked by phone" },
    });
  });

  /** What a person holds: a session, and a token of an application. */
  async function holding(role: Role) {
    const { clientId } = await seedApplication(it.deps, `App of ${role} ${it.clock.now++}`);
    const cookie = await signIn(it.deps, role);
    const token = await issueToken(it.deps, { clientId, userId: role, scope: "api:read" });
    return async () => [
      (await readSession(cookie, it.deps)) !== undefined,
      (await it.deps.store.findAccessToken(storageHash(token)))?.grantRevokedAt === null,
    ];
  }

  test("disabling ends sessions and tokens permanently", async () => {
    const lives = await holding("developer");
    expect(await lives()).toEqual([true, true]);
    await it.as("admin").users.setDisabled({ id: "developer", disabled: true });
    await it.as("admin").users.setDisabled({ id: "developer", disabled: false });
    expect(await lives()).toEqual([false, false]);
    expect(await it.as("admin").sessions.list({ userId: "developer" })).toEqual([]);
  });

  test.each([
    ["a higher role", { role: "developer" as const }],
    ["a password set by an operator", { password: "yet another password" }],
  ])("%s ends sessions and tokens", async (_, change) => {
    await updateUser({ id: "viewer", role: "viewer" }, ADMIN, it.deps);
    const lives = await holding("viewer");
    await updateUser({ id: "viewer", name: "Renamed" }, ADMIN, it.deps);
    expect(await lives()).toEqual([true, true]);
    await updateUser({ id: "viewer", ...change }, ADMIN, it.deps);
    expect(await lives()).toEqual([false, false]);
    await updateUser({ id: "viewer", role: "viewer" }, ADMIN, it.deps);
  });

  test("an admin revokes all tokens of a user at once, and the sessions continue", async () => {
    const lives = await holding("user");
    await it.as("admin").users.revokeTokens({ id: "user" });
    expect(await lives()).toEqual([true, false]);
    await expect(disconnectUserApps({ id: "nobody" }, ADMIN, it.deps)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("CO-62 signing a user out everywhere ends every app's access at once; what the user allowed is forgotten only if requested", async () => {
    const lives = await holding("developer");
    const { sessions, users } = it.as("admin");
    const { clientId } = await seedApplication(it.deps, "Allowed by the developer");
    await it.deps.store.saveConsent({ userId: "developer", clientId, scope: "api:read", ...SHOWN, now: it.clock.now });
    expect(await sessions.revokeAll({ userId: "developer" })).toEqual({ revoked: 1 });
    expect(await lives()).toEqual([false, false]);
    expect(await users.connectedApps({ id: "developer" })).toHaveLength(1);
    await sessions.revokeAll({ userId: "developer", apps: true });
    expect(await users.connectedApps({ id: "developer" })).toEqual([]);
  });

  test("RG-06 an account from the sign-up page is neither promoted, given a password nor taken over silently", async () => {
    const stranger = { email: "ops@example.com", name: "Mallory", password: PASSWORD };
    const { id } = await signUpUnverified(stranger, it.deps);
    const refused = { kind: "conflict", message: expect.stringContaining("--adopt") };
    const wanted = {
      email: " OPS@example.com",
      name: "Ops",
      password: "another good password",
      role: "admin",
    } as const;
    await expect(createUser(wanted, it.deps)).rejects.toMatchObject(refused);
    await expect(updateUser({ id, role: "viewer" }, ADMIN, it.deps)).rejects.toMatchObject({
      ...refused,
      problems: [{ path: "role" }],
    });
    await expect(updateUser({ id, password: wanted.password }, ADMIN, it.deps)).rejects.toMatchObject({
      ...refused,
      problems: [{ path: "password" }],
    });
    expect(await verifyPassword(stranger, it.deps)).toMatchObject({ role: "user" });

    expect(await createUser({ ...wanted, adopt: true }, it.deps)).toMatchObject({
      id,
      name: "Ops",
      role: "admin",
      registeredBy: "operator",
    });
    expect(await verifyPassword(stranger, it.deps)).toBeUndefined();
    expect(await verifyPassword(wanted, it.deps)).toMatchObject({ id, role: "admin" });
    await expect(createUser({ ...wanted, adopt: true }, it.deps)).rejects.toMatchObject({
      message: expect.stringContaining("already exists"),
    });
  });

  test("CO-89 everybody who can open the console lists and ends their own sessions there, and no others", async () => {
    await signIn(it.deps, "viewer");
    await signIn(it.deps, "admin");
    const [foreign] = await it.as("admin").sessions.mine();
    const viewer = it.as("viewer");
    const [session] = await viewer.sessions.mine();
    await expect(viewer.sessions.endMine({ sessionId: foreign?.id ?? "" })).rejects.toThrow("There is no such session");
    await viewer.sessions.endMine({ sessionId: session?.id ?? "" });
    expect(await viewer.sessions.mine()).toEqual([]);
    expect(await it.as("admin").sessions.mine()).toHaveLength(1);
  });

  test("a user can end their own sessions, but not those of others", async () => {
    await signIn(it.deps, "viewer");
    const [session] = await it.as("viewer").me.sessions();
    const sessionId = session?.id ?? "";
    await expect(it.as("user").me.revokeSession({ sessionId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await it.as("viewer").me.revokeSession({ sessionId });
    expect(await it.as("viewer").me.sessions()).toEqual([]);
  });

  test("lists newest first, each user once, and CO-62 finds by the beginning of the name or email address", async () => {
    it.clock.now += 10;
    for (const n of [1, 2, 3, 4, 5])
      await createUser({ email: `p${n}@paging.example`, name: `100%_${n}`, password: PASSWORD, role: "user" }, it.deps);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { email: string }[]; nextCursor: string | null } = await it
        .as("viewer")
        .users.list({ query: "100%_", limit: 2, cursor });
      seen.push(...page.items.map(({ email }) => email));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5].map((n) => `p${n}@paging.example`));
    expect((await it.as("viewer").users.list({ query: "100%_3" })).items.map(({ name }) => name)).toEqual(["100%_3"]);
    expect((await it.as("viewer").users.list({ query: "100__3" })).items).toEqual([]);
    expect((await it.as("viewer").users.list({ query: "VIEW", role: "viewer" })).items.map(({ id }) => id)).toEqual([
      "viewer",
    ]);
  });
});
