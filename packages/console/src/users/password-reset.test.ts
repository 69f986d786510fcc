import {
  changeEmailWithLink,
  changePassword,
  openMailedLink,
  openReset,
  type PasswordHasher,
  requestEmailChange,
  requestReset,
  resetPassword,
  TooManyMails,
  undoEmailChange,
  verifyPassword,
} from "@gatehouse/accounts";
import { type Hash, sha256 } from "@gatehouse/auth";
import { updateUserDisabled } from "@gatehouse/db/stores/accounts/user-changes";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation } from "../testing/installation.ts";
import { createUser } from "./users.ts";

const [OLD, NEW] = ["the old password of Ada", "a new password of Ada's"];
const EMAIL = "ada@example.com";
const HERE = sha256("this browser");
const SOURCE = { userAgent: "Firefox", address: "192.0.2.7" };
const ASKED = {
  continuation: { request: "sealed request", next: undefined },
  browser: HERE,
  locale: "en",
  caller: { address: null },
};

describe.each(engines)("a forgotten password, on $name", (engine) => {
  let it: Installation;
  let userId: string;
  beforeEach(async () => {
    it = await openInstallation(engine);
    ({ id: userId } = await createUser({ email: EMAIL, name: "Ada", password: OLD, role: "user" }, it.deps));
  });
  afterEach(() => it.close());

  const mails = () => it.mail.composed;
  const links = () => mails().flatMap(({ data }) => ("link" in data && data.link !== null ? [data.link] : []));
  const linkOf = (at = -1) => new URL(links().at(at) ?? "");
  const secretOf = (at = -1) => linkOf(at).searchParams.get("token") ?? "";
  const ask = (email = EMAIL) => requestReset({ ...ASKED, email }, it.deps);
  const open = (secret = secretOf(), browser: Hash | null = HERE) => openReset({ secret, browser }, it.deps);
  async function set(password: string, { secret = secretOf(), recoveryCode = "" } = {}) {
    const found = await open(secret);
    if (!found) return "dead";
    return (await resetPassword(found, { password, recoveryCode, source: SOURCE, locale: "en" }, it.deps)).kind;
  }
  const signsIn = async (password: string) => (await verifyPassword({ email: EMAIL, password }, it.deps)) !== undefined;
  const countOf = async (table: "mailedTokens" | "mails" | "jobs") =>
    (await it.deps.db.select().from(it.deps.db.tables[table])).length;

  test("FP-01 known and unknown addresses write the same rows; only one gets the mail", async () => {
    const rows = async () => [await countOf("mailedTokens"), await countOf("mails"), await countOf("jobs")];
    const before = await rows();
    await ask();
    const known = await rows();
    await ask("nobody@example.com");
    expect(known.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 1]);
    expect((await rows()).map((count, at) => count - (known[at] ?? 0))).toEqual([1, 1, 1]);
    expect(mails().map(({ kind, to, deliver }) => [kind, to, deliver])).toEqual([
      ["reset_link", EMAIL, true],
      ["reset_link", "nobody@example.com", false],
    ]);
  });

  test("AB-03 AB-07 the mail counts for a browser that the account knows, unless nobody proved the address", async () => {
    const { users } = it.deps.db.tables;
    for (const registeredBy of ["operator", "self"] as const) {
      await it.deps.db.update(users).set({ registeredBy });
      await requestReset({ ...ASKED, email: EMAIL, browserId: "known" }, it.deps);
    }
    expect(mails().map(({ browserId }) => browserId)).toEqual(["known", undefined]);
  });

  test("FP-06 the link has the issuer, works for 30 minutes, and looking at it changes nothing", async () => {
    await ask();
    expect(linkOf().origin + linkOf().pathname).toBe("https://gate.example/reset-password");
    for (let times = 0; times < 5; times++) expect(await open()).toBeDefined();
    it.clock.now += 30 * 60;
    expect([await open(), await set(NEW)]).toEqual([undefined, "dead"]);
    expect(await signsIn(OLD)).toBe(true);
  });

  test("FP-03 PW-08 a reset sets the password, verifies the address, tells the owner and signs nobody in", async () => {
    await ask();
    expect(await set(NEW)).toBe("done");
    expect([await signsIn(NEW), await signsIn(OLD)]).toEqual([true, false]);
    expect(await it.deps.people.findAccount(userId)).toMatchObject({
      emailVerifiedAt: it.clock.now,
      mustChangePassword: false,
    });
    expect(mails().at(-1)).toMatchObject({ kind: "password_reset", to: EMAIL, data: SOURCE });
    expect(await it.deps.store.listSessions(userId, it.clock.now)).toEqual([]);
  });

  test("FP-02 a refused password does not use the link up", async () => {
    await ask();
    expect(await set("short")).toBe("refused");
    expect(await set("ada@example.com")).toBe("refused");
    expect(await set(NEW)).toBe("done");
  });

  test("N47 the link works once, of ten uses at the same time too; an older one is void", async () => {
    await ask();
    await ask();
    expect(await set(NEW, { secret: secretOf(0) })).toBe("dead");
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, at) => set(`${NEW} ${at}`, { secret: secretOf(1) })),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(await set(NEW, { secret: secretOf(1) })).toBe("dead");
  });

  test("N47 a link is void once the account is disabled or has changed its password", async () => {
    await ask();
    const hash = (await it.deps.people.findAccountByEmail(EMAIL))?.passwordHash;
    expect(hash).toBeTypeOf("string");
    const change = {
      userId,
      signInEpoch: 0,
      sessionId: "none",
      apps: false,
      password: "yet another password",
      source: SOURCE,
      locale: "en",
    };
    expect(await changePassword(change, it.deps)).toEqual({ kind: "changed" });
    expect(await set(NEW)).toBe("dead");
  });

  test("N49 PW-08 a password change that began before the reset, in a session that the reset ends, changes nothing", async () => {
    await ask();
    const change = {
      userId,
      signInEpoch: 0,
      sessionId: "of a thief",
      apps: false,
      password: "a password of the thief",
      source: SOURCE,
      locale: "en",
    };
    // The reset comes while the thief's new password is hashed.
    const hasher: PasswordHasher = {
      ...it.deps.hasher,
      async hash(password) {
        expect(await set(NEW)).toBe("done");
        return it.deps.hasher.hash(password);
      },
    };
    expect(await changePassword(change, { ...it.deps, hasher })).toEqual({ kind: "stale" });
    expect(await changePassword(change, it.deps)).toEqual({ kind: "stale" });
    expect([await signsIn(NEW), await signsIn(change.password)]).toEqual([true, false]);
  });

  test("FP-05 the pending request returns to the browser that asked, and to no other", async () => {
    await ask();
    expect(await open()).toMatchObject({ continuation: { request: "sealed request" }, continuesElsewhere: false });
    for (const browser of [sha256("another browser"), null])
      expect(await open(secretOf(), browser)).toMatchObject({ continuation: undefined, continuesElsewhere: true });
  });

  test("RG-10 a reset reaches an account that is to be deleted, so that its user can sign in and restore it", async () => {
    const deleteAfter = it.clock.now + 86_400;
    await it.deps.people.requestDeletion({ userId, deleteAfter }, {}, it.clock.now);
    await ask();
    expect([await set(NEW), await signsIn(NEW)]).toEqual(["done", true]);
    expect(await it.deps.people.findAccount(userId)).toMatchObject({ deleteAfter });
  });

  test("RG-05 N41 who resets the password of an account that nobody proved gets it empty", async () => {
    const { db } = it.deps;
    const { tables } = db;
    const stranger = {
      id: "usr_stranger",
      email: "victim@example.com",
      name: "Mallory",
      role: "user",
      createdAt: it.clock.now,
    } as const;
    await db
      .insert(tables.users)
      .values({ ...stranger, registeredBy: "self", passwordHash: await it.deps.hasher.hash(OLD) });
    await db
      .insert(tables.recoveryCodes)
      .values({ hash: sha256("mallory"), userId: stranger.id, createdAt: it.clock.now });
    await ask(stranger.email);
    expect(await set(NEW)).toBe("done");
    expect(await verifyPassword({ email: stranger.email, password: OLD }, it.deps)).toBeUndefined();
    expect(await it.deps.people.findResetFacts(stranger.id)).toEqual({
      hasPassword: true,
      hasPasskeys: false,
      hasRecoveryCodes: false,
    });
  });

  describe("EA-03 undoing a change of the address", () => {
    const request = { caller: { address: null }, userAgent: null, locale: "en" };
    const account = async () => (await it.deps.people.findAccount(userId)) ?? expect.fail("nobody");
    const mailed = async (purpose: "email_change" | "email_undo", kind: string) => {
      const link = mails().flatMap((mail) =>
        mail.kind === kind && "link" in mail.data && mail.data.link !== null ? [mail.data.link] : [],
      );
      const secret = new URL(link.at(-1) ?? "").searchParams.get("token") ?? "";
      return (await openMailedLink(secret, purpose, it.deps)) ?? expect.fail(`no live ${purpose}`);
    };
    async function changeAddress() {
      await requestEmailChange(await account(), "mallory@example.org", { ...request, browser: HERE }, it.deps);
      const changing = { account: await account(), sessionId: "here", browser: HERE, confirmed: false };
      const change = await mailed("email_change", "email_change_confirm");
      expect(await changeEmailWithLink(changing, change, request, it.deps)).toEqual({ kind: "changed" });
    }
    async function undo() {
      const limited = { ...it.deps.mail, composeRequested: () => Promise.reject(new TooManyMails(60)) };
      return undoEmailChange(await mailed("email_undo", "email_changed"), request, { ...it.deps, mail: limited });
    }

    test("mails a link for a new password, and no limit holds it back", async () => {
      await changeAddress();
      expect(await undo()).toEqual({ kind: "undone", mailed: "reset_link" });
      expect(await signsIn(OLD)).toBe(false);
      expect(mails().at(-1)).toMatchObject({ kind: "reset_link", to: EMAIL });
      expect([await set(NEW), await signsIn(NEW)]).toEqual(["done", true]);
    });

    test("SN-04 tells both addresses, each with the browser that did it", async () => {
      await changeAddress();
      await undo();
      const told = mails().filter(({ kind }) => kind === "email_change_undone");
      expect(told.map(({ to }) => to)).toEqual(["mallory@example.org", EMAIL]);
      expect(told[0]?.data).toMatchObject({ at: it.clock.now, userAgent: null, address: null });
    });

    test("RG-05 an address that its user mistyped at sign-up and never proved gets no link that undoes the change", async () => {
      await it.deps.db.update(it.deps.db.tables.users).set({ registeredBy: "self", emailVerifiedAt: null });
      await changeAddress();
      const told = mails().filter(({ kind }) => kind === "email_changed");
      expect(told.map(({ to, data }) => [to, data])).toEqual([
        [EMAIL, expect.objectContaining({ link: null })],
        ["mallory@example.org", expect.objectContaining({ link: null })],
      ]);
      const tokens = await it.deps.db.select().from(it.deps.db.tables.mailedTokens);
      expect(tokens.filter(({ purpose }) => purpose === "email_undo")).toEqual([]);
    });

    test("is dead for good once the account was disabled", async () => {
      await changeAddress();
      const token = await mailed("email_undo", "email_changed");
      await updateUserDisabled(it.deps.db, { id: userId, disabled: true }, it.clock.now);
      await updateUserDisabled(it.deps.db, { id: userId, disabled: false }, it.clock.now);
      expect(await undoEmailChange(token, request, it.deps)).toEqual({ kind: "dead" });
      expect(await account()).toMatchObject({ email: "mallory@example.org", disabledAt: null });
    });

    test("works within 72 hours, and not after", async () => {
      await changeAddress();
      const { hash, expiresAt } = await mailed("email_undo", "email_changed");
      expect(expiresAt).toBe(it.clock.now + 72 * 3600);
      it.clock.now += 72 * 3600 - 1;
      expect(await mailed("email_undo", "email_changed")).toMatchObject({ hash });
      const token = await mailed("email_undo", "email_changed");
      it.clock.now += 1;
      expect(await undoEmailChange(token, request, it.deps)).toEqual({ kind: "dead" });
      expect(await account()).toMatchObject({ email: "mallory@example.org" });
    });

    test("a stranger's request for another reset replaces the link by one that needs the mail alone as well, for 72 hours", async () => {
      await addPasskey();
      await changeAddress();
      it.clock.now += 60;
      await undo();
      await ask();
      expect(mails().at(-1)).toMatchObject({ kind: "reset_link", to: EMAIL, deliver: true });
      expect(await open()).toMatchObject({ needsRecoveryCode: false });
      it.clock.now += 72 * 3600 - 1;
      await ask();
      expect(await open()).toMatchObject({ needsRecoveryCode: false });
      it.clock.now += 1;
      await ask();
      expect(mails().at(-1)).toMatchObject({ kind: "no_password" });
    });

    test("FP-07 once a password was set, mail alone does not replace one that its user removed", async () => {
      await addPasskey();
      await changeAddress();
      it.clock.now += 60;
      await undo();
      expect(await set(NEW)).toBe("done");
      await it.deps.db.update(it.deps.db.tables.users).set({ passwordHash: null });
      await ask();
      expect(mails().at(-1)).toMatchObject({ kind: "no_password" });
    });

    test("an account that also has a passkey gets the same link, which takes no recovery code, as before the change", async () => {
      await addPasskey();
      await changeAddress();
      it.clock.now += 60;
      expect(await undo()).toEqual({ kind: "undone", mailed: "reset_link" });
      expect(await open()).toMatchObject({ needsRecoveryCode: false });
      expect([await set(NEW), await signsIn(NEW)]).toEqual(["done", true]);
      await ask();
      expect(mails().at(-1)).toMatchObject({ kind: "reset_link" });
    });

    test("FP-07 an account that had no password before the change is told how it signs in, whatever was set since", async () => {
      await addPasskey();
      await it.deps.db.update(it.deps.db.tables.users).set({ passwordHash: null });
      await changeAddress();
      it.clock.now += 60;
      const { signInEpoch = 0 } = (await it.deps.people.findAccount(userId)) ?? {};
      const change = {
        userId,
        signInEpoch,
        sessionId: "here",
        apps: false,
        password: "set by somebody else",
        source: SOURCE,
        locale: "en",
      };
      expect(await changePassword(change, it.deps)).toEqual({ kind: "changed" });
      expect(await undo()).toEqual({ kind: "undone", mailed: "no_password" });
      expect(mails().at(-1)).toMatchObject({ kind: "no_password", to: EMAIL, data: { link: null } });
      expect(await it.deps.people.findResetFacts(userId)).toMatchObject({ hasPassword: false, hasPasskeys: true });
    });
  });

  async function addPasskey() {
    const flags = { backupEligible: false, backedUp: false, userVerified: true };
    const key = {
      publicKey: Buffer.from("k"),
      algorithm: -7,
      counter: 0,
      transports: [],
      aaguid: "",
      name: "",
      rpId: "x",
    };
    const created = { userId, createdAt: it.clock.now - 60 };
    await it.deps.db.insert(it.deps.db.tables.passkeys).values({ ...key, ...flags, ...created, credentialId: "a" });
  }

  describe("FP-07 an account with passkeys and no password", () => {
    const CODE = "ABCDEFGHIJKLMNOPQRSTUVWX";
    beforeEach(async () => {
      const { db } = it.deps;
      const { tables } = db;
      await db.update(tables.users).set({ passwordHash: null });
      await addPasskey();
    });
    const addCode = () =>
      it.deps.people.replaceRecoveryCodes(
        { userId, signInEpoch: 0 },
        [sha256(`recovery code ${CODE}`)],
        {},
        it.clock.now,
      );

    test("is told how it signs in, without a link if it has no recovery codes", async () => {
      await ask();
      expect(mails().at(-1)).toMatchObject({ kind: "no_password", data: { link: null }, deliver: true });
    });

    test("gets a password with the link and a recovery code, which is then used", async () => {
      await addCode();
      await ask();
      expect(mails().at(-1)).toMatchObject({ kind: "no_password", deliver: true });
      expect(await open()).toMatchObject({ needsRecoveryCode: true });
      expect(await set(NEW)).toBe("wrong_code");
      expect(await set(NEW, { recoveryCode: "A".repeat(24) })).toBe("wrong_code");
      expect(await signsIn(NEW)).toBe(false);
      expect(await set(NEW, { recoveryCode: CODE.toLowerCase() })).toBe("done");
      expect([await signsIn(NEW), await it.deps.people.countRecoveryCodes(userId)]).toEqual([true, 0]);
    });

    test("MF-05 AB-02 has ten tries at its recovery codes in an hour", async () => {
      await addCode();
      await ask();
      for (let tries = 0; tries < 10; tries++)
        expect(await set(NEW, { recoveryCode: "B".repeat(24) })).toBe("wrong_code");
      expect(await set(NEW, { recoveryCode: CODE })).toBe("wait");
    });
  });
});
