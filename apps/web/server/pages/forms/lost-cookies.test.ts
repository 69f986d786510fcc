import { deviceAuthorization } from "@gatehouse/auth";
import { registerClient } from "@gatehouse/console/clients/register";
import { ADMIN, seedApplication, webClient } from "@gatehouse/console/testing/installation";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, type Browser, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

// A browser whose cookies were cleared between a page and the post of its form.
const LOST = "no longer had the cookies";

let pages: Pages;
let clientId: string;
let deviceId: string;

beforeAll(async () => {
  pages = await openPages({ variables: { GATEHOUSE_EMAIL_SIGN_IN: "on" } });
  const seeded = await seedApplication(pages.app.deps);
  clientId = seeded.clientId;
  const grantTypes = ["urn:ietf:params:oauth:grant-type:device_code"] as const;
  const device = webClient({ type: "device", redirectUris: [], scopes: ["api:read"], grantTypes: [...grantTypes] });
  deviceId = (
    await registerClient({ ...device, applicationId: seeded.applicationId, name: "TV" }, ADMIN, pages.app.deps)
  ).client.clientId;
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.clock.now += 3600;
});

const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
const request = { redirect_uri: "http://localhost:4000/callback", scope: "api:read", state: "s1", ...pkce };
const authorizePath = () =>
  `/authorize?${new URLSearchParams({ response_type: "code", client_id: clientId, ...request })}`;

/** Follows redirects of our own. */
async function follow(browser: Browser, answer: Answer): Promise<Answer> {
  let current = answer;
  while (current.location.startsWith("/")) current = await browser.get(current.location);
  return current;
}
const open = async (browser: Browser, path: string) => follow(browser, await browser.get(path));
/** Signs in on the page, allows what the next one asks for, and returns where that leads. */
async function finish(browser: Browser, html: string, ada: { email: string }): Promise<string> {
  const consent = await follow(
    browser,
    await browser.submit(html, { email: ada.email, password: PASSWORD }, "/sign-in"),
  );
  return (await browser.submit(formAt(consent.html, "/consent"), { decision: "allow" })).location;
}
const formAt = (html: string, path: string) => html.slice(html.lastIndexOf("<form", html.indexOf(`action="${path}`)));
const codes = async () => {
  const { db } = pages.app.deps;
  const { tables } = db;
  return (await db.select().from(tables.authorizationCodes)).length + (await db.select().from(tables.grants)).length;
};
const RETURN = /^http:\/\/localhost:4000\/callback\?code=gac_[^&]+&state=s1/;

describe("SE-09 a form whose cookies were lost does nothing, and is shown again with its pending request", () => {
  test.each([
    ["sign-in", "/sign-in"],
    ["the button that mails a code", "/sign-in/code"],
    ["a provider's button", "/sign-in/with/none"],
    ["a passkey", "/sign-in/passkey"],
    ["a new browser's code", "/sign-in/new-browser"],
    ["a required new password", "/sign-in/new-password"],
    ["the offer to restore", "/sign-in/restore"],
    ["the second step", "/sign-in/second-step"],
    ["forgot password", "/forgot-password"],
    ["sign-up", "/sign-up"],
    ["the language switch", "/language"],
  ])("%s: twice without cookies, then with them", async (_, path) => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    const page = await open(browser, authorizePath());
    const before = await codes();
    const fields = {
      email: ada.email,
      password: PASSWORD,
      name: "Ada",
      action: "send",
      back: "/sign-in",
      locale: "de",
    };
    let html = page.html;
    for (let blocked = 0; blocked < 2; blocked++) {
      browser.cookies.clear();
      const answer = await browser.submit(html, fields, path);
      expect([403, 303]).toContain(answer.response.status);
      const again = await follow(browser, answer);
      if (answer.response.status === 403) expect(again.html).toContain(LOST);
      expect(again.html).toMatch(/name="request" value="[\w.-]{40}/);
      expect([await browser.session(), await codes()]).toEqual([undefined, before]);
      html = again.html;
    }
    expect(await finish(browser, html, ada)).toMatch(RETURN);
  });

  test("consent: the session is gone, so a sign-in comes first, and the request goes on", async () => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const consent = await open(browser, authorizePath());
    const before = await codes();
    browser.cookies.clear();
    const again = await follow(browser, await browser.submit(formAt(consent.html, "/consent"), { decision: "allow" }));
    expect([await codes(), again.html.includes('action="/sign-in"')]).toEqual([before, true]);
    expect(await finish(browser, again.html, ada)).toMatch(RETURN);
  });

  test.each([
    ["Allow", "/consent", { decision: "allow" }],
    ["Not you?", "/sign-out", {}],
  ])(
    "consent, in a browser whose session got a new secret: %s shows the page again, and ends and grants nothing",
    async (_, path, fields) => {
      const ada = await pages.account({ totp: false });
      const [browser, other] = [pages.newBrowser(), pages.newBrowser()];
      await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
      const consent = await open(browser, authorizePath());
      await other.post("/sign-in", { email: ada.email, password: PASSWORD });
      const before = await codes();
      const [mine] = [new Map(browser.cookies)];
      for (const [name, value] of other.cookies) browser.cookies.set(name, value);
      await follow(browser, await browser.submit(formAt(consent.html, path), fields));
      expect([await codes(), await browser.session()]).toEqual([before, expect.anything()]);
      browser.cookies.clear();
      for (const [name, value] of mine) browser.cookies.set(name, value);
      expect((await browser.submit(formAt(consent.html, "/consent"), { decision: "allow" })).location).toMatch(RETURN);
    },
  );

  test("a device's page: its code comes back after the sign-in", async () => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const asked = new Request("http://localhost:3000/device_authorization", {
      method: "POST",
      body: new URLSearchParams({ client_id: deviceId }),
    });
    const { user_code: code } = await (
      await deviceAuthorization(asked, pages.app.deps, { address: "192.0.2.1" })
    ).json();
    const page = await browser.get(`/device?user_code=${code}`);
    browser.cookies.clear();
    const again = await follow(browser, await browser.submit(formAt(page.html, "/device"), { decision: "allow" }));
    const back = await browser.submit(again.html, { email: ada.email, password: PASSWORD }, "/sign-in");
    expect(back.location).toBe(`/device?user_code=${code}`);
  });

  test("the question of a logout, in a browser with another session: the question again, and nothing ends", async () => {
    const ada = await pages.account({ totp: false });
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const asked = await browser.get("/logout");
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const again = await browser.submit(formAt(asked.html, "/logout"), {});
    expect([again.response.status, again.html.includes(LOST), await browser.session()]).toEqual([
      403,
      true,
      expect.anything(),
    ]);
    await browser.submit(formAt(again.html, "/logout"), {});
    expect(await browser.session()).toBeUndefined();
  });

  test("N16 an altered token, or a post from another site, gets the error page and no form", async () => {
    const browser = pages.newBrowser();
    const { html } = await open(browser, authorizePath());
    const altered = await browser.submit(html, { email: "a@example.com", password: PASSWORD, csrf: "x" }, "/sign-in");
    browser.cookies.clear();
    const foreign = await browser.submit(html, { email: "a@example.com", password: PASSWORD }, "/sign-in", {
      "sec-fetch-site": "cross-site",
    });
    for (const answer of [altered, foreign]) {
      expect([answer.response.status, answer.html.includes("<form")]).toEqual([403, false]);
    }
  });
});
