import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieNamed, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages({ variables: { GATEHOUSE_EMAIL_SIGN_IN: "on" } });
});
afterAll(() => pages.close());

test("AB-03 AB-07 a browser that signed in before gets a code although strangers asked for many, and a new browser does not", async () => {
  const ada = await pages.account({ totp: false });
  const known = pages.newBrowser();
  await known.post("/sign-in", { email: ada.email, password: PASSWORD });
  known.cookies.delete(cookieNamed("session"));
  const ask = async (browser = pages.newBrowser()) => {
    await browser.submit((await browser.get("/sign-in")).html, { email: ada.email, action: "send" }, "/sign-in/code");
    return browser;
  };
  for (let stranger = 0; stranger < 6; stranger++) await ask();
  const type = async (browser: typeof known) => {
    const { html } = await browser.get(`/sign-in/code?${new URLSearchParams({ email: ada.email })}`);
    await browser.submit(html, { code: pages.mailed("sign_in_code", ada.email).code ?? "" }, "/sign-in/code");
    return (await browser.session())?.user.email;
  };
  expect(await type(await ask())).toBeUndefined();
  expect(await type(await ask(known))).toBe(ada.email);
});
