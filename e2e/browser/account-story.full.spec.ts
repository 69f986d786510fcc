import type { Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { emailOf } from "../harness/fixture.ts";
import { apply } from "../harness/gatehouse.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { startRelyingParty } from "./relying-party.ts";
import { environment, expect, expectAccessible, issuer, test } from "./stage.ts";
import { addVirtualAuthenticator, withoutSuggestions } from "./virtual-authenticator.ts";

const PASSWORD = "a first password of four words";
const NEW_PASSWORD = "another password after the reset";
const CLIENT = { clientId: "story-client", clientSecret: "only-for-tests-0123456789-0123456789" };

let relyingParty: Running | undefined;
test.afterEach(async () => {
  await relyingParty?.stop();
});

/** Registers and starts a client; returns its address. */
async function startClient(folder: string): Promise<string> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const client = {
    client_id: CLIENT.clientId,
    type: "web",
    client_secret: CLIENT.clientSecret,
    redirect_uris: [`${origin}/callback`],
    grant_types: ["authorization_code", "refresh_token"],
    scopes: ["openid", "profile", "email", "offline_access", "api:read"],
  };
  await apply(
    { applications: [{ name: "Account story", environments: { development: client } }] },
    folder,
    environment,
  );
  relyingParty = await startRelyingParty({ issuer, ...CLIENT, port });
  return origin;
}

/** Leaves for the client's sign-in, as its user. */
async function startAt(client: string, page: Page): Promise<void> {
  await page.goto(client);
  await page.getByRole("link", { name: "Sign in with Gatehouse" }).click();
}

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${issuer}/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.waitForLoadState();
}

/** Sets up an authenticator app as a phone would. Returns its codes and the recovery codes. */
async function setUpApp(page: Page): Promise<{ app: TOTP; recoveryCodes: string[] }> {
  await page.goto(`${issuer}/account/security`);
  await page.getByRole("link", { name: "Set up authenticator app" }).click();
  await expectAccessible(page);
  const link = await page.locator('a[href^="otpauth://"]').getAttribute("href");
  const secret = new URL(link ?? "").searchParams.get("secret") ?? "";
  const app = new TOTP({ secret });
  await page.getByRole("textbox", { name: "Code" }).fill(app.generate());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Your recovery codes")).toBeVisible();
  const recoveryCodes = await page.locator("ol.codes li").allTextContents();
  return { app, recoveryCodes };
}

async function useRecoveryCode(page: Page, code: string): Promise<void> {
  await expect(page).toHaveURL(/\/sign-in\/second-step/);
  await page.getByText("Use a recovery code").click();
  await page.getByLabel("Code").last().fill(code);
  await page.getByRole("button", { name: "Continue" }).last().click();
}

test("sign up, verify, passkey, authenticator app, lose both, recover, reset, and back at the client with a code", async ({
  page,
  browser,
  watched,
}, { outputDir }) => {
  const email = emailOf(`story-${Date.now()}`);
  const client = await startClient(outputDir);
  const mailbox = await openMailbox(issuer);

  await test.step("RG-02 sign up on the way to a client; the account exists at once", async () => {
    await startAt(client, page);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Name").fill("Grace");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByText("You are signed in")).toBeVisible();
  });

  await test.step("RG-02 verify the address with the mailed code", async () => {
    await page.goto(`${issuer}/account`);
    await page.getByRole("button", { name: "Verify your email address" }).click();
    const { code } = await mailbox.next(email, "verify_email");
    await page.getByLabel("Code").fill(code ?? "");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await expect(page.getByText("Your email is verified.")).toBeVisible();
  });

  const authenticator = await addVirtualAuthenticator(page);
  await test.step("WA-03 WA-04 a passkey, and a sign-in with it", async () => {
    await page.goto(`${issuer}/account/security`);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await expect(page.getByText("Passkey added.")).toBeVisible();
    await withoutSuggestions(page);
    await signOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await expect(page).toHaveURL(/\/account/);
  });

  const { recoveryCodes } = await test.step("MF-03 MF-05 an authenticator app and recovery codes", () =>
    setUpApp(page));
  expect(recoveryCodes).toHaveLength(8);

  /** A browser that neither the account nor the client has seen. */
  async function newBrowser(): Promise<Page> {
    const context = await browser.newContext();
    watched(context);
    return context.newPage();
  }

  await test.step("MF-05 both devices are lost: elsewhere, password and recovery code lead back to the client", async () => {
    await page.goto(`${issuer}/account`);
    await authenticator.remove();
    const other = await newBrowser();
    await startAt(client, other);
    await enterPassword(other, email, PASSWORD);
    await useRecoveryCode(other, recoveryCodes[0] ?? "");
    await expect(other.getByText("You are signed in")).toBeVisible();
    await mailbox.next(email, "recovery_code_used");
    await other.context().close();
  });

  await test.step("FP-03 FP-04 FP-05 the password is forgotten too: the reset keeps the request and the second factor", async () => {
    const other = await newBrowser();
    await startAt(client, other);
    await other.getByRole("link", { name: "Forgot password?" }).click();
    await other.getByLabel("Email").fill(email);
    await other.getByRole("button", { name: "Send reset link" }).click();
    const { link } = await mailbox.next(email, "reset_link");
    await other.goto(link ?? "");
    await other.getByLabel("New password").fill(NEW_PASSWORD);
    await other.getByRole("button", { name: "Set password" }).click();
    await expect(other).toHaveURL(/\/sign-in/);
    await enterPassword(other, email, NEW_PASSWORD);
    await useRecoveryCode(other, recoveryCodes[1] ?? "");
    await expect(other).toHaveURL(new RegExp(`^${client}`));
    await expect(other.getByText("You are signed in")).toBeVisible();
    await other.context().close();
  });

  await test.step("SN-04 the sessions of before the reset have ended", async () => {
    await page.goto(`${issuer}/account`);
    await expect(page).toHaveURL(/\/sign-in/);
  });
});
