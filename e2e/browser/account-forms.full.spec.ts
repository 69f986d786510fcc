import { readFile } from "node:fs/promises";
import { codeOf } from "@gatehouse/accounts/testing";
import type { Page } from "@playwright/test";
import { CLIENTS, emailOf, PASSWORD } from "../harness/fixture.ts";
import { authorizePath } from "../harness/flow.ts";
import { createUser } from "./people.ts";
import { confirmIdentity, expect, expectAccessibleOnPhoneToo, fillSignIn, issuer, test } from "./stage.ts";
import { addVirtualAuthenticator, withoutSuggestions } from "./virtual-authenticator.ts";

const showButton = (page: Page) => page.getByRole("button", { name: "Show password" });

test("PW-02 a password can be shown and hidden, and is hidden again when the form is sent", async ({ page }) => {
  await page.goto(`${issuer}/sign-up`);
  const field = page.getByLabel("Password");
  await expect(showButton(page)).toHaveAttribute("aria-pressed", "false");
  await page.setViewportSize({ width: 390, height: 844 });
  const box = await showButton(page).boundingBox();
  expect([box?.width, box?.height].every((size) => (size ?? 0) >= 44)).toBe(true);
  await field.fill("too short");
  await showButton(page).click();
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("type", "text");
  await expect(showButton(page)).toHaveAttribute("aria-pressed", "true");
  await expectAccessibleOnPhoneToo(page);

  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("shown@example.com");
  await page.getByRole("button", { name: "Create account" }).click();
  expect([...new URLSearchParams((await sent).postData() ?? "").keys()]).not.toContain("show");
  await expect(field).toHaveAttribute("type", "password");
  await expect(field).toHaveAccessibleDescription(/^Use at least 15 characters.* At least 15 characters/);
  await expect(page.getByRole("alert")).toHaveCount(1);
});

test("MF-05 new recovery codes can be copied, saved and printed, and are in no URL", async ({ page, context }) => {
  const name = `codes-${Date.now()}`;
  await createUser(name);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript("window.print = () => { window.printed = true; };");
  const urls: string[] = [];
  context.on("request", (request) => urls.push(request.url()));
  await page.goto(`${issuer}/sign-in`);
  await fillSignIn(page, name);
  await expect(page).toHaveURL(`${issuer}/account`);
  await page.goto(`${issuer}/account/security/authenticator`);
  const key = ((await page.locator("code.key").textContent()) ?? "").replaceAll(" ", "");
  await page.getByRole("textbox", { name: "Code" }).fill(codeOf(key, Math.floor(Date.now() / 1000)));
  await page.getByRole("button", { name: "Continue" }).click();
  const codes = await page.locator(".codes code").allTextContents();
  expect(codes).toHaveLength(8);

  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("status")).toHaveText("Copied");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${codes.join("\n")}\n`);
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("recovery-codes.txt");
  expect(saved.url()).toMatch(/^blob:/);
  const text = await readFile(await saved.path(), "utf8");
  expect(codes.every((code) => text.includes(code))).toBe(true);
  await page.getByRole("button", { name: "Print" }).click();
  expect(await page.evaluate("window.printed")).toBe(true);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".codes")).toBeVisible();
  await expect(page.getByRole("navigation")).toBeHidden();
  await page.emulateMedia({ media: null });
  await expectAccessibleOnPhoneToo(page);
  expect(urls.some((url) => codes.some((code) => url.includes(code)))).toBe(false);
});

test("RG-02 an account is made with a passkey alone, which is named after its user and signs in", async ({ page }) => {
  const email = emailOf(`by-passkey-${Date.now()}`);
  await page.goto(`${issuer}/sign-up`);
  const authenticator = await addVirtualAuthenticator(page);
  await expectAccessibleOnPhoneToo(page);
  const signUp = page.getByRole("button", { name: "Sign up with a passkey" });
  await page.getByLabel("Name").fill("Grace");
  await signUp.click(); // the address is missing
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText("Fill in the fields above first.");
  expect(await authenticator.credentials()).toEqual([]);

  await page.getByLabel("Email").fill(email);
  await signUp.click();
  await expect(page).toHaveURL(`${issuer}/account`);
  expect(await authenticator.credentials()).toMatchObject([{ userName: email, userDisplayName: "Grace" }]);
  await withoutSuggestions(page);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.goto(`${issuer}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(`${issuer}/account`);
});

test("OI-03 an app that asks for a new sign-in asks the signed-in user for the password alone", async ({ page }) => {
  const name = `renews-${Date.now()}`;
  await createUser(name, { displayName: "Ada Lovelace" });
  await page.goto(`${issuer}/sign-in`);
  await fillSignIn(page, name);
  await expect(page).toHaveURL(`${issuer}/account`);
  await page.goto(issuer + authorizePath(CLIENTS.web, { prompt: "login" }));
  await expect(page.getByRole("heading", { name: "Confirm it's you" })).toBeVisible();
  await expect(page.getByText(emailOf(name))).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(1);
  await expect(page.getByLabel("Password")).toBeFocused();
  await expectAccessibleOnPhoneToo(page);
  await confirmIdentity(page);
  await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("PW-02 there is no button that shows a password, and the forms work", async ({ page }) => {
    const email = await createUser(`no-script-${Date.now()}`);
    await page.goto(`${issuer}/sign-in`);
    await expect(showButton(page)).toHaveCount(0);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(`${issuer}/account`);
  });
});
