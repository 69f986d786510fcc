import { type Behaviour, newAuthenticator } from "@gatehouse/accounts/testing";
import { ACR } from "@gatehouse/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, ceremonyOf, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

const ISSUER = "http://localhost:3000";
let pages: Pages;
let number = 0;
const newAddress = () => `signs-up-${++number}@example.com`;
const accountOf = (email: string) => pages.app.deps.people.findAccountByEmail(email);
const passkeysOf = async (email: string) =>
  pages.app.deps.people.listPasskeys((await accountOf(email))?.id ?? expect.fail("no such account"));

async function signUp(
  browser: Browser,
  email: string,
  authenticator = newAuthenticator(ISSUER),
  { name = "Ada", ...change }: Behaviour & { name?: string } = {},
) {
  const { html, options } = ceremonyOf((await browser.get("/sign-up")).html, "create");
  return browser.submit(html, { name, email, credential: authenticator.create(options, change) });
}

async function signsIn(authenticator: ReturnType<typeof newAuthenticator>): Promise<string | undefined> {
  const browser = pages.newBrowser();
  const { html, options } = ceremonyOf((await browser.get("/sign-in")).html, "get");
  await browser.submit(html, { credential: authenticator.get(options) });
  return (await browser.session())?.user.email;
}

describe("RG-02 WA-07 signing up with a passkey, where the account exists at once", () => {
  beforeAll(async () => {
    pages = await openPages({ variables: { GATEHOUSE_EMAIL_VERIFICATION: "later" } });
  });
  afterAll(() => pages.close());

  test("makes an account whose only way in is the passkey, with its address unproved", async () => {
    const [email, browser, authenticator] = [newAddress(), pages.newBrowser(), newAuthenticator(ISSUER)];
    const done = await signUp(browser, email, authenticator);
    expect([done.response.status, done.location]).toEqual([303, "/account"]);
    expect(await accountOf(email)).toMatchObject({
      name: "Ada",
      passwordHash: null,
      emailVerifiedAt: null,
      role: "user",
    });
    expect(await passkeysOf(email)).toMatchObject([{ credentialId: authenticator.credentialId }]);
    expect((await browser.session())?.session).toMatchObject({ method: "sign_up", acr: ACR.phr });
    expect(await signsIn(authenticator)).toBe(email);
  });

  test("a taken address is refused, and its account is as before", async () => {
    const { email, id } = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    const refused = await signUp(browser, email);
    expect([refused.response.status, refused.html]).toEqual([400, expect.stringContaining("can't sign up")]);
    expect([await browser.session(), await pages.app.deps.people.listPasskeys(id)]).toEqual([undefined, []]);
  });

  test.each<[string, Behaviour]>([
    ["does not verify its user", { uv: false }],
    ["is for another origin", { origin: "https://evil.example" }],
    ["answers another challenge", { challenge: "b3RoZXI" }],
  ])("WA-06 one that %s makes no account", async (_, change) => {
    const [email, browser] = [newAddress(), pages.newBrowser()];
    expect((await signUp(browser, email, newAuthenticator(ISSUER), change)).response.status).toBe(400);
    expect([await accountOf(email), await browser.session()]).toEqual([undefined, undefined]);
  });

  test("WA-05 a challenge of another browser makes no account", async () => {
    const [email, browser] = [newAddress(), pages.newBrowser()];
    const other = ceremonyOf((await pages.newBrowser().get("/sign-up")).html, "create");
    const { html } = ceremonyOf((await browser.get("/sign-up")).html, "create");
    const credential = newAuthenticator(ISSUER).create(other.options);
    const refused = await browser.submit(html, { name: "Ada", email, challenge: other.challenge, credential });
    expect([refused.response.status, await accountOf(email)]).toEqual([400, undefined]);
  });

  test("WA-06 a passkey that somebody has makes no account", async () => {
    const authenticator = newAuthenticator(ISSUER);
    await signUp(pages.newBrowser(), newAddress(), authenticator);
    const email = newAddress();
    expect((await signUp(pages.newBrowser(), email, authenticator)).response.status).toBe(400);
    expect(await accountOf(email)).toBeUndefined();
  });

  test.each([
    ["name", { name: " " }, "Enter a name"],
    ["address", { email: "nobody" }, "Enter an email address"],
  ])("a wrong %s is said at the form, and uses up no challenge", async (_, wrong, words) => {
    const browser = pages.newBrowser();
    const { html, options } = ceremonyOf((await browser.get("/sign-up")).html, "create");
    const right = { name: "Ada", email: newAddress(), credential: newAuthenticator(ISSUER).create(options) };
    const refused = await browser.submit(html, { ...right, ...wrong });
    expect([refused.response.status, refused.html]).toEqual([400, expect.stringContaining(words)]);
    expect((await browser.submit(html, right)).response.status).toBe(303);
  });

  test("WA-11 posted empty, as without scripts: 400 that says why, and the password works", async () => {
    const browser = pages.newBrowser();
    const { html } = ceremonyOf((await browser.get("/sign-up")).html, "create");
    const empty = await browser.submit(html, {});
    expect([empty.response.status, empty.html]).toEqual([400, expect.stringContaining("needs JavaScript")]);
    const email = newAddress();
    expect((await browser.submit(empty.html, { name: "Ada", email, password: PASSWORD })).response.status).toBe(303);
    expect(await passkeysOf(email)).toEqual([]);
  });
});

