import { randomBytes } from "node:crypto";
import { totpPurpose, verifySecondCode } from "@gatehouse/accounts";
import { codeOf, createTestMail } from "@gatehouse/accounts/testing";
import { createSeal, sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { createAuthStore } from "../auth/store.ts";
import { createAccountStore } from "./store.ts";

const times = <T>(count: number, call: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)));
const succeeded = (answers: boolean[]) => answers.filter(Boolean).length;
const ADA = { userId: "ada", signInEpoch: 0 };

describe.each(engines)("second factors on $name", (engine) => {
  let database: TestDatabase;
  let people: ReturnType<typeof createAccountStore>;
  let store: ReturnType<typeof createAuthStore>;
  beforeEach(async () => {
    database = await engine.open();
    await seed(database.db);
    people = createAccountStore(database.db);
    store = createAuthStore(database.db);
  });
  afterEach(() => database.close());

  const totp = { secret: "sealed", lastStep: 100, createdAt: NOW };
  const codes = [sha256("one"), sha256("two")];

  test("N52 of ten parallel uses of a code one succeeds, and the step before it is spent too", async () => {
    await people.addTotp(ADA, totp, codes, {});
    expect(succeeded(await times(10, () => people.spendTotpStep("ada", 102, NOW)))).toBe(1);
    expect([await people.spendTotpStep("ada", 101, NOW), await people.spendTotpStep("ada", 103, NOW)]).toEqual([
      false,
      true,
    ]);
  });

  test("N52 MF-04 the setup code is spent", async () => {
    await people.addTotp(ADA, totp, undefined, {});
    expect(await people.spendTotpStep("ada", 100, NOW)).toBe(false);
  });

  test("MF-04 a code of the app is right however a keyboard or the app spells it, and wrong when it is not that code", async () => {
    const key = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
    const seal = createSeal("only for tests, 32 bytes or more", randomBytes);
    await people.addTotp(
      ADA,
      { secret: seal.seal(totpPurpose("ada"), key), lastStep: 0, createdAt: NOW },
      undefined,
      {},
    );
    const ada = { id: "ada", email: "ada@example.com", locale: null };
    const by = { source: { address: null, userAgent: null }, locale: "en" };
    const inDigitsFrom = (zero: number) => (code: string) =>
      code.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
    const spellings = [
      (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
      (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
      inDigitsFrom(0x0660),
      inDigitsFrom(0xff10),
    ];
    for (const [at, spell] of spellings.entries()) {
      const now = NOW + at * 60;
      const clock = { now: () => now, random: randomBytes };
      const deps = { people, mail: createTestMail(clock), seal, ...clock };
      const code = codeOf(key, now);
      expect(
        await verifySecondCode(ada, spell(code.replace(/^./, (first) => String((Number(first) + 1) % 10))), by, deps),
      ).toBeUndefined();
      expect(await verifySecondCode(ada, spell(code), by, deps)).toEqual({ factor: "totp" });
      expect(await verifySecondCode(ada, spell(code), by, deps)).toBeUndefined();
    }
  });

  test("MF-03 of parallel setups one wins, and its recovery codes are the ones that work", async () => {
    const won = await times(5, (n) =>
      people.addTotp(ADA, { ...totp, secret: `secret ${n}` }, [sha256(`code ${n}`)], {}),
    );
    expect(won.toSorted()).toEqual(["added", "exists", "exists", "exists", "exists"]);
    const winner = won.indexOf("added");
    expect((await people.findTotp("ada"))?.secret).toBe(`secret ${winner}`);
    expect(await people.spendRecoveryCode("ada", sha256(`code ${winner}`), {}, NOW)).toBe(true);
  });

  test("N55 a recovery code works once, of parallel uses too, and not after new ones were made", async () => {
    await people.addTotp(ADA, totp, codes, {});
    expect(succeeded(await times(10, () => people.spendRecoveryCode("ada", sha256("one"), {}, NOW)))).toBe(1);
    expect(await people.countRecoveryCodes("ada")).toBe(1);
    expect(await people.spendRecoveryCode("bob", sha256("two"), {}, NOW)).toBe(false);
    await people.replaceRecoveryCodes(ADA, [sha256("three")], {}, NOW);
    expect(await people.spendRecoveryCode("ada", sha256("two"), {}, NOW)).toBe(false);
    expect(await people.countRecoveryCodes("ada")).toBe(1);
  });

  test("MF-05 of parallel sets of new codes one works", async () => {
    const made = await times(5, (n) => people.replaceRecoveryCodes(ADA, [sha256(`${n} a`), sha256(`${n} b`)], {}, NOW));
    expect(succeeded(made)).toBe(5);
    expect(await people.countRecoveryCodes("ada")).toBe(2);
  });

  test("WE-03 D6 neither an app nor codes are added on behalf of a session from before a reset", async () => {
    const stale = { userId: "ada", signInEpoch: 1 };
    expect(await people.addTotp(stale, totp, codes, {})).toBe("stale");
    expect(await people.replaceRecoveryCodes(stale, codes, {}, NOW)).toBe(false);
    expect([await people.findTotp("ada"), await people.countRecoveryCodes("ada")]).toEqual([undefined, 0]);
  });

  test("WE-01 adding an app keeps remembered browsers and open sign-ins", async () => {
    const { db } = database;
    const { tables } = db;
    const seen = { createdAt: NOW, lastUsedAt: NOW, expiresAt: NOW + 600, userAgent: null, address: null };
    await people.rememberBrowser({ ...seen, hash: sha256("browser"), id: "browser", ...ADA }, {});
    await people.addTotp(ADA, totp, codes, {});
    expect(await people.useRememberedBrowser("ada", sha256("browser"), NOW)).toBe(true);
    expect((await people.findAccount("ada"))?.signInEpoch).toBe(0);
    expect(await db.select().from(tables.recoveryCodes)).toHaveLength(2);
  });

  test("WE-01 removing the app ends other sessions and remembered browsers; of two removals at once one succeeds", async () => {
    await people.addTotp(ADA, totp, codes, {});
    const dates = {
      createdAt: NOW,
      lastSeenAt: NOW,
      authTime: NOW,
      expiresAt: NOW + 600,
      absoluteExpiresAt: NOW + 600,
    };
    for (const id of ["this", "other"]) {
      await store.saveSession({
        ...PASSWORD_SIGN_IN,
        ...dates,
        id,
        hash: sha256(id),
        userId: "ada",
        userAgent: null,
        address: null,
        accessEpoch: 0,
      });
    }
    await people.rememberBrowser({ ...browser, hash: sha256("browser") }, {});
    const { signInEpoch = -1 } = (await people.findAccount("ada")) ?? {};
    const removal = { userId: "ada", signInEpoch, sessionId: "this", codes: true };
    expect(succeeded(await times(2, () => people.removeTotp(removal, {}, NOW)))).toBe(1);
    expect(await people.findTotp("ada")).toBeUndefined();
    expect(await people.countRecoveryCodes("ada")).toBe(0);
    expect((await store.listSessions("ada", NOW)).map(({ id }) => id)).toEqual(["this"]);
    expect(await people.listRememberedBrowsers("ada", NOW)).toEqual([]);
  });

  const browser = {
    id: "browser",
    userId: "ada",
    signInEpoch: 0,
    userAgent: "Firefox",
    address: "192.0.2.1",
    createdAt: NOW,
    lastUsedAt: NOW,
    expiresAt: NOW + 60,
  };

  test("MF-08 a remembered browser counts for its user, until it expires, is forgotten, or the user's sign-in epoch is raised", async () => {
    const hash = sha256("browser");
    const counts = (userId = "ada", now = NOW) => people.useRememberedBrowser(userId, hash, now);
    await people.rememberBrowser({ ...browser, hash }, {});
    await people.rememberBrowser({ ...browser, hash, expiresAt: NOW + 90 }, {});
    expect([await counts(), await counts("bob"), await counts("ada", NOW + 90)]).toEqual([true, false, false]);
    expect(await people.listRememberedBrowsers("ada", NOW)).toMatchObject([{ id: "browser", userAgent: "Firefox" }]);
    expect([
      await people.forgetBrowser("bob", "browser", {}, NOW),
      await people.forgetBrowser("ada", "browser", {}, NOW),
    ]).toEqual([false, true]);
    expect(await counts()).toBe(false);

    await people.rememberBrowser({ ...browser, hash, signInEpoch: -1 }, {});
    expect(await counts()).toBe(false);
    expect(await people.listRememberedBrowsers("ada", NOW)).toEqual([]);
  });

  test("the enrolment tells an app, a passkey and a security key apart", async () => {
    expect(await store.findEnrolment("ada")).toEqual({ totp: false, securityKey: false, passkey: false });
    await people.addTotp(ADA, totp, codes, {});
    const { db } = database;
    const { tables } = db;
    const key = {
      publicKey: Buffer.from("k"),
      algorithm: -7,
      counter: 0,
      transports: [],
      aaguid: "",
      name: "",
      rpId: "x",
      createdAt: NOW,
    };
    const flags = { backupEligible: false, backedUp: false };
    await db.insert(tables.passkeys).values({ ...key, ...flags, credentialId: "a", userId: "ada", userVerified: true });
    await db
      .insert(tables.passkeys)
      .values({ ...key, ...flags, credentialId: "b", userId: "bob", userVerified: false });
    expect(await store.findEnrolment("ada")).toEqual({ totp: true, securityKey: false, passkey: true });
    expect(await store.findEnrolment("bob")).toEqual({ totp: false, securityKey: true, passkey: false });
  });
});
