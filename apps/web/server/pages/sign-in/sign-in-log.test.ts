import { createHash } from "node:crypto";
import { ACCOUNT_LIMITS } from "@gatehouse/accounts";
import { ACR } from "@gatehouse/auth";
import { getSignIn, listSignIns } from "@gatehouse/console/sign-ins/sign-ins";
import { seedApplication } from "@gatehouse/console/testing/installation";
import { setUserDisabled } from "@gatehouse/console/users/manage-users";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import { subjectKey } from "@gatehouse/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cookieNamed, openPages, PASSWORD, type Pages } from "../testing/pages.ts";

const ADMIN = { id: "cli", name: "operator", role: "admin", via: "cli", freshSince: null, address: null } as const;
const STEP = "/sign-in/second-step";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages({ variables: { GATEHOUSE_EMAIL_SIGN_IN: "on" } });
});
afterAll(() => pages.close());
beforeEach(() => {
  pages.clock.now += 3600;
});

/** The user's attempts, or those with an address that no account has; newest first. */
const attempts = async (user: string) => (await listSignIns({ user, limit: 50 }, ADMIN, pages.app.deps)).items;
const causes = async (user: string) => (await attempts(user)).map(({ cause, outcome }) => cause ?? outcome);

/** As after so many wrong passwords that an unknown browser has to enter a mailed code first. */
async function failInARow(email: string): Promise<void> {
  const { name, failures } = ACCOUNT_LIMITS.signInInARow;
  const { db } = pages.app.deps;
  const account = createHash("sha256").update(subjectKey("account", email)).digest("base64url");
  const row = { key: `${name}:${account}`, points: failures, expire: Date.now() + 60_000 };
  await db.insert(db.tables.rateLimits).values(row);
}

