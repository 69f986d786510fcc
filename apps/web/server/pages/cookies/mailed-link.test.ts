import { invite } from "@gatehouse/accounts";
import { createUser } from "@gatehouse/console/users/users";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cookieNamed, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

// Mailed links in one browser: any site can make it open another link while a page is shown.
const NEW = "a password chosen on the page";
const OUT_OF_DATE = "This page is out of date";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages({ variables: { GATEHOUSE_EMAIL_VERIFICATION: "first", GATEHOUSE_EMAIL_SIGN_IN: "on" } });
});
afterAll(() => pages.close());

let number = 0;
const newEmail = (name: string) => `${name}${number++}@example.com`;
type Browser = ReturnType<Pages["newBrowser"]>;

/** An account without a verified owner. */
async function unproved(email: string): Promise<void> {
  const { db } = pages.app.deps;
  const { tables } = db;
  const passwordHash = await pages.app.deps.hasher.hash(PASSWORD);
  const row = { id: `usr_${email}`, email, name: "Mallory", role: "user", registeredBy: "self", passwordHash } as const;
  await db.insert(tables.users).values({ ...row, createdAt: pages.clock.now });
}
const operators = (email: string) =>
  createUser({ email, name: "Ada", password: PASSWORD, role: "user" }, pages.app.deps);
const signIn = (browser: Browser, email: string) => browser.post("/sign-in", { email, password: PASSWORD });
const signUp = (browser: Browser, email: string) =>
  browser.post("/sign-up", { name: "Mallory", email, password: PASSWORD });

/**
 * One kind of link: how an address gets one, with whatever it takes in the browser that will open it, and what its form
 * takes.
 */
type Kind = { path: string; ask(email: string, browser: Browser): Promise<string>; fields: Record<string, string> };
const KINDS: Record<string, Kind> = {
  "an invitation": {
    path: "/invitation",
    async ask(email) {
      const invited = await invite({ email, role: "user", invitedBy: "cli", locale: "en" }, () => ({}), pages.app.deps);
      return typeof invited === "string"
        ? expect.fail(invited)
        : new URL(invited.link).pathname + new URL(invited.link).search;
    },
    fields: { name: "Vicky", password: NEW },
  },
  "a reset": {
    path: "/reset-password",
    async ask(email) {
      await operators(email);
      await pages.newBrowser().post("/forgot-password", { email });
      return pages.mailedPath("reset_link", email);
    },
    fields: { password: NEW },
  },
  "a sign-up elsewhere": {
    path: "/verify-email",
    async ask(email) {
      await signUp(pages.newBrowser(), email);
      return pages.mailedPath("sign_up_code", email);
    },
    fields: { action: "link", name: "Vicky", password: NEW },
  },
  "a sign-up in this browser": {
    path: "/verify-email",
    async ask(email, browser) {
      await signUp(browser, email);
      return pages.mailedPath("sign_up_code", email);
    },
    fields: { action: "link" },
  },
  "the take-over of an account": {
    path: "/verify-email",
    async ask(email) {
      await unproved(email);
      const mallory = pages.newBrowser();
      await signIn(mallory, email);
      await mallory.post("/verify-email", { action: "send" });
      return pages.mailedPath("verify_email", email);
    },
    fields: { action: "link", password: NEW },
  },
  "an undone change of the address": {
    path: "/verify-email",
    async ask(email) {
      await operators(email);
      const mallory = pages.newBrowser();
      await signIn(mallory, email);
      await mallory.post("/account/email", { new_email: `moved-${email}`, action: "change" });
      await mallory.get(pages.mailedPath("email_change_confirm", `moved-${email}`));
      await mallory.post("/verify-email", { action: "link" });
      return pages.mailedPath("email_changed", email);
    },
    fields: { action: "link" },
  },
  "a sign-in by mail": {
    path: "/sign-in/code",
    async ask(email, browser) {
      await operators(email);
      await browser.submit((await browser.get("/sign-in")).html, { email, action: "send" }, "/sign-in/code");
      return pages.mailedPath("sign_in_code", email);
    },
    fields: { action: "link" },
  },
};

