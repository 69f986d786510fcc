import { replaceRecoveryCodes } from "@gatehouse/accounts";
import { type Behaviour, newAuthenticator } from "@gatehouse/accounts/testing";
import { ACR, sessionCookie, startSession } from "@gatehouse/auth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Browser, ceremonyOf, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

const ISSUER = "http://localhost:3000";
const ADD = "/account/security/passkeys";
const NEW_PASSWORD = "a password that mail alone must not set";
const LOST = "You have no recovery codes.";

type Account = Awaited<ReturnType<Pages["account"]>>;

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.clock.now += 3600;
});

async function signIn({ email, code }: Account): Promise<Browser> {
  const browser = pages.newBrowser();
  const { location } = await browser.post("/sign-in", { email, password: PASSWORD });
  if (location.startsWith("/sign-in/second-step")) await browser.post(location, { code: code() });
  return browser;
}

async function addPasskey(browser: Browser, defaults: Behaviour = {}) {
  const authenticator = newAuthenticator(ISSUER, defaults);
  const { html, options } = ceremonyOf((await browser.get(ADD)).html, "create");
  expect((await browser.submit(html, { credential: authenticator.create(options) })).response.status).toBe(303);
  return authenticator;
}

/** A browser with a session as a mailed code begins it. */
async function mailedSession({ id }: Account): Promise<Browser> {
  const { deps } = pages.app;
  const user = await deps.people.findAccount(id);
  if (!user) throw new Error("no such account");
  const proof = {
    method: "email_code",
    acr: ACR.email,
    amr: ["email"],
    authTime: pages.clock.now,
    secondAt: null,
  } as const;
  const start = { user, proof: { ...proof, amr: ["email"] }, userAgent: null, address: null, persistent: true };
  const { session, secret } = await startSession(start, deps);
  const browser = pages.newBrowser();
  const [name = "", value = ""] = sessionCookie(secret, session, deps.config).split(/[=;]/);
  browser.cookies.set(name, value);
  return browser;
}

/** Of every user so far: each test has its own. */
const withoutPassword = () => pages.app.deps.db.update(pages.app.deps.db.tables.users).set({ passwordHash: null });
const recoveryCodes = async ({ id }: Account) => {
  const owner = await pages.app.deps.people.findAccount(id);
  const by = { source: { userAgent: null, address: null }, locale: "en" };
  return (owner && (await replaceRecoveryCodes(owner, by, pages.app.deps))) ?? [];
};
const hasPassword = async ({ id }: Account) => (await pages.app.deps.people.findResetFacts(id)).hasPassword;
const passkeysOf = ({ id }: Account) => pages.app.deps.people.listPasskeys(id);
const eventsOf = async ({ id }: Account) => {
  const { db } = pages.app.deps;
  const { tables } = db;
  return (await db.select().from(tables.accountEvents)).filter(({ userId }) => userId === id).map(({ kind }) => kind);
};
const mailsTo = async ({ email }: Account) => {
  const { db } = pages.app.deps;
  const { tables } = db;
  return (await db.select().from(tables.mails)).filter(({ recipient }) => recipient === email).map(({ kind }) => kind);
};