describe("RG-03 signing up with a passkey, where the address is proved first", () => {
  beforeAll(async () => {
    pages = await openPages({ variables: { GATEHOUSE_EMAIL_VERIFICATION: "first" } });
  });
  afterAll(() => pages.close());

  const codeFor = (email: string) => pages.mailed("sign_up_code", email).code ?? "";

  test("there is no account before the code; with it, the passkey is its only way in", async () => {
    const [email, browser, authenticator] = [newAddress(), pages.newBrowser(), newAuthenticator(ISSUER)];
    const asked = await signUp(browser, email, authenticator);
    expect([asked.response.status, await accountOf(email), await browser.session()]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    expect(await signsIn(authenticator)).toBeUndefined();

    const done = await browser.submit(asked.html, { action: "code", code: codeFor(email) });
    expect(done.location).toBe("/account");
    expect(await accountOf(email)).toMatchObject({ passwordHash: null, emailVerifiedAt: pages.clock.now });
    expect((await browser.session())?.session).toMatchObject({ method: "sign_up", acr: ACR.phr });
    expect(await signsIn(authenticator)).toBe(email);
  });

  test("another code that is mailed later makes the account with the same passkey", async () => {
    const [email, browser, authenticator] = [newAddress(), pages.newBrowser(), newAuthenticator(ISSUER)];
    const asked = await signUp(browser, email, authenticator);
    const again = await browser.submit(asked.html, { action: "send" });
    await browser.submit(again.html, { action: "code", code: codeFor(email) });
    expect(await signsIn(authenticator)).toBe(email);
  });

  test("N42 a taken address gets the page of a free one, and its account no passkey", async () => {
    const { email, id } = await pages.account({ totp: false });
    const [free, taken] = [pages.newBrowser(), pages.newBrowser()];
    const [one, other] = [await signUp(free, "free-one@example.com"), await signUp(taken, email)];
    const shape = (html: string, address: string) =>
      html.replaceAll(address, "…").replaceAll(/name="(csrf|challenge)" value="[^"]*"/g, "");
    expect(other.response.status).toBe(one.response.status);
    expect(shape(other.html, email)).toBe(shape(one.html, "free-one@example.com"));
    expect(await pages.app.deps.people.listPasskeys(id)).toEqual([]);
    expect(pages.mailed("sign_up_code", email).code).toBeUndefined();
  });

  test("RG-04 N43 the link in another browser asks for a passkey or password of its own; the first passkey never works", async () => {
    const [email, theirs, own] = [newAddress(), newAuthenticator(ISSUER), newAuthenticator(ISSUER)];
    await signUp(pages.newBrowser(), email, theirs, { name: "Mallory" });
    const owner = pages.newBrowser();
    await owner.get(pages.mailedPath("sign_up_code", email));
    const page = await owner.get("/verify-email");
    expect(page.html).not.toContain("Mallory");
    const { html, options } = ceremonyOf(page.html, "create");
    const done = await owner.submit(html, { name: "Ada", credential: own.create(options) });
    expect([done.location, (await owner.session())?.user]).toEqual([
      "/account",
      expect.objectContaining({ email, name: "Ada" }),
    ]);
    expect([await signsIn(own), await signsIn(theirs)]).toEqual([email, undefined]);
  });

  test("RG-05 a passkey of an account whose address nobody proved goes with it", async () => {
    const [email, theirs] = [newAddress(), newAuthenticator(ISSUER)];
    pages.app.deps.accounts.emailVerification = "later";
    await signUp(pages.newBrowser(), email, theirs);
    pages.app.deps.accounts.emailVerification = "first";
    const owner = pages.newBrowser();
    const { html, options } = ceremonyOf((await owner.get("/sign-up")).html, "create");
    const own = newAuthenticator(ISSUER);
    const asked = await owner.submit(html, { name: "Ada", email, credential: own.create(options) });
    await owner.submit(asked.html, { action: "code", code: codeFor(email) });
    expect([await signsIn(own), await signsIn(theirs)]).toEqual([email, undefined]);
  });
});
