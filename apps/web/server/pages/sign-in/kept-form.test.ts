import { codeOf, newAuthenticator } from "@gatehouse/accounts/testing";
import { LOCALES, textsFor } from "@gatehouse/languages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, ceremonyOf, cookieNamed, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

// A form that waits for a confirmation, on a database of its own with a clock that the tests move.
const ISSUER = "http://localhost:3000";
const ELEVEN_MINUTES = 11 * 60;
const NEW = "moved@example.org";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());

type Account = Awaited<ReturnType<Pages["account"]>>;

async function signIn({ email }: Account): Promise<Browser> {
  const browser = pages.newBrowser();
  expect((await browser.post("/sign-in", { email, password: PASSWORD })).response.status).toBe(303);
  return browser;
}

/** Opens a page, waits until the sign-in is too old, and sends the form: leads to the confirmation. */
async function sendLate(browser: Browser, path: string, fields: Record<string, string>, page = path) {
  const { html } = await browser.get(page);
  pages.clock.now += ELEVEN_MINUTES;
  const { location } = await browser.submit(html, fields, path);
  expect(location).toMatch(/^\/sign-in\/confirm\?/);
  return location;
}

const wordsOf = (html: string) => /<strong>(.*?)<\/strong>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "");
const formOf = (html: string) => /name="form" value="([^"]+)"/.exec(html)?.[1];

describe("SN-03 a form that waits for a confirmation", () => {
  test("goes on in the session that sent it, after the change of its secret that the confirmation brings", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const location = await sendLate(browser, "/account/email", { new_email: NEW, action: "change" });
    const asking = await browser.get(location);
    expect(wordsOf(asking.html)).toBe(`Change your email to ${NEW}`);
    const confirmed = await browser.submit(asking.html, { password: PASSWORD });
    expect(wordsOf(confirmed.html)).toBe(`Change your email to ${NEW}`);
    expect(confirmed.html).not.toContain("autofocus");
    expect((await browser.submit(confirmed.html, {})).html).toContain("we sent a code to it");
  });

  test.each([
    ["a new address", "/account/email", { new_email: "thief@example.org", action: "change" }],
    ["the deletion of the account", "/account/delete", {}],
    ["new recovery codes", "/account/security/recovery-codes", {}],
    ["the end of all other sessions", "/account/sessions", { action: "revoke_other_sessions" }],
  ])("%s: another session of the same user does not carry it out, confirmed or not", async (_, path, fields) => {
    const ada = await pages.account({ totp: false });
    const thief = await signIn(ada);
    const location = await sendLate(
      thief,
      path,
      fields,
      path.startsWith("/account/security") ? "/account/security" : path,
    );

    const owner = await signIn(ada); // has just proved who they are
    const at = await owner.get(location);
    expect([at.response.status, at.location]).toEqual([303, path]);

    pages.clock.now += ELEVEN_MINUTES;
    const asking = await owner.get(location);
    expect(wordsOf(asking.html)).toBeUndefined();
    const confirmed = await owner.submit(asking.html, { password: PASSWORD });
    expect([confirmed.response.status, confirmed.location]).toEqual([303, path]);
  });

  test("WE-03 does not outlive a change of the account", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const location = await sendLate(browser, "/account/delete", {});
    const { db } = pages.app.deps;
    const { tables } = db;
    await db.update(tables.users).set({ signInEpoch: 7 });
    expect(wordsOf((await browser.get(location)).html)).toBeUndefined();
    await db.update(tables.users).set({ signInEpoch: 0 });
    expect(wordsOf((await browser.get(location)).html)).toBe("Delete your account");
  });

  test("PW-08 a new password is not kept: its page could not say it", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const location = await sendLate(browser, "/account/password", {
      current: PASSWORD,
      password: "a password of the thief",
    });
    expect(location).toBe("/sign-in/confirm?next=%2Faccount%2Fpassword");
  });

  test("says in words what it does, for every form that is kept", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const authenticator = newAuthenticator(ISSUER);
    const { html, options } = ceremonyOf((await browser.get("/account/security/passkeys")).html, "create");
    await browser.submit(html, { credential: authenticator.create(options) });
    const [passkey] = await pages.app.deps.people.listPasskeys(ada.id);
    const id = passkey?.credentialId ?? "";
    const forms: [path: string, fields: Record<string, string>, words: string | undefined][] = [
      [
        "/account/email",
        { action: "change", new_email: " Moved@EXAMPLE.org" },
        "Change your email to moved@example.org",
      ],
      ["/account/email", { action: "change", new_email: "no address" }, undefined],
      ["/account/delete", {}, "Delete your account"],
      ["/account/export", {}, "Download your data"],
      ["/account/sessions", { action: "revoke_other_sessions" }, "Sign out everywhere else"],
      [
        "/account/sessions",
        { action: "revoke_other_sessions", apps: "on" },
        "Sign out everywhere else and disconnect all apps",
      ],
      ["/account/identities", { connect: "unknown" }, undefined],
      ["/account/security/passkeys", { action: "remove", id }, `Remove the passkey ${passkey?.name}`],
      ["/account/security/passkeys", { action: "remove", id: '"><b>' }, undefined],
      ["/account/security/passkeys", { credential: "{}" }, "Add a passkey"],
      ["/account/security/authenticator", { setup: "sealed", code: "123456" }, "Set up an authenticator app"],
      ["/account/security/authenticator", { action: "remove" }, "Remove the authenticator app"],
      ["/account/security/recovery-codes", {}, "Replace your recovery codes"],
      ["/sign-in/passkey-offer", { credential: "{}" }, "Add a passkey"],
    ];
    const page = await browser.get("/account/security");
    pages.clock.now += ELEVEN_MINUTES;
    for (const [path, fields, words] of forms) {
      const { location } = await browser.submit(page.html, fields, path);
      const asking = await browser.get(location);
      expect([path, fields, wordsOf(asking.html)]).toEqual([path, fields, words]);
      expect(formOf(asking.html) === undefined).toBe(words === undefined);
    }
  });

  test.each(LOCALES)("LG-01 says it in %s", async (locale) => {
    const browser = await signIn(await pages.account({ totp: false }));
    const location = await sendLate(browser, "/account/email", { new_email: NEW, action: "change" });
    browser.cookies.set(cookieNamed("locale"), locale);
    const { acts } = textsFor(locale).confirm;
    expect(wordsOf((await browser.get(location)).html)).toBe(acts.email.replace("{email}", NEW));
  });
});

