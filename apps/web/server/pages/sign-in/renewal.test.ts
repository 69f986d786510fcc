import { newAuthenticator } from "@gatehouse/accounts/testing";
import { startUpstreamServer, type UpstreamServer } from "@gatehouse/accounts/testing/upstream";
import { ACR } from "@gatehouse/auth";
import { createSignInProvider } from "@gatehouse/console/sign-in-providers/providers";
import { seedApplication } from "@gatehouse/console/testing/installation";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Browser, ceremonyOf, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

const ISSUER = "http://localhost:3000";
const CALLBACK = "http://localhost:4000/callback";
const CONFIRM = /^\/sign-in\/confirm\?request=/;
const OPERATOR = { id: "cli", name: "operator", role: "admin", via: "cli", freshSince: null, address: null } as const;

type Account = Awaited<ReturnType<Pages["account"]>>;

let pages: Pages;
let number = 0;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.clock.now += 3600;
});

async function signIn({ email, code }: Account, more: Record<string, string> = {}): Promise<Browser> {
  const browser = pages.newBrowser();
  const { location } = await browser.post("/sign-in", { email, password: PASSWORD, ...more });
  if (location.startsWith("/sign-in/second-step")) await browser.post(location, { code: code() });
  pages.clock.now += 660;
  return browser;
}

/** A right request of a client of its own, which nobody has allowed anything yet. */
async function request(change: Record<string, string>): Promise<string> {
  const { clientId } = await seedApplication(pages.app.deps, `Renewing ${++number}`);
  const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
  const rest = { response_type: "code", redirect_uri: CALLBACK, scope: "api:read", state: "s1" };
  return `/authorize?${new URLSearchParams({ client_id: clientId, ...rest, ...pkce, ...change })}`;
}

describe("OI-03 AL-03 a request that asks a signed-in user for a new sign-in", () => {
  test.each([{ max_age: "0" }, { max_age: "600" }, { prompt: "login" }])(
    "%j names the user, asks for the password alone and goes on with the request",
    async (asks) => {
      const ada = await pages.account({ totp: false });
      const browser = await signIn(ada);
      const before = (await browser.session())?.session;
      const away = await browser.get(await request(asks));
      expect(away.location).toMatch(CONFIRM);

      const page = await browser.get(away.location);
      expect(page.html).toContain(ada.email);
      expect(page.html).toContain(`<bdi>Renewing ${number}</bdi> asks you`);
      expect(
        [...page.html.matchAll(/<input(?! type="hidden")(?![^>]* hidden)[^>]*name="([^"]+)"/g)].map(([, name]) => name),
      ).toEqual(["password"]);
      expect(page.html).not.toContain("/sign-up");

      const done = await browser.submit(page.html, { password: PASSWORD });
      expect(done.location).toMatch(/^\/consent\?request=/);
      const after = (await browser.session())?.session;
      expect(after?.id).not.toBe(before?.id);
      expect(after?.authTime).toBe(pages.clock.now);
    },
  );

  test("a wrong password renews nothing, and keeps the request", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada);
    const before = (await browser.session())?.session;
    const { location } = await browser.get(await request({ prompt: "login" }));
    const wrong = await browser.post(location, { password: "wrong" });
    expect([wrong.response.status, wrong.html]).toEqual([400, expect.stringContaining("Incorrect password.")]);
    expect((await browser.session())?.session).toMatchObject({ id: before?.id, authTime: before?.authTime });
    expect((await browser.submit(wrong.html, { password: PASSWORD })).location).toMatch(/^\/consent\?request=/);
  });

  test("an address in the form signs nobody else in", async () => {
    const [ada, eve] = [await pages.account({ totp: false }), await pages.account({ totp: false })];
    const browser = await signIn(ada);
    const { location } = await browser.get(await request({ prompt: "login" }));
    await browser.post(location, { email: eve.email, user: eve.id, password: PASSWORD });
    expect((await browser.session())?.user.id).toBe(ada.id);
  });

  test("MF-08 an account with an app is asked for the code next, in remembered browsers too", async () => {
    const ada = await pages.account();
    const browser = pages.newBrowser();
    const step = await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    await browser.post(step.location, { code: ada.code(), remember: "1" });
    pages.clock.now += 660;
    const before = (await browser.session())?.session;
    const away = await browser.get(await request({ max_age: "0" }));
    const password = await browser.post(away.location, { password: PASSWORD });
    expect(password.location).toMatch(/^\/sign-in\/second-step\?request=/);
    expect((await browser.session())?.session.authTime).toBe(before?.authTime);
    expect((await browser.post(password.location, { code: ada.code() })).location).toMatch(/^\/consent\?request=/);
    expect((await browser.session())?.session).toMatchObject({ acr: ACR.mfa, authTime: pages.clock.now });
  });

  test("a password does not renew the level of a passkey", async () => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const { html, options } = ceremonyOf((await browser.get("/account/security/passkeys")).html, "create");
    const authenticator = newAuthenticator(ISSUER);
    await browser.submit(html, { credential: authenticator.create(options) });
    expect((await browser.session())?.session.acr).toBe(ACR.phr);
    pages.clock.now += 660;

    await browser.post((await browser.get(await request({ max_age: "0" }))).location, { password: PASSWORD });
    expect((await browser.session())?.session.acr).toBe(ACR.password);

    const page = await browser.get((await browser.get(await request({ max_age: "0" }))).location);
    const ceremony = ceremonyOf(page.html, "get");
    const done = await browser.submit(ceremony.html, { credential: authenticator.get(ceremony.options) });
    expect(done.location).toMatch(/^\/consent\?request=/);
    expect((await browser.session())?.session.acr).toBe(ACR.phr);
  });

  test("N58 another user's passkey renews nothing", async () => {
    const [ada, eve] = [await pages.account({ totp: false }), await pages.account({ totp: false })];
    const passkeys = await Promise.all(
      [ada, eve].map(async ({ email }) => {
        const browser = pages.newBrowser();
        await browser.post("/sign-in", { email, password: PASSWORD });
        const { html, options } = ceremonyOf((await browser.get("/account/security/passkeys")).html, "create");
        const authenticator = newAuthenticator(ISSUER);
        await browser.submit(html, { credential: authenticator.create(options) });
        return authenticator;
      }),
    );
    const browser = await signIn(ada);
    const page = await browser.get((await browser.get(await request({ max_age: "0" }))).location);
    const { html, options } = ceremonyOf(page.html, "get");
    const refused = await browser.submit(html, { credential: passkeys[1]?.get(options) ?? "" });
    expect([refused.response.status, (await browser.session())?.user.id]).toEqual([400, ada.id]);
  });

  test("SN-02 a session that ends with the browser is followed by one that does", async () => {
    const ada = await pages.account({ totp: false });
    const browser = await signIn(ada, { keep: "no" });
    await browser.post((await browser.get(await request({ prompt: "login" }))).location, { password: PASSWORD });
    expect((await browser.session())?.session.persistent).toBe(false);
  });

  test.each([
    ["a choice of the account", { prompt: "login select_account" }, "/sign-in"],
    ["a new account", { prompt: "create" }, "/sign-up"],
    ["another address", { prompt: "login", login_hint: "somebody@example.com" }, "/sign-in"],
  ])("D15 a request for %s leads to the page that asks who it is", async (_, asks, path) => {
    const browser = await signIn(await pages.account({ totp: false }));
    const { location } = await browser.get(await request(asks));
    expect(location.split("?")[0]).toBe(path);
  });

  test("D15 'Not you?' ends the session, and the request goes on with whoever signs in", async () => {
    const [ada, eve] = [await pages.account({ totp: false }), await pages.account({ totp: false })];
    const browser = await signIn(ada);
    const page = await browser.get((await browser.get(await request({ prompt: "login" }))).location);
    const [form = ""] = /<form[^>]*action="\/sign-out"[\s\S]*?<\/form>/.exec(page.html) ?? [];
    const restarted = await browser.submit(form.replace("/sign-out", "/leave"), {}, "/sign-out");
    expect(await browser.session()).toBeUndefined();
    const start = await browser.get(restarted.location);
    expect(start.location).toMatch(/^\/sign-in\?request=/);
    const done = await browser.post(start.location, { email: eve.email, password: PASSWORD });
    expect([done.location, (await browser.session())?.user.id]).toEqual([
      expect.stringMatching(/^\/consent\?request=/),
      eve.id,
    ]);
  });

  test("D15 a session that has ended meanwhile leads to the sign-in page with the request", async () => {
    const browser = await signIn(await pages.account({ totp: false }));
    const { location } = await browser.get(await request({ prompt: "login" }));
    browser.cookies.clear();
    expect((await browser.get(location)).location).toMatch(/^\/sign-in\?request=/);
  });
});

