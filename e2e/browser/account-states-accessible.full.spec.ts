import type { Browser, Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf, PASSWORD } from "../harness/fixture.ts";
import { authorizePath, obtainTokens, signIn } from "../harness/flow.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { check, submit } from "./account-states.ts";
import { newUser, refuse } from "./account-states-accessible.ts";
import { expect, issuer, test } from "./stage.ts";
import { addVirtualAuthenticator, type VirtualAuthenticator } from "./virtual-authenticator.ts";

// The account pages in the states that pages-accessible.spec.ts, which opens each page by its address, does not reach:
// with entries, with errors, after a mailed link. AX-01.

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

async function enter(page: Page, email: string): Promise<void> {
  await page.goto(`${issuer}/sign-in`);
  await submit(page, "/sign-in", { email, password: PASSWORD });
}

/** Sets up an authenticator app on the page that shows its key. */
async function setUpApp(page: Page): Promise<TOTP> {
  await page.goto(`${issuer}/account/security/authenticator`);
  const link = await page.locator('a[href^="otpauth://"]').getAttribute("href");
  const app = new TOTP({ secret: new URL(link ?? "").searchParams.get("secret") ?? "" });
  await submit(page, "/account/security/authenticator", { code: app.generate() });
  await expect(page.locator("ol.codes li")).toHaveCount(8);
  return app;
}

async function addPasskey(page: Page): Promise<VirtualAuthenticator> {
  const authenticator = await addVirtualAuthenticator(page);
  await page.goto(`${issuer}/account/security`);
  await page.locator("form[data-passkey=create] button").click();
  await expect(page.locator(".note.success")).toBeVisible();
  return authenticator;
}

async function otherBrowser(
  browser: Browser,
  watched: (context: Awaited<ReturnType<Browser["newContext"]>>) => void,
): Promise<Page> {
  const context = await browser.newContext();
  watched(context);
  return context.newPage();
}

test("AX-01 the pages of mailed links, open, refused and dead", async ({ page, browser, watched }) => {
  const mailbox = await openMailbox(issuer);
  const { email } = await newUser("links");

  await page.goto(`${issuer}/forgot-password`);
  await submit(page, "/forgot-password", { email });
  const { link: reset } = await mailbox.next(email, "reset_link");
  await check(page, "reset", () => page.goto(reset ?? ""));
  await check(page, "reset, refused", () => refuse(page, "/reset-password", "/reset-password", { password: "short" }));

  const invited = emailOf(`invited-${Date.now()}`);
  dataOf(
    await mutate(issuer, "invitations.create", { email: invited, role: "viewer" }, await consoleToken(issuer, "admin")),
  );
  const { link: invitation } = await mailbox.next(invited, "invitation");
  await check(page, "invitation", () => page.goto(invitation ?? ""));
  await check(page, "invitation, refused", () =>
    refuse(page, "/invitation", "/invitation", { name: "Grace", password: "short" }),
  );

  await page.goto(`${issuer}/sign-up`);
  const unverified = emailOf(`unverified-${Date.now()}`);
  await submit(page, "/sign-up", { name: "Grace", email: unverified, password: PASSWORD });
  await check(page, "unverified account", () => page.goto(`${issuer}/account`));
  await check(page, "verification, refused", async () => {
    await page.goto(`${issuer}/account`);
    await submit(page, "/verify-email", {});
    await submit(page, "/verify-email", { code: "00000000" });
    await expect(page.getByRole("alert")).toBeVisible();
  });
  const { link: verification } = await mailbox.next(unverified, "verify_email");
  await check(page, "verification link", () => page.goto(verification ?? ""));
  await check(page, "invitation of another user", () => page.goto(invitation ?? ""));

  const other = await otherBrowser(browser, watched);
  await check(other, "verification link elsewhere", () => other.goto(verification ?? ""));
  await check(other, "dead link", () => other.goto(`${issuer}/reset-password?token=none`));
  await other.context().close();
});

