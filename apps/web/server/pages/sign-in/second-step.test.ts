import { codeOf } from "@gatehouse/accounts/testing";
import { ACR } from "@gatehouse/auth";
import { seedApplication } from "@gatehouse/console/testing/installation";
import { updateUser } from "@gatehouse/console/users/manage-users";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cookieNamed, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

let pages: Pages;
let number = 0;

beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.clock.now += 3600;
  pages.app.deps.config.secondFactor = { everybody: false, roles: [] };
});

const account: Pages["account"] = (of) => pages.account(of);
const newBrowser: Pages["newBrowser"] = () => pages.newBrowser();
const credentials = ({ email, password }: { email: string; password: string }) => ({ email, password });
const STEP = "/sign-in/second-step";

describe("the second step of a sign-in, MF-02", () => {
  test("MF-01 N54 a right password gives no session before the step", async () => {
    const ada = await account();
    const browser = newBrowser();
    const { response, location } = await browser.post("/sign-in?next=%2Faccount%3Fx", credentials(ada));
    expect([response.status, location]).toEqual([303, `${STEP}?next=%2Faccount%3Fx`]);
    expect(await browser.session()).toBeUndefined();
    expect((await browser.get("/account")).location).toMatch(/^\/sign-in/);

    const done = await browser.post(location, { code: ada.code() });
    expect([done.response.status, done.location]).toEqual([303, "/account?x"]);
    expect((await browser.session())?.session).toMatchObject({
      acr: ACR.mfa,
      amr: ["pwd", "otp", "mfa"],
      authTime: pages.clock.now,
      secondAt: pages.clock.now,
    });
    expect(browser.cookies.has(cookieNamed("ticket"))).toBe(false);
  });

  test("AL-03 auth_time is the time of the password", async () => {
    const ada = await account();
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    pages.clock.now += 300;
    await browser.post(STEP, { code: ada.code() });
    expect((await browser.session())?.session).toMatchObject({
      authTime: pages.clock.now - 300,
      secondAt: pages.clock.now,
    });
  });

  test.each([-2, 2])("N53 the code of step %d is refused", async (steps) => {
    const ada = await account();
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    expect((await browser.post(STEP, { code: ada.code(steps) })).response.status).toBe(400);
    expect(await browser.session()).toBeUndefined();
  });

  test("N52 a code works once", async () => {
    const ada = await account();
    const [first, second] = [newBrowser(), newBrowser()];
    for (const browser of [first, second]) await browser.post("/sign-in", credentials(ada));
    const code = ada.code();
    expect((await first.post(STEP, { code })).response.status).toBe(303);
    expect((await second.post(STEP, { code })).response.status).toBe(400);
  });

  test("N53 after five wrong codes the ticket is dead, even for the right one", async () => {
    const ada = await account();
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    for (let tries = 0; tries < 5; tries++)
      expect((await browser.post(STEP, { code: "000000" })).response.status).toBe(400);
    const late = await browser.post(STEP, { code: ada.code() });
    expect(late.response.status).toBe(400);
    expect(late.html).toContain('action="/sign-in"');
    expect(await browser.session()).toBeUndefined();
    expect((await browser.get(STEP)).location).toBe("/sign-in");
  });

  test("AB-02 wrong codes count for the account, whatever the ticket", async () => {
    const ada = await account();
    for (let round = 0; round < 2; round++) {
      const browser = newBrowser();
      await browser.post("/sign-in", credentials(ada));
      for (let tries = 0; tries < 5; tries++) await browser.post(STEP, { code: "000000" });
    }
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    const { response } = await browser.post(STEP, { code: ada.code() });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("N53 a ticket is refused in another browser, after ten minutes, and when it was used", async () => {
    const ada = await account();
    const [browser, other] = [newBrowser(), newBrowser()];
    await browser.post("/sign-in", credentials(ada));
    const ticket = browser.cookies.get(cookieNamed("ticket")) ?? "";
    await other.get("/sign-in");
    other.cookies.set(cookieNamed("ticket"), ticket);
    expect((await other.get(STEP)).location).toBe("/sign-in");

    await browser.post(STEP, { code: ada.code() });
    const used = newBrowser();
    for (const [name, value] of browser.cookies) if (!name.includes("session")) used.cookies.set(name, value);
    used.cookies.set(cookieNamed("ticket"), ticket);
    await used.post(STEP, { code: ada.code(1) });
    expect(await used.session()).toBeUndefined();

    await other.post("/sign-in", credentials(ada));
    pages.clock.now += 600;
    expect((await other.get(STEP)).location).toBe("/sign-in");
  });

  test("N49 a ticket from before a new password is refused", async () => {
    const ada = await account();
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    const operator = {
      id: "cli",
      name: "operator",
      role: "admin",
      via: "cli",
      freshSince: null,
      address: null,
    } as const;
    await updateUser({ id: ada.id, password: "another long password indeed" }, operator, pages.app.deps);
    expect((await browser.get(STEP)).location).toBe("/sign-in");
  });

  test("N55 MF-07 a recovery code replaces the app once, and its use is mailed with the number of codes left", async () => {
    const ada = await account();
    const [code = ""] = ada.recovery;
    const [first, second] = [newBrowser(), newBrowser()];
    for (const browser of [first, second]) await browser.post("/sign-in", credentials(ada));
    expect((await first.post(`${STEP}?recovery=1`, { code: code.toLowerCase() })).response.status).toBe(303);
    expect((await first.session())?.session.acr).toBe(ACR.mfa);
    expect((await second.post(`${STEP}?recovery=1`, { code })).response.status).toBe(400);
    expect(await pages.app.deps.people.countRecoveryCodes(ada.id)).toBe(7);
    const { mails } = pages.app.deps.db.tables;
    const kinds = (await pages.app.deps.db.select({ kind: mails.kind, to: mails.recipient }).from(mails)).filter(
      ({ to }) => to === ada.email,
    );
    expect(kinds.map(({ kind }) => kind)).toContain("recovery_code_used");
  });
});

describe("remembered browsers, MF-08", () => {
  test("MF-08 a browser skips the step if its user ticked the box, and that session stays at the level of the password", async () => {
    const ada = await account();
    const browser = newBrowser();
    expect((await browser.post("/sign-in", credentials(ada))).location).toBe(STEP);
    expect((await browser.get(STEP)).html).toMatch(/<input type="checkbox" name="remember" value="1"\/?>/);
    await browser.post(STEP, { code: ada.code(), remember: "1" });
    expect((await browser.post("/sign-in", credentials(ada))).location).toBe("/account");
    expect((await browser.session())?.session).toMatchObject({ acr: ACR.password, amr: ["pwd"], secondAt: null });

    const bob = await account();
    expect((await browser.post("/sign-in", credentials(bob))).location).toBe(STEP);
    pages.clock.now += 30 * 86_400;
    expect((await browser.post("/sign-in", credentials(ada))).location).toBe(STEP);
  });

  test("MF-08 it skips nothing where this server demands a second factor, and is not offered there", async () => {
    const ada = await account({ role: "admin" });
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    await browser.post(STEP, { code: ada.code(), remember: "1" });
    pages.app.deps.config.secondFactor = { everybody: false, roles: ["admin"] };
    expect((await browser.post("/sign-in", credentials(ada))).location).toBe(STEP);
    expect((await browser.get(STEP)).html).not.toContain('name="remember"');
  });
});

describe("users who must have a second factor, MF-09", () => {
  test("MF-09 MF-03 MF-05 one without it sets it up inside the sign-in, gets recovery codes, and there is no session before", async () => {
    const ada = await account({ totp: false });
    pages.app.deps.config.secondFactor = { everybody: true, roles: [] };
    const browser = newBrowser();
    expect((await browser.post("/sign-in?next=%2Faccount%3Fy", credentials(ada))).location).toBe(
      `${STEP}?next=%2Faccount%3Fy`,
    );
    const { html } = await browser.get(`${STEP}?next=%2Faccount%3Fy`);
    expect(html).toContain("<svg");
    expect(html).not.toContain("Not now");
    const key = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(" ", "") ?? "";
    const sealed = /name="setup" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const code = codeOf(key, pages.clock.now);

    expect((await browser.post(STEP, { action: "not_now" })).response.status).toBe(400);
    expect((await browser.post(STEP, { setup: sealed, code: "000000" })).html).toContain(key.slice(0, 4));
    expect(await browser.session()).toBeUndefined();

    const done = await browser.post(`${STEP}?next=%2Faccount%3Fy`, { setup: sealed, code });
    expect(done.html.match(/<code>([A-Z2-7]{4}-){5}[A-Z2-7]{4}<\/code>/g)).toHaveLength(8);
    expect((await browser.session())?.session.acr).toBe(ACR.mfa);
    expect(done.html).toContain('name="next" value="/account?y"');

    const next = newBrowser();
    await next.post("/sign-in", credentials(ada));
    expect((await next.post(STEP, { code })).response.status).toBe(400); // N52: the setup code was used
    expect((await next.post(STEP, { code: codeOf(key, pages.clock.now + 30) })).response.status).toBe(303);
  });
});

describe("a browser that the account does not know, SN-04", () => {
  test("SN-04 the owner is told once, and not about the next sign-in from there", async () => {
    const ada = await account({ totp: false });
    const { mails } = pages.app.deps.db.tables;
    const told = async () =>
      (await pages.app.deps.db.select({ kind: mails.kind, to: mails.recipient }).from(mails)).filter(
        ({ kind, to }) => to === ada.email && kind === "new_sign_in",
      ).length;
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    expect(await told()).toBe(1);
    await browser.post("/sign-in", credentials(ada));
    expect(await told()).toBe(1);
    await newBrowser().post("/sign-in", credentials(ada));
    expect(await told()).toBe(2);

    // As a change of the password does: a browser is unknown until it signs in again.
    await pages.app.deps.db.update(pages.app.deps.db.tables.users).set({ signInEpoch: 1 });
    await browser.post("/sign-in", credentials(ada));
    expect(await told()).toBe(3);
    await browser.post("/sign-in", credentials(ada));
    expect(await told()).toBe(3);
  });

  test("SN-02 without 'Keep me signed in' the cookie ends with the browser", async () => {
    const ada = await account({ totp: false });
    const cookieOf = ({ response }: { response: Response }) =>
      response.headers.getSetCookie().find((line) => line.startsWith(`${cookieNamed("session")}=`)) ?? "";
    expect(cookieOf(await newBrowser().post("/sign-in", { ...credentials(ada), keep: "on" }))).toContain("Max-Age=");
    const browser = newBrowser();
    expect(cookieOf(await browser.post("/sign-in", { ...credentials(ada), keep: "no" }))).not.toContain("Max-Age=");
    expect((await browser.session())?.session.persistent).toBe(false);
  });
});

const NEW_PASSWORD = "a new horse with another staple";
/** Changes every user of before: each test has its own. */
async function changeUsers(state: {
  mustChangePassword?: boolean;
  disabledAt?: number;
  deleteAfter?: number;
}): Promise<void> {
  await pages.app.deps.db.update(pages.app.deps.db.tables.users).set(state);
}
/** An application and the parameters of a right request of its client. */
async function request(change: Record<string, string>): Promise<string> {
  const { clientId } = await seedApplication(pages.app.deps, `Shop ${++number}`);
  const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
  const redirect = { redirect_uri: "http://localhost:4000/callback", scope: "api:read", state: "s1" };
  return `/authorize?${new URLSearchParams({ response_type: "code", client_id: clientId, ...redirect, ...pkce, ...change })}`;
}

describe("a password that has to be replaced, PW-04 and UM-03", () => {
  test("PW-04 UM-03 MF-01 with a second factor it is replaced only after the step; the request and 'Keep me signed in' stay", async () => {
    const ada = await account();
    await changeUsers({ mustChangePassword: true });
    const browser = newBrowser();
    const start = (await browser.get(await request({ prompt: "login" }))).location;
    const password = await browser.post(start, { ...credentials(ada), keep: "no" });
    expect(password.location).toMatch(/^\/sign-in\/second-step\?request=/);
    expect(password.html).not.toContain("/sign-in/new-password");

    const authTime = pages.clock.now;
    pages.clock.now += 60;
    const asked = await browser.post(password.location, { code: ada.code() });
    expect(asked.html).toContain('action="/sign-in/new-password"');
    expect(await browser.session()).toBeUndefined();
    expect((await browser.submit(asked.html, { password: PASSWORD })).response.status).toBe(400);
    expect(await browser.session()).toBeUndefined();

    const { response, location } = await browser.submit(asked.html, { password: NEW_PASSWORD });
    expect([response.status, location]).toEqual([303, expect.stringMatching(/^\/consent\?request=/)]);
    const session = (await browser.session())?.session;
    expect(session).toMatchObject({
      acr: ACR.mfa,
      amr: ["pwd", "otp", "mfa"],
      authTime,
      secondAt: pages.clock.now,
      persistent: false,
    });
    expect((await newBrowser().post("/sign-in", credentials(ada))).response.status).toBe(400);
    expect((await newBrowser().post("/sign-in", { ...credentials(ada), password: NEW_PASSWORD })).location).toBe(STEP);
  });

  test("PW-04 the page works once, and only in its browser", async () => {
    const ada = await account({ totp: false });
    await changeUsers({ mustChangePassword: true });
    const [browser, other] = [newBrowser(), newBrowser()];
    const { html } = await browser.post("/sign-in?next=%2Faccount%3Fz", credentials(ada));
    const ticket = /name="ticket" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const { html: others } = await other.get("/sign-in");
    const stolen = await other.submit(others, { ticket, password: NEW_PASSWORD }, "/sign-in/new-password");
    expect(stolen.response.status).toBe(400);
    expect((await browser.submit(html, { password: NEW_PASSWORD })).location).toBe("/account?z");
    expect((await browser.session())?.session).toMatchObject({ acr: ACR.password, amr: ["pwd"] });
    expect((await browser.submit(html, { password: "and yet another long one" })).response.status).toBe(400);
  });

  test.each([
    ["was disabled", { disabledAt: 1 }],
    ["is to be deleted", { deleteAfter: 2_000_000_000 }],
  ])("MF-01 RG-10 it is not replaced for an account that meanwhile %s", async (_, state) => {
    const ada = await account({ totp: false });
    await changeUsers({ mustChangePassword: true });
    const browser = newBrowser();
    const { html } = await browser.post("/sign-in", credentials(ada));
    await changeUsers(state);
    expect((await browser.submit(html, { password: NEW_PASSWORD })).response.status).toBe(400);
    expect((await pages.app.deps.people.findAccount(ada.id))?.mustChangePassword).toBe(true);
    expect(browser.cookies.has(cookieNamed("session"))).toBe(false);
  });

  test("MF-08 a browser that the user chose to remember is remembered after the change", async () => {
    const ada = await account();
    await changeUsers({ mustChangePassword: true });
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    const { html } = await browser.post(STEP, { code: ada.code(), remember: "1" });
    await browser.submit(html, { password: NEW_PASSWORD });
    expect((await browser.post("/sign-in", { ...credentials(ada), password: NEW_PASSWORD })).location).toBe("/account");
  });

  test("MF-09 a user who must set up a second factor does so first, sees the recovery codes, and then replaces the password", async () => {
    const ada = await account({ totp: false });
    await changeUsers({ mustChangePassword: true });
    pages.app.deps.config.secondFactor = { everybody: true, roles: [] };
    const browser = newBrowser();
    const start = "/sign-in?next=%2Faccount%3Fy";
    expect((await browser.post(start, credentials(ada))).location).toBe(`${STEP}?next=%2Faccount%3Fy`);
    const { html } = await browser.get(`${STEP}?next=%2Faccount%3Fy`);
    const key = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(" ", "") ?? "";
    const codes = await browser.submit(html, { code: codeOf(key, pages.clock.now) });
    expect(codes.html.match(/<code>([A-Z2-7]{4}-){5}[A-Z2-7]{4}<\/code>/g)).toHaveLength(8);
    expect(await browser.session()).toBeUndefined();
    const asked = await browser.submit(codes.html, {});
    expect(asked.html).toContain('action="/sign-in/new-password"');
    expect(await browser.session()).toBeUndefined();
    expect((await browser.submit(asked.html, { password: NEW_PASSWORD })).location).toBe("/account?y");
    expect((await browser.session())?.session.acr).toBe(ACR.mfa);
  });
});

describe("accounts that may have no session", () => {
  const deleteLater = ({ id }: { id: string }) =>
    pages.app.deps.people.requestDeletion({ userId: id, deleteAfter: pages.clock.now + 86_400 }, {}, pages.clock.now);
  const deleteAfter = async ({ id }: { id: string }) => (await pages.app.deps.people.findAccount(id))?.deleteAfter;
  const RESTORE = "/sign-in/restore";

  test("RG-10 MF-01 restoring an account takes its second factor, and then goes on with the sign-in", async () => {
    const ada = await account();
    await deleteLater(ada);
    const browser = newBrowser();
    const asked = await browser.post("/sign-in?next=%2Faccount%3Fr", credentials(ada));
    expect(asked.location).toBe(`${STEP}?next=%2Faccount%3Fr`);
    expect(asked.html).not.toContain(RESTORE);
    expect((await browser.post(asked.location, { code: "000000" })).html).not.toContain(RESTORE);
    const offer = await browser.post(asked.location, { code: ada.code(), remember: "1" });
    expect(offer.html).toContain(`action="${RESTORE}"`);
    expect([browser.cookies.has(cookieNamed("remembered")), await browser.session()]).toEqual([false, undefined]);
    expect(await deleteAfter(ada)).not.toBeNull();

    const stolen = /name="ticket" value="([^"]+)"/.exec(offer.html)?.[1] ?? "";
    const other = newBrowser();
    expect((await other.submit((await other.get("/sign-in")).html, { ticket: stolen }, RESTORE)).response.status).toBe(
      400,
    );
    expect((await browser.submit(offer.html, {})).location).toBe("/account?r");
    expect((await browser.session())?.session).toMatchObject({ acr: ACR.mfa, authTime: pages.clock.now });
    expect(await deleteAfter(ada)).toBeNull();
    expect((await browser.submit(offer.html, {})).response.status).toBe(400);
  });

  test("RG-10 MF-01 a password is not enough in a browser that was remembered", async () => {
    const ada = await account();
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    await browser.post(STEP, { code: ada.code(), remember: "1" });
    await deleteLater(ada);
    expect((await browser.post("/sign-in", credentials(ada))).location).toBe(STEP);
  });

  test("RG-10 MF-09 who must have a second factor and has none restores the account, and signs in again to set one up", async () => {
    const ada = await account({ totp: false });
    await deleteLater(ada);
    pages.app.deps.config.secondFactor = { everybody: true, roles: [] };
    const browser = newBrowser();
    const offer = await browser.post("/sign-in?next=%2Faccount%3Fr", credentials(ada));
    const restored = await browser.submit(offer.html, {});
    expect([restored.response.status, await browser.session()]).toEqual([200, undefined]);
    expect(await deleteAfter(ada)).toBeNull();
    expect((await browser.submit(restored.html, credentials(ada), "/sign-in")).location).toBe(
      `${STEP}?next=%2Faccount%3Fr`,
    );
  });

  test("RG-10 UM-03 a password that has to be replaced is replaced before the session", async () => {
    const ada = await account({ totp: false });
    await changeUsers({ mustChangePassword: true });
    await deleteLater(ada);
    const browser = newBrowser();
    const offer = await browser.post("/sign-in?next=%2Faccount%3Fr", credentials(ada));
    expect(offer.html).not.toContain("/sign-in/new-password");
    const asked = await browser.submit(offer.html, {});
    expect(asked.html).toContain('action="/sign-in/new-password"');
    expect(await browser.session()).toBeUndefined();
    expect((await browser.submit(asked.html, { password: NEW_PASSWORD })).location).toBe("/account?r");
  });

  test("RG-10 an account that was disabled after the offer gets no session", async () => {
    const ada = await account({ totp: false });
    await deleteLater(ada);
    const browser = newBrowser();
    const offer = await browser.post("/sign-in", credentials(ada));
    await changeUsers({ disabledAt: 1 });
    await browser.submit(offer.html, {});
    expect(await browser.session()).toBeUndefined();
    expect(browser.cookies.has(cookieNamed("session"))).toBe(false);
  });

  test.each([
    ["was disabled", () => changeUsers({ disabledAt: 1 })],
    ["was deleted by its user", deleteLater],
  ])("RG-10 MF-02 the second step gives no session to an account that meanwhile %s", async (_, change) => {
    const ada = await account();
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    const { html } = await browser.get(STEP);
    await change(ada);
    expect((await browser.submit(html, { code: ada.code() })).response.status).toBe(400);
    expect(browser.cookies.has(cookieNamed("session"))).toBe(false);
  });
});

