import {
  type AccountEvent,
  type AccountStore,
  isLastSignInMethod,
  type Passkey,
  type Removal,
} from "@gatehouse/accounts";
import { sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { createAuthStore } from "../auth/store.ts";
import { createAccountStore } from "./store.ts";

const RP_ID = "id.example.com";

describe.each(engines)("passkeys on $name", ({ open }) => {
  let database: TestDatabase;
  let people: AccountStore;
  beforeEach(async () => {
    database = await open();
    await seed(database.db);
    people = createAccountStore(database.db);
  });
  afterEach(() => database.close());

  const passkey = (credentialId: string, change: Partial<Passkey> = {}): Passkey => ({
    credentialId,
    userId: "ada",
    publicKey: Buffer.from("key"),
    algorithm: -7,
    counter: 0,
    transports: ["internal"],
    aaguid: "",
    name: credentialId,
    backupEligible: false,
    backedUp: false,
    userVerified: true,
    rpId: RP_ID,
    createdAt: NOW,
    lastUsedAt: null,
    ...change,
  });
  const event = (id: string): AccountEvent => ({
    id,
    userId: "ada",
    at: NOW,
    kind: "passkey_added",
    userAgent: null,
    address: null,
    detail: {},
  });
  const epoch = async (id = "ada") => (await people.findAccount(id))?.signInEpoch ?? -1;
  const add = async (one: Passkey, webauthnUserId = `user-${one.userId}`) =>
    people.addPasskey(one, { webauthnUserId, signInEpoch: await epoch(one.userId) }, {}, NOW);
  const names = async () => (await people.listPasskeys("ada")).map(({ credentialId }) => credentialId);

  test("the first passkey brings the user's WebAuthn id, which never changes", async () => {
    expect(await add(passkey("one"), "first")).toBe("added");
    expect(await add(passkey("two"), "second")).toBe("stale");
    expect(await add(passkey("three"), "first")).toBe("added");
    expect(await names()).toEqual(["one", "three"]);
    expect((await people.findPasskey("one"))?.account).toMatchObject({ id: "ada", webauthnUserId: "first" });
  });

  test("a passkey comes back as it was stored, and its owner without the password hash", async () => {
    await add(passkey("one", { transports: ["usb", "nfc"], backupEligible: true, counter: 4_000_000_000 }));
    const found = await people.findPasskey("one");
    expect({ ...found?.passkey, publicKey: Buffer.from(found?.passkey.publicKey ?? []) }).toEqual(
      passkey("one", { transports: ["usb", "nfc"], backupEligible: true, counter: 4_000_000_000 }),
    );
    expect(found?.account).not.toHaveProperty("passwordHash");
    expect(await people.findPasskey("two")).toBeUndefined();
  });

  test("a credential belongs to one user", async () => {
    await add(passkey("one"));
    expect(await add(passkey("one", { userId: "bob" }))).toBe("taken");
    expect((await people.findPasskey("one"))?.account.id).toBe("ada");
    expect(await people.listPasskeys("bob")).toEqual([]);
    expect(await epoch("bob")).toBe(0);
  });

  test("of parallel changes that were decided on the same state, one happens", async () => {
    const at = { webauthnUserId: "user", signInEpoch: 0 };
    const outcomes = await Promise.all(
      ["a", "b", "c", "d"].map((id) =>
        people.addPasskey(passkey(id), { ...at, webauthnUserId: id }, { events: [event(id)] }, NOW),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["added", "stale", "stale", "stale"]);
    const { db } = database;
    const { tables } = db;
    expect(await db.select().from(tables.accountEvents)).toHaveLength(1);
    expect(await names()).toHaveLength(1);
  });

  test("WA-09 parallel additions stop at 20", async () => {
    const ids = Array.from({ length: 22 }, (_, at) => `${at}`);
    const outcomes = await Promise.all(ids.map((id) => add(passkey(id))));
    expect(outcomes.filter((outcome) => outcome === "added")).toHaveLength(20);
    expect(await names()).toHaveLength(20);
  });

  test("WE-03 nothing is added on behalf of a session from before a reset", async () => {
    expect(await people.addPasskey(passkey("one"), { webauthnUserId: "user", signInEpoch: 1 }, {}, NOW)).toBe("stale");
    expect(await names()).toEqual([]);
  });

  test("WA-08 a use counts against the counter that it was judged by", async () => {
    await add(passkey("one", { counter: 5 }));
    const use = { counterBefore: 5, counter: 6, backedUp: true, usedAt: NOW + 1 };
    expect(await Promise.all([1, 2, 3].map(() => people.usePasskey("one", use, {})))).toEqual(
      expect.arrayContaining([true, false, false]),
    );
    expect((await people.findPasskey("one"))?.passkey).toMatchObject({
      counter: 6,
      backedUp: true,
      lastUsedAt: NOW + 1,
    });
    expect(await people.usePasskey("none", use, {})).toBe(false);
  });

  test("WA-09 only its owner renames or removes a passkey", async () => {
    await add(passkey("one"));
    expect(await people.renamePasskey({ userId: "bob", credentialId: "one", name: "mine" }, {})).toBe(false);
    expect(await people.renamePasskey({ userId: "ada", credentialId: "one", name: "laptop" }, {})).toBe(true);
    const bobs = { signInEpoch: await epoch("bob"), sessionId: "" };
    expect(await people.removePasskey({ userId: "bob", credentialId: "one" }, bobs, {}, NOW)).toBe(false);
    expect((await people.listPasskeys("ada")).map(({ name }) => name)).toEqual(["laptop"]);
  });

  describe("WA-12 N61 the last way in", () => {
    const settings = { emailSignIn: false };
    const waysIn = async () => {
      const ways = await people.findSignInMethods("ada", RP_ID);
      if (!ways) throw new Error("no such user");
      return ways;
    };
    const withoutPassword = () => database.db.update(database.db.tables.users).set({ passwordHash: null });

    test("counts passkeys of this domain that verify their user, and identities of enabled providers", async () => {
      const { db } = database;
      const { tables: t } = db;
      await add(passkey("right"));
      await add(passkey("other domain", { rpId: "old.example.com" }));
      await add(passkey("no verification", { userVerified: false }));
      const provider = {
        preset: "oidc",
        clientId: "c",
        settings: {} as never,
        position: 0,
        createdAt: NOW,
        updatedAt: NOW,
      };
      await db.insert(t.signInProviders).values([
        { ...provider, id: "on", name: "On", enabled: true },
        { ...provider, id: "off", name: "Off", enabled: false },
      ]);
      const identity = { userId: "ada", issuer: "https://idp.example", subject: "s", createdAt: NOW };
      await db.insert(t.identities).values([
        { ...identity, id: "one", provider: "on" },
        { ...identity, id: "two", provider: "off" },
      ]);
      expect(await waysIn()).toMatchObject({
        password: true,
        passkeys: ["right"],
        identities: ["one"],
        emailVerified: false,
        totp: false,
      });
      expect((await people.findSignInMethods("ada", null))?.passkeys).toEqual([]);
      expect(await people.findSignInMethods("nobody", RP_ID)).toBeUndefined();
    });

    test("two removals at once cannot leave an account without one", async () => {
      await add(passkey("a"));
      await add(passkey("b"));
      await withoutPassword();
      const remove = async (credentialId: string) => {
        const ways = await waysIn();
        const removal: Removal = { kind: "passkey", id: credentialId };
        if (isLastSignInMethod(removal, ways, settings)) return false;
        return people.removePasskey(
          { userId: "ada", credentialId },
          { signInEpoch: ways.signInEpoch, sessionId: "" },
          {},
          NOW,
        );
      };
      expect((await Promise.all([remove("a"), remove("b")])).filter(Boolean)).toHaveLength(1);
      expect(await names()).toHaveLength(1);
    });
  });

  test("WE-01 a removal ends the other sessions and remembered browsers, and keeps its own; an addition ends nothing", async () => {
    const store = createAuthStore(database.db);
    const session = (id: string) => ({
      hash: sha256(id),
      id,
      userId: "ada",
      authTime: NOW,
      userAgent: null,
      address: null,
      accessEpoch: 0,
      ...PASSWORD_SIGN_IN,
      createdAt: NOW,
      lastSeenAt: NOW,
      expiresAt: NOW + 1000,
      absoluteExpiresAt: NOW + 2000,
    });
    await store.saveSession(session("mine"));
    await store.saveSession(session("elsewhere"));
    const live = async () => (await store.listSessions("ada", NOW)).map(({ id }) => id).toSorted();

    await add(passkey("one"));
    expect([await live(), await epoch()]).toEqual([["elsewhere", "mine"], 0]);
    const at = { signInEpoch: await epoch(), sessionId: "mine" };
    expect(await people.removePasskey({ userId: "ada", credentialId: "one" }, at, {}, NOW)).toBe(true);
    expect(await live()).toEqual(["mine"]);
    expect(await people.removePasskey({ userId: "ada", credentialId: "one" }, at, {}, NOW)).toBe(false);
    expect(await epoch()).toBe(1);
  });

  test("WA-01 an RP ID that the installation does not know is found", async () => {
    expect(await people.findOtherRpId([])).toBeUndefined();
    await add(passkey("one"));
    await add(passkey("two", { rpId: "old.example.com" }));
    expect(await people.findOtherRpId([RP_ID])).toBe("old.example.com");
    expect(await people.findOtherRpId([RP_ID, "old.example.com"])).toBeUndefined();
  });

  test("a deleted user's passkeys go", async () => {
    await add(passkey("one"));
    const { db } = database;
    const { tables } = db;
    await db.delete(tables.users).where(eq(tables.users.id, "ada"));
    expect(await people.findPasskey("one")).toBeUndefined();
  });
});