test("AX-01 the account with passkeys, an app, sessions, apps and activity", async ({ page }) => {
  const { name, email } = await newUser("account");
  for (const agent of [FIREFOX, SAFARI]) {
    const elsewhere = newAgent(issuer, issuer, { "user-agent": agent });
    await signIn(issuer, name, elsewhere);
    await obtainTokens(elsewhere, CLIENTS.web);
    await obtainTokens(elsewhere, CLIENTS.localWeb);
  }
  await enter(page, email);
  await addPasskey(page);

  await check(page, "app setup, refused", () =>
    refuse(page, "/account/security/authenticator", "/account/security/authenticator", { code: "000000" }),
  );
  await setUpApp(page);
  await check(page, "recovery codes", async () => {
    await page.goto(`${issuer}/account/security`);
    await submit(page, "/account/security/recovery-codes", {});
    await expect(page.locator("ol.codes li")).toHaveCount(8);
  });
  await check(page, "security", async () => {
    await page.goto(`${issuer}/account/security`);
    await page.locator("details.edit summary").first().click();
  });
  await check(page, "sessions", async () => {
    await page.goto(`${issuer}/account/sessions`);
    await expect(page.locator("ul.rows > li")).toHaveCount(3);
  });
  await check(page, "apps", async () => {
    await page.goto(`${issuer}/account/apps`);
    await expect(page.locator("ul.rows > li")).toHaveCount(2);
  });
  await check(page, "activity", async () => {
    await page.goto(`${issuer}/account/activity`);
    await expect(page.locator("ul.rows > li").nth(4)).toBeVisible();
  });
  await check(page, "consent", () =>
    page.goto(issuer + authorizePath(CLIENTS.web, { prompt: "consent", scope: "openid email api:read" })),
  );
});

test("AX-01 the forms of the account, refused", async ({ page }) => {
  const { email } = await newUser("forms");
  await enter(page, email);
  await check(page, "profile, refused", () => refuse(page, "/account", "/account", { name: " " }));
  await check(page, "password, refused", () =>
    refuse(page, "/account/password", "/account/password", { current: PASSWORD, password: "short" }),
  );
  await check(page, "address, refused", () =>
    refuse(page, "/account/email", "/account/email", { new_email: "nobody" }),
  );
  await check(page, "code of the new address, refused", async () => {
    await page.goto(`${issuer}/account/email`);
    await submit(page, "/account/email", { new_email: emailOf(`other-${Date.now()}`) });
    await submit(page, "/account/email", { code: "00000000" });
    await expect(page.getByRole("alert")).toBeVisible();
  });
  await check(page, "deletion", () => page.goto(`${issuer}/account/delete`));
  await check(page, "offer of a passkey", async () => {
    await page.goto(`${issuer}/sign-in/passkey-offer`);
    await expect(page.locator("form[data-passkey=create]")).toBeVisible();
  });

  const authenticator = await addPasskey(page);
  await page.goto(`${issuer}/account/security`);
  await submit(page, "/account/security/recovery-codes", {});
  await authenticator.setPresence(false);
  await page.context().clearCookies();
  await enter(page, email);
  await check(page, "confirmation, refused", () =>
    refuse(page, "/account/password", "/sign-in/confirm", { code: "AAAA" }),
  );
});

test("AX-01 the second step, refused, and with a recovery code", async ({ page }) => {
  const { email } = await newUser("second-step");
  await enter(page, email);
  await setUpApp(page);
  await page.context().clearCookies();
  await check(page, "second step, refused", async () => {
    await enter(page, email);
    await submit(page, "/sign-in/second-step", { code: "000000" });
    await expect(page.getByRole("alert")).toBeVisible();
  });
  await check(page, "recovery code, refused", async () => {
    await enter(page, email);
    await page.locator("main a[href*=recovery]").click();
    await submit(page, "/sign-in/second-step", { code: "AAAA" });
    await expect(page.getByRole("alert")).toBeVisible();
  });
});

test("AX-01 the forms of a visitor, refused", async ({ page }) => {
  const { email } = await newUser("refused");
  await check(page, "sign-in", () => refuse(page, "/sign-in", "/sign-in", { email, password: "a wrong password" }));
  await check(page, "sign-up, password", () =>
    refuse(page, "/sign-up", "/sign-up", { name: "Ada", email: "new@example.com", password: "short" }),
  );
  await check(page, "sign-up, taken", () =>
    refuse(page, "/sign-up", "/sign-up", { name: "Ada", email, password: PASSWORD }),
  );
  await check(page, "forgot password", () => refuse(page, "/forgot-password", "/forgot-password", { email: "nobody" }));
  await check(page, "reset sent", async () => {
    await page.goto(`${issuer}/forgot-password`);
    await submit(page, "/forgot-password", { email: "nobody@example.com" });
  });
  await check(page, "mailed code", async () => {
    await page.goto(`${issuer}/sign-in`);
    await submit(page, "/sign-in", { email: "nobody@example.com" }, 'button[formaction="/sign-in/code"]');
    await submit(page, "/sign-in/code", { code: "00000000" });
    await expect(page.getByRole("alert")).toBeVisible();
  });
});