describe("UP-13 a new sign-in at a provider", () => {
  let corp: UpstreamServer;
  beforeAll(async () => {
    corp = await startUpstreamServer("corp-client");
    const draft = { id: "corp", name: "Corp", preset: "oidc", clientId: "corp-client" } as const;
    const settings = { trustEmail: true };
    await createSignInProvider(
      { ...draft, secret: corp.clientSecret, issuer: corp.issuer, settings },
      OPERATOR,
      pages.app.deps,
    );
  });
  afterAll(() => corp?.close());

  function comeBack(browser: Browser, location: string, sub: string, authTime: number) {
    const sent = new URL(location).searchParams;
    const times = { iat: pages.clock.now, exp: pages.clock.now + 300, auth_time: authTime };
    const email = `${sub}@corp.example`;
    corp.forge({ claims: { nonce: sent.get("nonce"), sub, email, email_verified: true, ...times } });
    return browser.get(
      `/sign-in/with/corp/callback?${new URLSearchParams({ code: "c", state: sent.get("state") ?? "" })}`,
    );
  }

  test("is of the same user alone: anybody else there changes nothing, and is told", async () => {
    const browser = pages.newBrowser();
    const start = await browser.submit((await browser.get("/sign-in")).html, {}, "/sign-in/with/corp");
    await comeBack(browser, start.location, "ada", pages.clock.now);
    const ada = (await browser.session())?.user.id;
    expect(ada).toBeDefined();
    pages.clock.now += 660;

    const { location } = await browser.get(await request({ prompt: "login" }));
    const page = await browser.get(location);
    expect(page.html).toContain("Continue with Corp");
    expect(page.html).not.toContain('type="password"');
    const sent = await browser.submit(page.html, { provider: "corp" });
    expect(new URL(sent.location).searchParams.get("prompt")).toBe("login");
    const other = await comeBack(browser, sent.location, "eve", pages.clock.now);
    expect(other.location).toMatch(CONFIRM);
    expect((await browser.get(other.location)).html).toContain("connected to your account");
    expect((await browser.session())?.user.id).toBe(ada);

    const again = await browser.submit(page.html, { provider: "corp" });
    const done = await comeBack(browser, again.location, "ada", pages.clock.now);
    expect(done.location).toMatch(/^\/consent\?request=/);
    expect((await browser.session())?.session.authTime).toBe(pages.clock.now);
  });
});
