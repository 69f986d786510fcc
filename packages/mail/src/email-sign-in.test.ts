import {
  createAccountLimits,
  openSignInLink,
  redeemSignInCode,
  redeemSignInLink,
  requestSignInCode,
} from "@gatehouse/accounts";
import { type Hash, sha256 } from "@gatehouse/auth";
import { createRateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";
import { engines } from "@gatehouse/db/testing/engines";
import { NOW } from "@gatehouse/db/testing/people";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openOutbox, type TestOutbox } from "./testing/outbox.ts";

const BROWSER = sha256("the asking browser");
const redeeming = (sessionUserId?: string) => ({
  caller: { address: null },
  userAgent: null,
  locale: "en",
  sessionUserId,
});
const FLOW = { continuation: { request: "sealed" } };

describe.each(engines)("sign-in by email on $name", (engine) => {
  let outbox: TestOutbox;
  beforeEach(async () => {
    outbox = await openOutbox(engine);
    await change({ registeredBy: "operator" });
  });
  afterEach(() => outbox.database.close());

  const change = (set: object) => outbox.db.update(outbox.db.tables.users).set(set);
  const deps = () => {
    const { people, random, seal, composer: mail, database } = outbox;
    const limits = createAccountLimits((limit) => createRateLimiter(database, limit), { mailWorks: true });
    return {
      config: { issuer: "https://id.example", resource: "https://id.example/api" },
      now: () => NOW,
      people,
      random,
      seal,
      mail,
      limits,
    };
  };

  /** Asks for a code, and returns what arrives. */
  async function ask(
    email = "ada@example.com",
    { browser = BROWSER, browserId }: { browser?: Hash; browserId?: string } = {},
  ) {
    const from = { caller: { address: "192.0.2.1" }, userAgent: null, locale: "en" };
    await requestSignInCode({ email, browser, browserId, continuation: FLOW }, from, deps());
    const arrived: { code: string; secret: string }[] = [];
    const queue = outbox.queueFor({
      kind: "mailbox",
      tell: (_, { code = "", link = "" }) =>
        arrived.push({ code, secret: new URL(link).searchParams.get("token") ?? "" }),
    });
    await outbox.attempt(queue);
    return arrived[0];
  }
  const type = (code: string, browser = BROWSER) =>
    redeemSignInCode({ email: "ada@example.com", code, browser }, redeeming(), deps());

  test("ML-01 a code signs in once and continues where the sign-in began", async () => {
    const mail = await ask();
    expect(await type(mail?.code ?? "")).toEqual({
      kind: "signed_in",
      account: expect.objectContaining({ id: "ada" }),
      continuation: FLOW,
    });
    expect(await type(mail?.code ?? "")).toEqual({ kind: "wrong" });
  });

  const strangersAsk = async (times: number) => {
    for (let count = 0; count < times; count++) await ask(undefined, { browser: sha256(`stranger ${count}`) });
  };

  test("AB-03 ML-03 codes that strangers ask for do not void the code of the browser that asked; its own next one does", async () => {
    const mail = await ask();
    await strangersAsk(2);
    const again = await ask();
    expect(await type(mail?.code ?? "")).toEqual({ kind: "wrong" });
    await strangersAsk(2);
    expect(await type(again?.code ?? "")).toMatchObject({ kind: "signed_in" });
  });

  test("AB-03 AB-07 a browser that has signed in to the account gets its codes after strangers used up the mails to the address", async () => {
    await strangersAsk(6);
    expect(await ask()).toBeUndefined();
    for (let count = 0; count < 5; count++) expect(await ask(undefined, { browserId: "known" })).toBeDefined();
    expect(await ask(undefined, { browserId: "known" })).toBeUndefined();
  });

  test("AB-07 the browser of somebody who signed up with an address that they never proved is a stranger's", async () => {
    await change({ registeredBy: "self" });
    for (let count = 0; count < 5; count++) expect(await ask(undefined, { browserId: `known ${count}` })).toBeDefined();
    expect(await ask(undefined, { browserId: "known" })).toBeUndefined();
  });

  test("N49 D6 a reset after the code was spent ends the sign-in: its account is the one from before", async () => {
    const mail = await ask();
    await change({ emailVerifiedAt: NOW });
    const { people } = outbox;
    const resetting = async (...[hash, now, also]: Parameters<typeof people.spendMailedToken>) => {
      const spent = await people.spendMailedToken(hash, now, also);
      await change({ accessEpoch: 1, signInEpoch: 1 });
      return spent;
    };
    const typed = { email: "ada@example.com", code: mail?.code ?? "", browser: BROWSER };
    const signedIn = await redeemSignInCode(typed, redeeming(), {
      ...deps(),
      people: { ...people, spendMailedToken: resetting },
    });
    expect(signedIn).toMatchObject({ kind: "signed_in", account: { accessEpoch: 0, signInEpoch: 0 } });
  });

  test.each([
    ["a stranger's address", "nobody@example.com", { name: "Ada" }],
    ["a disabled account", "ada@example.com", { disabledAt: NOW }],
  ])("ML-01 %s gets no mail, and the same rows are written", async (_, email, changed) => {
    await change(changed);
    expect(await ask(email)).toBeUndefined();
    const { mails, mailedTokens } = outbox.db.tables;
    const [rows, tokens] = await Promise.all([outbox.db.select().from(mails), outbox.db.select().from(mailedTokens)]);
    expect([rows.length, tokens.length]).toEqual([1, 1]);
    expect(tokens[0]).toMatchObject({ email, userId: null, codeHash: expect.any(String) });
  });

  test("RG-10 the code signs in to an account that is to be deleted, where the sign-in offers to restore it", async () => {
    await change({ deleteAfter: NOW + 600 });
    const mail = await ask();
    expect(await type(mail?.code ?? "")).toMatchObject({ kind: "signed_in", account: { id: "ada" } });
    expect(await outbox.people.findAccount("ada")).toMatchObject({ deleteAfter: NOW + 600 });
  });

  test.each([
    ["is missing, empties the account", undefined, { passwordHash: null, emailVerifiedAt: NOW }],
    ["is another user's, empties it", "bob", { passwordHash: null, emailVerifiedAt: NOW }],
    [
      "is its own, keeps everything",
      "ada",
      { passwordHash: expect.stringContaining("$argon2id$"), emailVerifiedAt: NOW },
    ],
  ])(
    "RG-05 N41 ML-03 the first proof of an address by a mailed code, where the session %s",
    async (_, sessionUserId, after) => {
      await change({ registeredBy: "self" });
      const mail = await ask();
      const typed = { email: "ada@example.com", code: mail?.code ?? "", browser: BROWSER };
      const uses = await Promise.all(
        Array.from({ length: 5 }, () => redeemSignInCode(typed, redeeming(sessionUserId), deps())),
      );
      expect(uses.filter(({ kind }) => kind === "signed_in")).toEqual([
        { kind: "signed_in", account: expect.objectContaining({ id: "ada" }), continuation: FLOW },
      ]);
      expect(await outbox.people.findAccountByEmail("ada@example.com")).toMatchObject(after);
      expect(await outbox.people.findAccountByEmail("bob@example.com")).toMatchObject({ emailVerifiedAt: null });
    },
  );

  test("N56 ML-02 a mailed link works only in the browser that asked; elsewhere it stays unspent", async () => {
    const mail = await ask();
    for (const browser of [null, sha256("another browser")]) {
      expect(await openSignInLink(mail?.secret, browser, deps())).toEqual({ kind: "elsewhere" });
    }
    const link = await openSignInLink(mail?.secret, BROWSER, deps());
    if (link.kind !== "usable") throw new Error(link.kind);
    const uses = await Promise.all(Array.from({ length: 5 }, () => redeemSignInLink(link.token, redeeming(), deps())));
    expect(uses.filter(({ kind }) => kind === "signed_in")).toEqual([
      { kind: "signed_in", account: expect.objectContaining({ id: "ada" }), continuation: FLOW },
    ]);
    expect(await openSignInLink(mail?.secret, BROWSER, deps())).toEqual({ kind: "dead" });
  });
});