test.each([
  ["alone", {}],
  ["with a wish", { acr_values: ACR.mfa }],
])("AL-02 AL-03 prompt=login %s: one password and one code lead back to the app", async (_, wish) => {
  const ada = await account();
  const browser = newBrowser();
  await browser.post("/sign-in", credentials(ada));
  await browser.post(STEP, { code: ada.code() });
  const before = (await browser.session())?.session;
  pages.clock.now += 120;
  const start = (await browser.get(await request({ prompt: "login", ...wish }))).location;
  expect(start).toMatch(/^\/sign-in\/confirm\?request=/);
  const step = (await browser.post(start, credentials(ada))).location;
  expect(step).toMatch(/^\/sign-in\/second-step\?request=/);
  expect((await browser.session())?.session.id).toBe(before?.id);
  const consent = (await browser.post(step, { code: ada.code() })).location;
  expect(consent).toMatch(/^\/consent\?request=/);
  expect((await browser.post(consent, { decision: "allow" })).location).toMatch(
    /^http:\/\/localhost:4000\/callback\?code=/,
  );
  const after = (await browser.session())?.session;
  expect(after).toMatchObject({ acr: ACR.mfa, authTime: pages.clock.now });
  expect(after?.id).not.toBe(before?.id);
});

describe("SN-03 N51 setting up a second factor for a session that a request wants raised", () => {
  const offered = async () => {
    const ada = await account({ totp: false });
    const browser = newBrowser();
    await browser.post("/sign-in", credentials(ada));
    const raise = (await browser.get(await request({ acr_values: ACR.mfa }))).location;
    expect(raise).toMatch(/^\/sign-in\/second-step\?request=.*raise=1/);
    return { ada, browser, raise };
  };
  const keyOn = (html: string) => /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(" ", "") ?? "";

  test("right after the sign-in it is set up at once", async () => {
    const { ada, browser, raise } = await offered();
    const page = await browser.get(raise);
    const codes = await browser.submit(page.html, { code: codeOf(keyOn(page.html), pages.clock.now) });
    expect(codes.html).toContain("Your recovery codes");
    expect(await pages.app.deps.people.findTotp(ada.id)).toBeDefined();
  });

  test("in a session of any age it takes a confirmation first, which leads back; the form alone does nothing", async () => {
    const { ada, browser, raise } = await offered();
    const { html: fresh } = await browser.get(raise);
    const code = codeOf(keyOn(fresh), pages.clock.now + 660);
    pages.clock.now += 660;

    const posted = await browser.submit(fresh, { code });
    expect([posted.response.status, posted.location]).toEqual([303, expect.stringMatching(/^\/sign-in\/confirm\?/)]);
    expect(await pages.app.deps.people.findTotp(ada.id)).toBeUndefined();

    const page = await browser.get(raise);
    expect([keyOn(page.html), page.html.includes("otpauth:")]).toEqual(["", false]);
    const confirm = /href="(\/sign-in\/confirm[^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const back = await browser.post(confirm, { password: PASSWORD });
    expect(Object.fromEntries(new URLSearchParams(back.location.split("?")[1]))).toEqual(
      Object.fromEntries(new URLSearchParams(raise.split("?")[1])),
    );
    const setUp = await browser.get(back.location);
    await browser.submit(setUp.html, { code: codeOf(keyOn(setUp.html), pages.clock.now) });
    expect(await pages.app.deps.people.findTotp(ada.id)).toBeDefined();
  });

  test("AL-02 'Not now' needs no confirmation", async () => {
    const { browser, raise } = await offered();
    pages.clock.now += 660;
    const { html } = await browser.get(raise);
    const declined = await browser.submit(
      html.slice(html.indexOf('name="action" value="not_now"') - 2000),
      { action: "not_now" },
      STEP,
    );
    expect(declined.location).toMatch(/^\/consent\?request=/);
  });
});
