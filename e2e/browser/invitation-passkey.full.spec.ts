import type { Page } from "@playwright/test";
import { emailOf } from "../harness/fixture.ts";
import { openMailbox } from "../harness/mailbox.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { expect, expectAccessibleOnPhoneToo, issuer, test } from "./stage.ts";
import { addVirtualAuthenticator, withoutSuggestions } from "./virtual-authenticator.ts";

/** Invites somebody, and opens the link. */
async function openInvitation(page: Page): Promise<string> {
  const email = emailOf(`invited-${Date.now()}`);
  dataOf(await mutate(issuer, "invitations.create", { email, role: "viewer" }, await consoleToken(issuer, "admin")));
  const { link } = await (await openMailbox(issuer)).next(email, "invitation");
  await page.goto(link ?? "");
  return email;
}

test("RG-08 an invitation is accepted with a passkey that its page makes, and the passkey signs in", async ({
  page,
}) => {
  const email = await openInvitation(page);
  const authenticator = await addVirtualAuthenticator(page);
  await expectAccessibleOnPhoneToo(page);

  const accept = page.getByRole("button", { name: "Accept with a passkey" });
  await accept.click(); // the name is missing
  await expect(page.getByLabel("Name")).toBeFocused();
  expect(await authenticator.credentials()).toEqual([]);

  await page.getByLabel("Name").fill("Grace");
  await accept.click();
  await expect(page).toHaveURL(`${issuer}/account`);
  await expect(page.locator(".person strong")).toHaveText("Grace");
  expect(await authenticator.credentials()).toHaveLength(1);
  await page.goto(`${issuer}/account/security`); // as a sign-in with the passkey, without a further confirmation
  await expect(page.getByRole("button", { name: "Add a passkey" })).toBeVisible();

  await withoutSuggestions(page);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.goto(`${issuer}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(`${issuer}/account`);
  await expect(page.getByText(email).first()).toBeVisible();
});

test("RG-08 a cancelled passkey makes no account: the invitation can be accepted with a password", async ({ page }) => {
  await openInvitation(page);
  const authenticator = await addVirtualAuthenticator(page);
  await authenticator.setVerified(false);
  await page.getByLabel("Name").fill("Grace");
  await page.getByRole("button", { name: "Accept with a passkey" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByLabel("Password").fill("a password of four words");
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await expect(page).toHaveURL(`${issuer}/account`);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("RG-08 WA-11 the passkey button says that it needs JavaScript, and the password works", async ({ page }) => {
    await openInvitation(page);
    await page.getByRole("button", { name: "Accept with a passkey" }).click();
    await expect(page.getByRole("alert").first()).toContainText("needs JavaScript");
    await page.getByLabel("Name").fill("Grace");
    await page.getByLabel("Password").fill("a password of four words");
    await page.getByRole("button", { name: "Accept invitation" }).click();
    await expect(page).toHaveURL(`${issuer}/account`);
  });
});
