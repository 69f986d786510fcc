import { randomBytes } from "node:crypto";
import {
  ACCOUNT_LIMITS,
  type AccountStore,
  checkMailedCode,
  createAccountLimits,
  type Limit,
  type MailedTokenDraft,
  mailedTokenData,
  mintMailedToken,
  openMailedLink,
  verifyWithLink,
} from "@gatehouse/accounts";
import { createSeal, type Hash, sha256 } from "@gatehouse/auth";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { createRateLimiter } from "../rate-limits/rate-limiter.ts";
import { createAccountStore } from "./store.ts";

describe.each(engines)("mailed tokens on $name", ({ open }) => {
  let database: TestDatabase;
  let people: AccountStore;
  let count = 0;
  beforeAll(async () => {
    database = await open();
    await seed(database.db);
    people = createAccountStore(database.db);
  });
  afterAll(() => database.close());

  const random = (length: number) => randomBytes(length);
  const seal = createSeal("a secret for the tests, 32 bytes or more", random);
  const clock = { now: NOW };
  const deps = () => ({
    people,
    now: () => clock.now,
    random,
    seal,
    limits: createAccountLimits((limit) => createRateLimiter(database, limit), { mailWorks: true }),
  });
  const BROWSER = sha256("the asking browser");

  /** A token for an address that no other test uses, or for Ada's account. */
  async function issue(change: Partial<MailedTokenDraft> = {}) {
    const email = change.userId === "ada" ? "ada@example.com" : `${++count}@example.com`;
    const draft = {
      purpose: "sign_in" as const,
      userId: null,
      email,
      lifetimeSeconds: 600,
      withCode: true,
      browser: BROWSER,
      ...change,
    };
    const minted = mintMailedToken(draft, deps());
    await people.saveMailedToken(minted.row);
    return { ...minted, email: draft.email, purpose: draft.purpose };
  }
  const opened = async ({ secret, purpose }: Awaited<ReturnType<typeof issue>>) =>
    (await openMailedLink(secret, purpose, deps())) !== undefined;
  const change = (set: object) =>
    database.db.update(database.db.tables.users).set(set).where(eq(database.db.tables.users.id, "ada"));
  const type = (email: string, code: string, browser: Hash | null = BROWSER) =>
    checkMailedCode({ purpose: "sign_in", email, code, browser }, deps());

  test("N46 a link can be opened as often as a scanner likes, and is usable afterwards; what waits for it is sealed", async () => {
    const link = await issue({ data: { next: "/account" } });
    for (let times = 0; times < 5; times++) expect(await opened(link)).toBe(true);
    const stored = await people.findMailedToken(link.row.hash);
    expect(JSON.stringify(stored)).not.toMatch(/account|gml_/);
    expect(stored && mailedTokenData(stored, { seal })).toEqual({ next: "/account" });
    expect(await people.spendMailedToken(link.row.hash, NOW)).toBe(true);
    expect(await opened(link)).toBe(false);
  });

  test("N47 of ten parallel uses one succeeds; the older of two, an expired and a foreign link do nothing", async () => {
    const link = await issue();
    const uses = await Promise.all(Array.from({ length: 10 }, () => people.spendMailedToken(link.row.hash, NOW)));
    expect(uses.filter(Boolean)).toHaveLength(1);

    // The loser of a race can find the address proved already by the same link.
    const ofAda = await issue({ purpose: "verify", userId: "ada" });
    const ada = await people.findAccount("ada");
    const token = await people.findMailedToken(ofAda.row.hash);
    if (!ada || !token) throw new Error("the seed has Ada");
    const request = { caller: { address: null }, userAgent: null, locale: "en" };
    const verify = () => verifyWithLink({ ...ada, emailVerifiedAt: NOW }, token, request, deps());
    expect([(await verify()).kind, (await verify()).kind]).toEqual(["verified", "dead"]);

    const older = await issue({ email: "twice@example.com" });
    const newer = await issue({ email: "twice@example.com" });
    expect([await opened(older), await opened(newer)]).toEqual([false, true]);
    expect(await people.spendMailedToken(older.row.hash, NOW)).toBe(false);
    expect(await people.spendMailedToken(newer.row.hash, NOW + 600)).toBe(false);
    for (const secret of [undefined, "", "gml_guess", "x".repeat(10_000), newer.row.hash]) {
      expect(await openMailedLink(secret, "sign_in", deps())).toBeUndefined();
    }
    expect(await openMailedLink(newer.secret, "reset", deps())).toBeUndefined();
  });

  test.each([
    ["the account is disabled", { disabledAt: NOW }, { disabledAt: null }],
    ["its address changed", { email: "ada@new.example" }, { email: "ada@example.com" }],
    ["something ended unfinished sign-ins", { signInEpoch: 7 }, { signInEpoch: 0 }],
  ])("a token is dead when %s, also for a use that opened it before", async (_, changed, restored) => {
    const link = await issue({ userId: "ada", signInEpoch: 0 });
    await change(changed);
    expect([await opened(link), await people.spendMailedToken(link.row.hash, NOW)]).toEqual([false, false]);
    expect(await people.countCodeTry(link.row.hash, NOW)).toBe(false);
    await change(restored);
    expect(await people.spendMailedToken(link.row.hash, NOW)).toBe(true);
  });

  test("EA-02 a change of the address is dead while the deletion of the account is requested", async () => {
    const link = await issue({ userId: "ada", purpose: "email_change", signInEpoch: 0 });
    await change({ deleteAfter: NOW + 1 });
    expect([await opened(link), await people.spendMailedToken(link.row.hash, NOW)]).toEqual([false, false]);
    await change({ deleteAfter: null });
  });

  test("EA-02 of two accounts that change to one address, each has its own code", async () => {
    const draft = {
      purpose: "email_change",
      email: "both@example.com",
      lifetimeSeconds: 600,
      withCode: true,
      browser: BROWSER,
    } as const;
    const codes: Record<string, string> = {};
    for (const userId of ["ada", "bob"]) {
      const { row, code } = mintMailedToken({ ...draft, userId }, deps());
      await people.saveAddressChange(row, {});
      codes[userId] = code;
    }
    for (const userId of ["ada", "bob"]) {
      const typed = { purpose: draft.purpose, email: draft.email, browser: BROWSER, userId, code: codes[userId] ?? "" };
      expect(await checkMailedCode(typed, deps())).toMatchObject({ kind: "right", token: { userId } });
    }
  });

  test("an undo link, which names an old address, outlives the change and what follows it", async () => {
    const link = await issue({ userId: "ada", purpose: "email_undo", email: "ada@old.example" });
    await change({ signInEpoch: 8 });
    expect(await opened(link)).toBe(true);
    await change({ signInEpoch: 0 });
  });

  test("ML-02 a code works in the browser that asked for it, with or without spaces, from any keyboard", async () => {
    const { email, code } = await issue();
    expect(await type(email, code, sha256("another browser"))).toEqual({ kind: "wrong" });
    expect(await type(email, code, null)).toEqual({ kind: "wrong" });
    expect(await type(email, ` ${code.slice(0, 4)} ${code.slice(4)}-`)).toMatchObject({ kind: "right" });
    for (const zero of ["\u0660", "\uff10"]) {
      const typed = code.replace(/\d/g, (digit) => String.fromCharCode(zero.charCodeAt(0) + Number(digit)));
      expect(await type(email, typed)).toMatchObject({ kind: "right" });
    }
  });

  test("ML-02 a code dies after five tries, also when they race", async () => {
    const { email, code } = await issue();
    const wrong = code === "00000000" ? "00000001" : "00000000";
    await Promise.all(Array.from({ length: 5 }, () => type(email, wrong)));
    expect(await type(email, code)).toEqual({ kind: "wrong" });
  });

  test("N57 ML-03 a new code does not bring new tries for the day", async () => {
    const email = "guessed@example.com";
    const kinds: string[] = [];
    for (let mail = 0; mail < 3; mail++) {
      const { code } = await issue({ email });
      const wrong = code === "00000000" ? "00000001" : "00000000";
      for (let tries = 0; tries < 4; tries++) kinds.push((await type(email, wrong)).kind);
    }
    const allowed = ACCOUNT_LIMITS.mailedCodeByBrowser.failures;
    expect(kinds).toEqual([...Array.from({ length: allowed }, () => "wrong"), "wait", "wait"]);
    const { code } = await issue({ email });
    expect(await type(email, code)).toMatchObject({ kind: "wait" });
  });

  describe("wrong codes in other browsers", () => {
    /** With a tenth of the real limit for an address: `limits.test.ts` has the real one. */
    const tenth = (limit: Limit) => ({
      ...limit,
      failures: limit.name === ACCOUNT_LIMITS.mailedCode.name ? 20 : limit.failures,
    });
    const typeLimited = (email: string, code: string, browser: Hash) => {
      const limits = createAccountLimits((limit) => createRateLimiter(database, tenth(limit)), { mailWorks: true });
      return checkMailedCode({ purpose: "sign_in", email, code, browser }, { ...deps(), limits });
    };
    async function guessIn(browser: Hash, email: string, tries: number) {
      const { code } = await issue({ email, browser });
      const wrong = code === "00000000" ? "00000001" : "00000000";
      for (let count = 0; count < tries; count++) await typeLimited(email, wrong, browser);
    }

    test("AB-02 AB-03 they leave the owner's browser its tries, however many there are for one code", async () => {
      const email = "owner@example.com";
      for (const [browser, tries] of [25, 5, 5].entries()) await guessIn(sha256(`stranger ${browser}`), email, tries);
      const { code } = await issue({ email });
      expect(await typeLimited(email, code, BROWSER)).toMatchObject({ kind: "right" });
    });

    test("AB-02 all that are compared count for the address, in however many browsers", async () => {
      const email = "bounded@example.com";
      for (let browser = 0; browser < 4; browser++) await guessIn(sha256(`stranger ${browser}`), email, 5);
      const { code } = await issue({ email });
      expect(await typeLimited(email, code, BROWSER)).toMatchObject({ kind: "wait" });
    });
  });

  test("codes have eight digits, and their hash depends on the token", async () => {
    const [one, other] = [await issue(), await issue()];
    expect([one.code, other.code]).toEqual([expect.stringMatching(/^\d{8}$/), expect.stringMatching(/^\d{8}$/)]);
    expect(one.row.codeHash).not.toBe(other.row.codeHash);
  });
});