describe("FP-02 the form of a mailed link acts on the link that its page showed", () => {
  test.each(Object.keys(KINDS))(
    "%s: it is refused once the browser has opened another link, and works after its own is opened again",
    async (name) => {
      const { path, ask, fields } = KINDS[name] as Kind;
      const browser = pages.newBrowser();
      const [vickys, mallorys] = [newEmail("vicky"), newEmail("mallory")];
      const theirs = await ask(mallorys, browser);
      const own = await ask(vickys, browser);
      const contents = () =>
        Promise.all([vickys, mallorys].map((email) => pages.app.deps.people.findAccountByEmail(email)));
      await browser.get(own);
      const shown = (await browser.get(path)).html;
      expect([shown.includes(vickys), shown.includes(mallorys)]).toEqual([true, false]);

      await browser.get(theirs); // as a click on another site does
      const before = await contents();
      const posted = await browser.submit(shown, fields, path);
      expect([posted.response.status, posted.html]).toEqual([409, expect.stringContaining(OUT_OF_DATE)]);
      const unnamed = await browser.submit(
        shown.replaceAll(/<input type="hidden" name="link"[^>]*>/g, ""),
        fields,
        path,
      );
      expect(unnamed.response.status).toBe(409);
      expect(await contents()).toEqual(before);
      expect(await browser.session()).toBeUndefined();

      await browser.get(own);
      const done = await browser.submit((await browser.get(path)).html, fields, path);
      expect([200, 303]).toContain(done.response.status);
      expect((await contents())[0]).not.toEqual(before[0]);
      expect((await contents())[1]).toEqual(before[1]);
    },
  );
});

describe("a form says whom it is about", () => {
  test("RG-05 a page that asks for a new password does nothing after its owner has signed in, and the other way round", async () => {
    const email = newEmail("vicky");
    const link = await (KINDS["the take-over of an account"] as Kind).ask(email, pages.newBrowser());
    const browser = pages.newBrowser();
    await browser.get(link);
    const asking = (await browser.get("/verify-email")).html;
    await signIn(browser, email);
    await browser.get(link);
    const button = (await browser.get("/verify-email")).html;
    expect((await browser.submit(asking, { action: "link", password: NEW }, "/verify-email")).html).toContain(
      OUT_OF_DATE,
    );
    browser.cookies.delete(cookieNamed("session"));
    expect((await browser.submit(button, { action: "link" }, "/verify-email")).html).toContain(OUT_OF_DATE);
    expect(await pages.app.deps.people.findAccountByEmail(email)).toMatchObject({
      name: "Mallory",
      emailVerifiedAt: null,
    });
  });

  test.each([["send"], ["code"]])(
    "RG-02 a verification (%s) is of the account that its page showed, also after somebody else signed in",
    async (action) => {
      const [vicky, mallory] = [newEmail("vicky"), newEmail("mallory")];
      await unproved(vicky);
      await unproved(mallory);
      const browser = pages.newBrowser();
      await signIn(browser, vicky);
      const offered = await browser.get("/verify-email");
      const shown = action === "send" ? offered : await browser.submit(offered.html, { action: "send" });
      await signIn(browser, mallory);
      const posted = await browser.submit(shown.html, { action, code: "12345678" }, "/verify-email");
      expect([posted.response.status, posted.html]).toEqual([409, expect.stringContaining(OUT_OF_DATE)]);
    },
  );

  test("MF-02 a second step is of the sign-in that its page showed", async () => {
    const [vicky, mallory] = [await pages.account(), await pages.account()];
    const browser = pages.newBrowser();
    const first = await browser.post("/sign-in", { email: vicky.email, password: PASSWORD });
    const shown = (await browser.get(first.location)).html;
    await browser.post("/sign-in", { email: mallory.email, password: PASSWORD });
    const posted = await browser.submit(shown, { code: mallory.code() }, "/sign-in/second-step");
    expect([posted.response.status, posted.html]).toEqual([409, expect.stringContaining(OUT_OF_DATE)]);
    expect(await browser.session()).toBeUndefined();
  });
});
