import type { Browser, Page } from "@playwright/test";
import { emailOf, PASSWORD } from "../harness/fixture.ts";
import { gatehouse } from "../harness/gatehouse.ts";
import { environment, expect, expectAccessible, issuer, test } from "./stage.ts";
import { addVirtualAuthenticator, type VirtualAuthenticator, withoutSuggestions } from "./virtual-authenticator.ts";

/** A user of one test alone. */
async function newUser(name: string): Promise<string> {
  const email = emailOf(`${name}-${Date.now()}`);
  await gatehouse(["user", "create", "--email", email, "--name", name, "--password", PASSWORD], environment);
  return email;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${issuer}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/\/sign-in$/);
}

/** Signs in with the password and adds a passkey on the security page. */
async function enrol(page: Page, email: string): Promise<VirtualAuthenticator> {
  await signIn(page, email);
  const authenticator = await addVirtualAuthenticator(page);
  await page.goto(`${issuer}/account/security`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Passkey added.")).toBeVisible();
  return authenticator;
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${issuer}/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
}

test("WA-03 WA-04 WA-09 a passkey is added, signs in with a button, is renamed and removed", async ({ page }) => {
  const email = await newUser("passkey-story");
  const authenticator = await enrol(page, email);
  const [made, ...others] = await authenticator.credentials();
  expect(others).toEqual([]);
  expect(made?.isResidentCredential).toBe(true);
  await expectAccessible(page);

  await withoutSuggestions(page);
  await signOut(page);
  await page.goto(`${issuer}/sign-in`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(`${issuer}/account`);

  await page.goto(`${issuer}/account/security`);
  await page.getByText("Rename", { exact: true }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("My laptop");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("My laptop")).toBeVisible();
  await page.getByRole("button", { name: "Remove My laptop" }).click();
  await expect(page.getByText("Passkey removed.")).toBeVisible();
  await expect(page.getByText("You don't have a passkey yet.")).toBeVisible();
});

test("WA-04 the suggestions of the email field sign in too", async ({ page }) => {
  const email = await newUser("passkey-autofill");
  const authenticator = await enrol(page, email);
  await authenticator.setPresence(false);
  await signOut(page);
  await page.goto(`${issuer}/sign-in`);
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username webauthn");
  await authenticator.setPresence(true); // chooses the suggestion
  await page.goto(`${issuer}/sign-in`);
  await expect(page).toHaveURL(`${issuer}/account`);
});

test("WA-04 the button takes over from the pending suggestions, and a page without a passkey says what to do", async ({ page }) => {
  await newUser("passkey-none");
  const authenticator = await addVirtualAuthenticator(page, { present: false });
  await page.goto(`${issuer}/sign-in`);
  await authenticator.setPresence(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("alert")).toHaveText("No passkey was used. Try again, or use another way to sign in.");
  await expectAccessible(page);
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeEnabled();
});

test("WA-03 a device that is registered already is not registered again", async ({ page }) => {
  await enrol(page, await newUser("passkey-twice"));
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("alert")).toHaveText("This device or password manager already has a passkey for your account.");
});

test("SN-03 WA-03 MF-07 after a password, a sensitive change takes the passkey, and the page says what to do without it", async ({ page }, {
  outputDir,
}) => {
  const email = await newUser("passkey-confirms");
  const authenticator = await enrol(page, email);
  await authenticator.setPresence(false);
  await signOut(page);
  await signIn(page, email);
  await page.goto(`${issuer}/account/password`);
  await expect(page.getByRole("heading", { name: "Confirm it's you" })).toBeVisible();
  await expect(page.getByText("Is your passkey on another device?")).toBeVisible();
  await expect(page.getByText("You have no recovery codes.")).toBeVisible();
  await expect(page.getByLabel("Password")).toHaveCount(0);
  await expectAccessible(page);
  await page.screenshot({ path: `${outputDir}/confirm-without-codes.png`, fullPage: true });
  await authenticator.setPresence(true);
  await page.getByRole("button", { name: "Use a passkey or security key" }).click();
  await expect(page).toHaveURL(`${issuer}/account/password`);

  await page.goto(`${issuer}/account/security`);
  await page.getByRole("button", { name: "New recovery codes" }).click();
  const [code = ""] = await page.locator("ol.codes li").allTextContents();
  await authenticator.setPresence(false);
  await signOut(page);
  await signIn(page, email);
  await page.goto(`${issuer}/account/password`);
  await expectAccessible(page);
  await page.screenshot({ path: `${outputDir}/confirm-with-codes.png`, fullPage: true });
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${issuer}/account/password`);
});

test("WA-06 a passkey that does not verify its user does not sign in", async ({ page }) => {
  const email = await newUser("passkey-unverified");
  const authenticator = await enrol(page, email);
  await authenticator.setVerified(false);
  await withoutSuggestions(page);
  await signOut(page);
  await page.goto(`${issuer}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.goto(`${issuer}/account`);
  await expect(page).toHaveURL((url) => url.pathname === "/sign-in");
});

test("WA-13 after a password, a passkey is offered once a month, and the sign-in goes on", async ({ page }) => {
  const email = await newUser("passkey-offer");
  const authenticator = await addVirtualAuthenticator(page, { present: false });
  const next = `${issuer}/sign-in?next=/device`;
  const fill = async () => {
    await page.goto(next);
    await expect(page.locator("input[name=passkeys]")).toHaveValue("available");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  await fill();
  await expect(page.getByRole("heading", { name: "Sign in faster next time" })).toBeVisible();
  await expectAccessible(page);
  await authenticator.setPresence(true);
  await page.getByRole("button", { name: "Create a passkey" }).click();
  await expect(page).toHaveURL(`${issuer}/device`);
  expect(await authenticator.credentials()).toHaveLength(1);

  await authenticator.setPresence(false);
  await signOut(page);
  await fill();
  await expect(page).toHaveURL(`${issuer}/device`);
});

test("WA-13 the offer can be declined", async ({ page }) => {
  const email = await newUser("passkey-declined");
  await addVirtualAuthenticator(page, { present: false });
  await page.goto(`${issuer}/sign-in?next=/device`);
  await expect(page.locator("input[name=passkeys]")).toHaveValue("available");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(page).toHaveURL(`${issuer}/device`);
});

test("WA-10 the browser hears which passkeys an account has on its security page, and nowhere else", async ({ page }) => {
  const email = await newUser("passkey-signals");
  await page.addInitScript(`window.heard = [];
    for (const name of ["signalAllAcceptedCredentials", "signalCurrentUserDetails", "signalUnknownCredential"])
      PublicKeyCredential[name] = async (details) => void window.heard.push(name + " " + JSON.stringify(details));`);
  const heard = () => page.evaluate<string[]>("window.heard");
  const authenticator = await enrol(page, email);
  await expect.poll(heard).toEqual([expect.stringContaining("signalAllAcceptedCredentials"), expect.stringContaining(email)]);
  await authenticator.setPresence(false);
  await signOut(page);
  await page.goto(`${issuer}/sign-in`);
  expect(await heard()).toEqual([]);
});

test("WA-11 the sign-in page runs one script, and nothing inline", async ({ browser }) => {
  const page = await newPageWithViolations(browser);
  await page.goto(`${issuer}/sign-in`);
  const sources = await page.locator("script").evaluateAll((scripts) => scripts.map((one) => one.getAttribute("src")));
  expect(sources).toEqual(["/assets/passkeys.js"]);
  expect(await page.evaluate("window.violations")).toEqual([]);
  await page.context().close();
});

async function newPageWithViolations(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(`window.violations = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.violations.push(violatedDirective));`);
  return page;
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("WA-11 D16 the passkey button names the other ways, and the password works", async ({ page }) => {
    const email = await newUser("passkey-no-script");
    await page.goto(`${issuer}/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await expect(page.getByRole("alert").first()).toContainText("Sign in with your email and password");
    await signIn(page, email);
    await page.goto(`${issuer}/account/security`);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await expect(page.getByRole("alert").first()).toContainText("needs JavaScript");
  });
});
