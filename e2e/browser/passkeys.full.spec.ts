import { PASSWORD } from "../harness/fixture.ts";
import { enrol, newUser, signIn, signOut } from "./passkeys.ts";
import { expect, expectAccessible, issuer, test } from "./stage.ts";
import { addVirtualAuthenticator, withoutSuggestions } from "./virtual-authenticator.ts";

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

test("WA-04 the button takes over from the pending suggestions, and a page without a passkey says what to do", async ({
  page,
}) => {
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
  await expect(page.getByRole("alert")).toHaveText(
    "This device or password manager already has a passkey for your account.",
  );
});

test("SN-03 WA-03 MF-07 after a password, a sensitive change takes the passkey, and the page says what to do without it", async ({
  page,
}, { outputDir }) => {
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

test("WA-10 the browser hears which passkeys an account has on its security page, and nowhere else", async ({
  page,
}) => {
  const email = await newUser("passkey-signals");
  await page.addInitScript(`window.heard = [];
    for (const name of ["signalAllAcceptedCredentials", "signalCurrentUserDetails", "signalUnknownCredential"])
      PublicKeyCredential[name] = async (details) => void window.heard.push(name + " " + JSON.stringify(details));`);
  const heard = () => page.evaluate<string[]>("window.heard");
  const authenticator = await enrol(page, email);
  await expect
    .poll(heard)
    .toEqual([expect.stringContaining("signalAllAcceptedCredentials"), expect.stringContaining(email)]);
  await authenticator.setPresence(false);
  await signOut(page);
  await page.goto(`${issuer}/sign-in`);
  expect(await heard()).toEqual([]);
});

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