test("MF-03 SN-03 an authenticator app is set up in the session that showed its key, and in no other of the same user", async () => {
  const ada = await pages.account({ totp: false });
  const [thief, owner] = [await signIn(ada), await signIn(ada)];
  const path = "/account/security/authenticator";
  const { html } = await thief.get(path);
  const setup = /name="setup" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const secret = /secret=([A-Z2-7]+)/.exec(html)?.[1] ?? "";
  const fields = { setup, code: codeOf(secret, pages.clock.now) };
  const refused = await owner.submit((await owner.get("/account/security")).html, fields, path);
  expect([refused.response.status, refused.html]).toEqual([400, expect.stringContaining("Scan the new QR code")]);
  expect(await pages.app.deps.people.findTotp(ada.id)).toBeUndefined();
  await thief.submit(html, fields, path);
  expect(await pages.app.deps.people.findTotp(ada.id)).toBeDefined();
});

describe("EA-02 the link that proves a new address", () => {
  /** The owner starts a change; both browsers are signed in as the same user. */
  async function changing() {
    const ada = await pages.account({ totp: false });
    const thief = await signIn(ada);
    pages.clock.now += ELEVEN_MINUTES;
    const owner = await signIn(ada);
    const to = `of-${ada.email}`;
    await owner.post("/account/email", { new_email: to, action: "change" });
    const emailNow = async () => (await pages.app.deps.people.findAccount(ada.id))?.email;
    return { ada, thief, owner, to, emailNow, link: pages.mailedPath("email_change_confirm", to) };
  }

  test("completes the change in the session that asked for it, however long ago its sign-in was", async () => {
    const { owner, to, emailNow, link } = await changing();
    pages.clock.now += ELEVEN_MINUTES;
    await owner.get(link);
    await owner.submit((await owner.get("/verify-email")).html, { action: "link" });
    expect(await emailNow()).toBe(to);
  });

  test("SN-03 in another session of the same user it asks for a confirmation first, on the page and for the form", async () => {
    const { ada, thief, owner, to, emailNow, link } = await changing();
    await thief.get(link);
    const away = await thief.get("/verify-email");
    expect([away.response.status, away.location]).toEqual([303, "/sign-in/confirm?next=%2Fverify-email"]);

    await owner.get(link);
    const shown = (await owner.get("/verify-email")).html;
    const hash = /name="link" value="([^"]+)"/.exec(shown)?.[1] ?? "";
    const forced = await thief.submit(
      (await thief.get("/sign-in")).html,
      { action: "link", link: hash },
      "/verify-email",
    );
    expect([forced.response.status, forced.location]).toEqual([303, "/sign-in/confirm?next=%2Fverify-email"]);
    expect(await emailNow()).toBe(ada.email);

    const asking = await thief.get(forced.location);
    await thief.submit(asking.html, { password: PASSWORD });
    await thief.submit((await thief.get("/verify-email")).html, { action: "link" });
    expect(await emailNow()).toBe(to);
  });
});