describe("SN-03 WA-03 an account with a password and a passkey", () => {
  test("the session that added a passkey has a fresh sign-in, at the level of the passkey", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    await addPasskey(browser);
    expect((await browser.get(ADD)).response.status).toBe(200);
    expect((await browser.session())?.session.acr).toBe(ACR.phr);
  });

  test.each([
    ["a phished password", { totp: false }],
    ["a phished password and code of the app", { totp: true }],
  ])("%s adds no passkey, and confirms nothing", async (_, enrolled) => {
    const ada = await pages.account(enrolled);
    await addPasskey(await signIn(ada));
    pages.clock.now += 60;
    const attacker = await signIn(ada);
    const away = await attacker.get(ADD);
    expect(away.location).toMatch(/^\/sign-in\/confirm\?/);

    const page = await attacker.get(away.location);
    expect(page.html).toContain("Confirm it's you with your passkey");
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
    pages.clock.now += 60;
    const tries: Record<string, string>[] = [
      { password: PASSWORD },
      { password: PASSWORD, code: ada.code() },
      { code: ada.code() },
    ];
    for (const fields of tries) await attacker.submit("", { csrf, ...fields }, "/sign-in/confirm");
    expect((await attacker.get(ADD)).location).toMatch(/^\/sign-in\/confirm\?/);
    expect(await passkeysOf(ada)).toHaveLength(1);
  });

  test("the passkey confirms", async () => {
    const ada = await pages.account({ totp: false });
    const authenticator = await addPasskey(await signIn(ada));
    const browser = await signIn(ada);
    const { html, options } = ceremonyOf((await browser.get((await browser.get(ADD)).location)).html, "get");
    expect((await browser.submit(html, { credential: authenticator.get(options) })).location).toBe(ADD);
    expect((await browser.get(ADD)).response.status).toBe(200);
  });

  test("MF-07 on a device without it, a password and a recovery code confirm", async () => {
    const ada = await pages.account({ totp: false });
    await addPasskey(await signIn(ada));
    const [code = ""] = await recoveryCodes(ada);
    const browser = await signIn(ada);
    pages.clock.now += 660;
    const page = await browser.get((await browser.get(ADD)).location);
    expect(page.html).toContain("Is your passkey on another device?");
    const typed = page.html.slice(page.html.indexOf("<h2>Use a recovery code"));
    expect(
      (await browser.submit(typed, { password: PASSWORD, code: "AAAA" }, "/sign-in/confirm")).response.status,
    ).toBe(400);
    expect((await browser.submit(typed, { password: PASSWORD, code }, "/sign-in/confirm")).location).toBe(ADD);
    expect((await browser.get(ADD)).response.status).toBe(200);
    expect((await browser.session())?.session.acr).toBe(ACR.mfa);
  });

  test("MF-07 without recovery codes, the page says what to do", async () => {
    const ada = await pages.account({ totp: false });
    await addPasskey(await signIn(ada));
    const browser = await signIn(ada);
    const { html } = await browser.get((await browser.get(ADD)).location);
    expect(html).toContain(LOST);
    expect(html).not.toContain('name="code"');
  });
});

describe("FP-07 MF-06 MF-07 a session by mailed code", () => {
  const setPassword = (browser: Browser, csrf: string) =>
    browser.submit("", { csrf, password: NEW_PASSWORD }, "/account/password");
  const csrfOf = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";

  test("sets no password on an account that signs in with a passkey, until a recovery code is added", async () => {
    const ada = await pages.account({ totp: false });
    await addPasskey(await signIn(ada));
    await withoutPassword();
    const browser = await mailedSession(ada);
    const away = await browser.get("/account/password");
    expect(away.location).toMatch(/^\/sign-in\/confirm\?/);
    const page = await browser.get(away.location);
    expect(page.html).toContain(LOST);
    expect((await setPassword(browser, csrfOf(page.html))).location).toMatch(/^\/sign-in\/confirm\?/);
    expect(await hasPassword(ada)).toBe(false);

    const [code = ""] = await recoveryCodes(ada);
    const confirmed = await browser.submit(
      "",
      { csrf: csrfOf(page.html), code, next: "/account/password" },
      "/sign-in/confirm",
    );
    expect(confirmed.location).toBe("/account/password");
    const form = await browser.get("/account/password");
    await setPassword(browser, csrfOf(form.html));
    expect(await hasPassword(ada)).toBe(true);
  });

  test("is asked for the password, if there is one, and then has its level", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await mailedSession(ada);
    const away = await browser.get(ADD);
    expect(away.location).toMatch(/^\/sign-in\/confirm\?/);
    await browser.post(away.location, { password: PASSWORD });
    expect((await browser.get(ADD)).response.status).toBe(200);
    expect((await browser.session())?.session).toMatchObject({ acr: ACR.password, amr: ["email", "pwd"] });
  });
});