describe("SL-01 every attempt leaves its true cause, and the page says what it always said", () => {
  test("a wrong password, an unknown address and a disabled account answer alike; the header leads to the cause", async () => {
    const ada = await pages.account({ totp: false });
    const gone = await pages.account({ totp: false });
    await setUserDisabled({ id: gone.id, disabled: true }, ADMIN, pages.app.deps);
    const tried = [
      [ada.email, "wrong", "wrong_password"],
      [gone.email, PASSWORD, "account_disabled"],
      ["stranger@example.com", PASSWORD, "unknown_address"],
    ] as const;
    const bodies = new Set<string>();
    for (const [email, password, cause] of tried) {
      const { response, html } = await pages.newBrowser().post("/sign-in", { email, password });
      expect(response.status).toBe(400);
      bodies.add(html.replaceAll(/(value|data-options|href|nonce)="[^"]*"/g, ""));
      const id = response.headers.get("gatehouse-error-id") ?? "";
      expect(await getSignIn(id, ADMIN, pages.app.deps)).toMatchObject({
        cause,
        outcome: "failed",
        factor: "password",
      });
      expect(html).not.toContain(id);
      expect((await attempts(email))[0]).toMatchObject({ id, cause });
    }
    expect(bodies.size).toBe(1);
  });

  test("too many attempts, and text that is no address, which is not kept", async () => {
    const { email } = await pages.account({ totp: false });
    for (let tries = 0; tries < 10; tries++) await pages.newBrowser().post("/sign-in", { email, password: "wrong" });
    await pages.newBrowser().post("/sign-in", { email, password: PASSWORD });
    expect((await causes(email))[0]).toBe("too_many_attempts");
    const before = (await listSignIns({ limit: 100 }, ADMIN, pages.app.deps)).items.length;
    await pages.newBrowser().post("/sign-in", { email: "my secret password", password: PASSWORD });
    expect((await listSignIns({ limit: 100 }, ADMIN, pages.app.deps)).items).toHaveLength(before);
  });

  test("a sign-in says how strong it was and on the way to which client, and is the user's last one", async () => {
    const ada = await pages.account({ totp: false });
    const { clientId } = await seedApplication(pages.app.deps, "Tea shop");
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: "code",
      redirect_uri: "http://localhost:4000/callback",
      scope: "openid",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const browser = pages.newBrowser();
    const { location } = await browser.get(`/authorize?${query}`);
    await browser.post(location.replace("http://localhost:3000", ""), { email: ada.email, password: PASSWORD });
    expect(await attempts(ada.email)).toMatchObject([
      {
        outcome: "signed_in",
        cause: null,
        factor: "password",
        level: ACR.password,
        client: { applicationName: "Tea shop" },
      },
    ]);
    expect(await findUser(pages.app.deps.db, ada.id)).toMatchObject({ lastSignedInAt: pages.clock.now });
  });

  test("a right password without the second step stays unfinished; the step makes the same row a sign-in", async () => {
    const ada = await pages.account();
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const [begun] = await attempts(ada.email);
    expect(begun).toMatchObject({ outcome: "unfinished", cause: "second_step_unfinished" });
    await browser.post(STEP, { code: ada.code() });
    expect(await attempts(ada.email)).toMatchObject([{ id: begun?.id, outcome: "signed_in", level: ACR.mfa }]);
  });

  test("a wrong code, a code used before, a phone whose clock is off and a wrong recovery code are told apart", async () => {
    const ada = await pages.account();
    const browser = pages.newBrowser();
    await browser.post("/sign-in", { email: ada.email, password: PASSWORD });
    const type = (code: string) => {
      pages.clock.now += 1;
      return browser.post(STEP, { code });
    };
    const wrong = String((Number(ada.code()) + 1) % 1_000_000).padStart(6, "0");
    await type(wrong);
    await type(ada.code(10));
    await type("aaaa-aaaa-aaaa-aaaa-aaaa-aaaa");
    await type(ada.code());
    const again = pages.newBrowser();
    pages.clock.now += 1;
    await again.post("/sign-in", { email: ada.email, password: PASSWORD });
    pages.clock.now += 1;
    await again.post(STEP, { code: ada.code() });
    expect((await causes(ada.email)).toReversed()).toEqual([
      "signed_in",
      "totp_wrong",
      "totp_clock",
      "wrong_recovery_code",
      "second_step_unfinished",
      "totp_used",
    ]);
  });

  test("a mailed code: wrong, of another browser, expired, used and never asked for", async () => {
    const ada = await pages.account({ totp: false });
    const ask = async (browser = pages.newBrowser()) => {
      await browser.submit((await browser.get("/sign-in")).html, { email: ada.email, action: "send" }, "/sign-in/code");
      return browser;
    };
    const type = async (browser: ReturnType<Pages["newBrowser"]>, code: string, email = ada.email) => {
      const { html } = await browser.get(`/sign-in/code?${new URLSearchParams({ email })}`);
      await browser.submit(html, { code }, "/sign-in/code");
      browser.cookies.delete(cookieNamed("session"));
    };
    const code = () => pages.mailed("sign_in_code", ada.email).code ?? "";
    const first = await ask();
    pages.clock.now += 1;
    await type(first, "00000000");
    pages.clock.now += 1;
    await type(pages.newBrowser(), code());
    pages.clock.now += 700;
    await type(first, code());
    pages.clock.now += 1;
    const second = await ask();
    await type(second, code());
    pages.clock.now += 1;
    await type(second, code());
    await type(pages.newBrowser(), "12345678", "never-asked@example.com");
    expect((await causes(ada.email)).toReversed()).toEqual([
      "wrong_code",
      "code_of_other_browser",
      "code_expired",
      "signed_in",
      "code_used",
    ]);
    expect(await causes("never-asked@example.com")).toEqual(["code_not_sent"]);
  });

  test("a wrong code of a browser that the account does not know, with the true cause", async () => {
    const ada = await pages.account({ totp: false });
    await failInARow(ada.email);
    const browser = pages.newBrowser();
    const path = `/sign-in/new-browser?${new URLSearchParams({ email: ada.email })}`;
    const form = (await browser.get(path)).html;
    const type = (code: string) => browser.submit(form, { code, action: "check" }, "/sign-in/new-browser");
    pages.clock.now += 1;
    await type("00000000");
    expect((await attempts(ada.email))[0]).toMatchObject({ cause: "code_not_sent", factor: "password" });
    await browser.submit(form, { action: "send" }, "/sign-in/new-browser");
    pages.clock.now += 1;
    const { response } = await type("00000000");
    expect((await attempts(ada.email))[0]).toMatchObject({
      id: response.headers.get("gatehouse-error-id"),
      cause: "wrong_code",
      factor: "password",
      detail: { message: "the mailed code with which a new browser may try passwords" },
    });
  });

  test("a passkey that the browser was asked for and did not give, by the name of its error alone", async () => {
    const newest = async () => (await listSignIns({ limit: 1 }, ADMIN, pages.app.deps)).items[0];
    const give = async (problem: string) => {
      const browser = pages.newBrowser();
      const { html } = await browser.get("/sign-in");
      pages.clock.now += 1;
      return browser.submit(html, { problem, email: "ada@example.com" }, "/sign-in/passkey");
    };
    const { response, html } = await give("NotAllowedError");
    expect(html).toContain("No passkey was used");
    expect(html).toContain('value="ada@example.com"');
    expect(await newest()).toMatchObject({
      id: response.headers.get("gatehouse-error-id"),
      cause: "passkey_not_given",
      user: null,
      typedEmail: null,
      detail: { message: "NotAllowedError" },
    });
    await give("<b>anything</b>");
    expect(await newest()).toMatchObject({ cause: "passkey_not_given", detail: {} });
    const before = await newest();
    await give(""); // without scripts
    expect(await newest()).toEqual(before);
  });
});
