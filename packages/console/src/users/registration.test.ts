import {
  type AccountDeps,
  changeEmailWithLink,
  confirmSignUpCode,
  confirmSignUpLink,
  deleteAccount,
  openMailedLink,
  requestEmailChange,
  requestReset,
  resendSignUpCode,
  sendVerification,
  signUp,
  signUpWithLink,
} from "@gatehouse/accounts";
import { sha256 } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, openInstallation, signUpUnverified } from "../testing/installation.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "a password of Ada's own";
const REQUEST = { caller: { address: null }, userAgent: null, locale: "en" };
const CONTINUATION = { request: undefined, next: undefined };

describe.each(engines)("accounts from the sign-up page, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const stranger = () =>
    signUpUnverified({ email: EMAIL, name: "Mallory", password: "a password of Mallory" }, it.deps);

  test("RG-05 RG-10 a deletion of an account that nobody proved frees the address at once", async () => {
    expect(await deleteAccount(await stranger(), REQUEST, it.deps)).toEqual({ kind: "deleted", deleteAfter: null });
    expect(it.mail.composed.at(-1)).toMatchObject({ kind: "account_deletion", data: { deleteAfter: null } });
    await requestReset({ ...REQUEST, email: EMAIL, browser: null, continuation: CONTINUATION }, it.deps);
    expect(it.mail.composed.at(-1)).toMatchObject({ deliver: false });
    const typed = { name: "Ada", email: EMAIL, password: PASSWORD };
    const owner = await signUp(typed, { ...REQUEST, browser: null, continuation: CONTINUATION }, it.deps);
    expect(owner).toMatchObject({ kind: "created", account: { name: "Ada", deleteAfter: null } });
  });

  test("AB-07 every mail to an address that nobody proved says so, and goes on to once the account moves away or is deleted", async () => {
    const moving = await stranger();
    await requestEmailChange(moving, "mallory@example.org", { ...REQUEST, browser: null }, it.deps);
    const sent = it.mail.composed.findLast(({ kind }) => kind === "email_change_confirm")?.data;
    const secret = sent && "link" in sent ? (new URL(sent.link ?? "").searchParams.get("token") ?? "") : "";
    const token = (await openMailedLink(secret, "email_change", it.deps)) ?? expect.fail("the link is dead");
    const changing = { account: moving, sessionId: "here", browser: sha256(""), confirmed: true };
    expect(await changeEmailWithLink(changing, token, REQUEST, it.deps)).toEqual({ kind: "changed" });
    await deleteAccount(await stranger(), REQUEST, it.deps);
    const told = it.mail.composed.filter(({ to }) => to === EMAIL).map(({ kind, trusted }) => [kind, trusted]);
    expect(told).toEqual([
      ["email_change_notice", false],
      ["email_changed", false],
      ["account_deletion", false],
    ]);
    expect(it.mail.composed).toContainEqual(
      expect.objectContaining({ kind: "email_changed", to: "mallory@example.org", trusted: true }),
    );
  });

  const asked = { ...REQUEST, browser: sha256("this browser"), continuation: CONTINUATION };
  const requests: [string, (deps: AccountDeps) => Promise<unknown>][] = [
    [
      "a sign-up that waits for its proof",
      (deps) => {
        const first = { ...deps, accounts: { ...deps.accounts, emailVerification: "first" as const } };
        return signUp({ name: "Ada", email: EMAIL, password: PASSWORD }, asked, first);
      },
    ],
    [
      "a verification",
      async (deps) =>
        sendVerification((await deps.people.findAccountByEmail("user@example.com")) ?? expect.fail(), asked, deps),
    ],
    [
      "a change of the address",
      async (deps) =>
        requestEmailChange(
          (await deps.people.findAccountByEmail("user@example.com")) ?? expect.fail(),
          EMAIL,
          asked,
          deps,
        ),
    ],
  ];
  test.each(requests)("AB-07 %s whose mail is held back leaves the earlier code and link alone", async (_, ask) => {
    const { mail } = it.deps;
    const limited: AccountDeps["mail"] = {
      ...mail,
      composeRequested: async (kind, of) => ({ ...(await mail.composeRequested(kind, of)), heldBack: true }),
    };
    const tokens = async () => (await it.deps.db.select().from(it.deps.db.tables.mailedTokens)).map(({ hash }) => hash);
    await ask(it.deps);
    const before = await tokens();
    expect(before).toHaveLength(1);
    await ask({ ...it.deps, mail: limited });
    expect(await tokens()).toEqual(before);
    await ask(it.deps);
    expect(await tokens()).not.toEqual(before);
  });

  test.each([
    ["sign-up is closed", { signUp: "closed" as const }],
    ["its domain is not allowed", { signUpDomains: ["example.org"] }],
  ])("RG-01 a sign-up that waits for its proof makes no account once %s", async (_, change) => {
    const browser = asked.browser;
    const first = { ...it.deps, accounts: { ...it.deps.accounts, emailVerification: "first" as const } };
    await signUp({ name: "Ada", email: EMAIL, password: PASSWORD }, asked, first);
    const data = it.mail.composed.at(-1)?.data;
    if (!data || !("code" in data) || !("link" in data)) throw new Error("no code was mailed");
    const now = { ...first, accounts: { ...first.accounts, ...change } };
    expect(await confirmSignUpCode({ email: EMAIL, code: data.code, browser }, REQUEST, now)).toEqual({
      kind: "closed",
    });
    const secret = new URL(data.link ?? "").searchParams.get("token") ?? "";
    const token = (await openMailedLink(secret, "sign_up", now)) ?? expect.fail("the link is dead");
    expect(await confirmSignUpLink(token, browser, REQUEST, now)).toEqual({ kind: "closed" });
    expect(await signUpWithLink(token, { name: "Ada", password: PASSWORD }, REQUEST, now)).toEqual({ kind: "closed" });
    expect(await resendSignUpCode(EMAIL, asked, now)).toBe(false);
    expect(await it.deps.people.findAccountByEmail(EMAIL)).toBeUndefined();
    expect(await confirmSignUpLink(token, browser, REQUEST, first)).toMatchObject({ kind: "confirmed" });
  });

  test("EA-02 SN-03 the link of a new address completes the change in the session that asked, or with a fresh sign-in, and in no other", async () => {
    const user = async () => (await it.deps.people.findAccountByEmail("user@example.com")) ?? expect.fail();
    await requestEmailChange(await user(), EMAIL, asked, it.deps);
    const mail = it.mail.composed.findLast(({ kind }) => kind === "email_change_confirm")?.data;
    const link = mail && "link" in mail && mail.link !== null ? mail.link : expect.fail("no link");
    const token = await openMailedLink(new URL(link).searchParams.get("token") ?? "", "email_change", it.deps);
    if (!token) throw new Error("the link is dead");
    const account = await user();
    const withLink = (how: { browser: string; confirmed: boolean }, changing = token) => {
      const session = { ...how, account, sessionId: "here", browser: sha256(how.browser) };
      return changeEmailWithLink(session, changing, REQUEST, it.deps);
    };
    expect(await withLink({ browser: "another session", confirmed: false })).toEqual({ kind: "unconfirmed" });
    expect(await withLink({ browser: "this browser", confirmed: false }, { ...token, browser: null })).toEqual({
      kind: "unconfirmed",
    });
    expect(await it.deps.people.findAccountByEmail(EMAIL)).toBeUndefined();
    expect(await withLink({ browser: "another session", confirmed: true })).toEqual({ kind: "changed" });
    expect(await it.deps.people.findAccountByEmail(EMAIL)).toMatchObject({ id: account.id });
  });

  test("RG-10 a verified account can be restored for seven days", async () => {
    const account = { ...(await stranger()), emailVerifiedAt: it.clock.now };
    expect(await deleteAccount(account, REQUEST, it.deps)).toEqual({
      kind: "deleted",
      deleteAfter: it.clock.now + 7 * 86_400,
    });
    expect(await it.deps.people.findAccount(account.id)).toMatchObject({ deleteAfter: it.clock.now + 7 * 86_400 });
  });
});