describe("N58 another user's passkey", () => {
  test("does not take the second step of a sign-in", async () => {
    const [ada, eve] = [await pages.account(), await pages.account({ totp: false })];
    await addPasskey(await signIn(ada));
    const eves = await addPasskey(await signIn(eve));
    pages.clock.now += 60;
    const browser = pages.newBrowser();
    const { location } = await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    for (const change of [{}, { userHandle: null }]) {
      const { html, options } = ceremonyOf((await browser.get(location)).html, "get");
      const { response } = await browser.submit(html, { credential: eves.get(options, change) });
      expect([response.status, await browser.session()]).toEqual([400, undefined]);
    }
  });

  test("confirms nothing", async () => {
    const [ada, eve] = [await pages.account({ totp: false }), await pages.account({ totp: false })];
    await addPasskey(await signIn(ada));
    const eves = await addPasskey(await signIn(eve));
    const browser = await signIn(ada);
    const { location } = await browser.get(ADD);
    for (const change of [{}, { userHandle: null }]) {
      const { html, options } = ceremonyOf((await browser.get(location)).html, "get");
      expect((await browser.submit(html, { credential: eves.get(options, change) })).response.status).toBe(400);
    }
    expect((await browser.get(ADD)).location).toMatch(/^\/sign-in\/confirm\?/);
  });
});

describe("N60 WA-08 a counter that does not rise", () => {
  async function use(authenticator: ReturnType<typeof newAuthenticator>, counter: number) {
    const browser = pages.newBrowser();
    const { html, options } = ceremonyOf((await browser.get("/sign-in")).html, "get");
    const { response } = await browser.submit(html, { credential: authenticator.get(options, { counter }) });
    return [response.status, (await browser.session()) !== undefined];
  }

  test("is refused for a passkey on one device, with an event and a mail to its owner", async () => {
    const ada = await pages.account({ totp: false });
    const authenticator = await addPasskey(await signIn(ada), { counter: 7 });
    expect(await use(authenticator, 3)).toEqual([400, false]);
    expect((await eventsOf(ada)).filter((kind) => kind.startsWith("passkey_c"))).toEqual(["passkey_cloned"]);
    expect(await mailsTo(ada)).toContain("passkey_cloned");
  });

  test("is accepted for a synced passkey, with an event and no mail", async () => {
    const ada = await pages.account({ totp: false });
    const authenticator = await addPasskey(await signIn(ada), { counter: 7, be: true, bs: true });
    expect(await use(authenticator, 3)).toEqual([303, true]);
    expect((await eventsOf(ada)).filter((kind) => kind.startsWith("passkey_c"))).toEqual(["passkey_counter_lower"]);
    expect(await mailsTo(ada)).not.toContain("passkey_cloned");
  });
});

describe("WA-13 the offer of a passkey", () => {
  const OFFER = "/sign-in/passkey-offer";

  test("comes after the second step too, once a month, and leads on", async () => {
    const ada = await pages.account();
    const browser = pages.newBrowser();
    const enter = () =>
      browser.post("/sign-in?next=%2Faccount%3Fo", { email: ada.email, password: PASSWORD, passkeys: "available" });
    const offered = await browser.post((await enter()).location, { code: ada.code() });
    expect([offered.response.status, offered.location]).toEqual([303, `${OFFER}?next=%2Faccount%3Fo`]);
    expect(await browser.session()).toBeDefined();
    const page = await browser.get(offered.location);
    const skipped = page.html.slice(page.html.lastIndexOf("<form", page.html.indexOf('value="skip"')));
    expect((await browser.submit(skipped, { action: "skip" })).location).toBe("/account?o");

    pages.clock.now += 60;
    expect((await browser.post((await enter()).location, { code: ada.code() })).location).toBe("/account?o");
  });

  test("does not come where the device makes none, or the account has one", async () => {
    const ada = await pages.account();
    const browser = pages.newBrowser();
    const first = await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    expect((await browser.post(first.location, { code: ada.code() })).location).toBe("/account");
    await addPasskey(browser);
    pages.clock.now += 60;
    const second = await browser.post("/sign-in", { email: ada.email, password: PASSWORD, passkeys: "available" });
    expect((await browser.post(second.location, { code: ada.code() })).location).toBe("/account");
  });
});
