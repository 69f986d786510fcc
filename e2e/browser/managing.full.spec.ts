import type { Locator, Page } from "@playwright/test";
import { openMailbox } from "../harness/mailbox.ts";
import { createApplication, expect, expectAccessible, issuer, openConsole, openSection, save, test } from "./stage.ts";

const refreshAs = (clientId: string, secret: string) =>
  fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: "none",
      client_id: clientId,
      client_secret: secret,
    }),
  }).then(async (answer) => ((await answer.json()) as { error: string }).error);

test("D11 a developer promotes a client from development to staging and rotates its secret without downtime", async ({
  page,
}) => {
  await openConsole(page, "developer");
  await createApplication(page, "Promoted shop");
  await page.getByRole("button", { name: "Register client" }).click();
  await page.getByLabel("Redirect URI", { exact: true }).fill("http://localhost:4000/callback");
  await page.getByRole("checkbox", { name: "api:read" }).check();
  await page.getByRole("button", { name: "Register", exact: true }).click();
  const secret = page.getByTestId("client-secret");
  const development = (await secret.textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  const developmentId = (await page.getByTestId("client-id").textContent()) ?? "";

  await page.getByRole("tab", { name: "Staging" }).click();
  await page.getByRole("button", { name: "Promote from development" }).click();
  await expect(page.getByRole("table", { name: "Changes" })).toContainText("api:read");
  await expectAccessible(page);
  await page.getByLabel("Redirect URI", { exact: true }).fill("https://staging.shop.example/callback#top");
  await expect(page.getByText(/#/)).toBeVisible();
  await page.getByLabel("Redirect URI", { exact: true }).fill("https://staging.shop.example/callback");
  await page.getByRole("button", { name: "Promote", exact: true }).click();
  await expect(secret).toBeVisible();
  const staging = (await secret.textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByTestId("client-id")).not.toHaveText(developmentId);
  const stagingId = (await page.getByTestId("client-id").textContent()) ?? "";

  expect(await refreshAs(developmentId, development)).toBe("invalid_grant");
  expect(await refreshAs(stagingId, development)).toBe("invalid_client");

  await openSection(page, "Secrets");
  await page.getByRole("button", { name: "Add secret" }).click();
  await page.getByRole("button", { name: "Generate secret" }).click();
  const rotated = (await secret.textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  for (const known of [staging, rotated]) expect(await refreshAs(stagingId, known)).toBe("invalid_grant");

  const first = page
    .getByRole("table", { name: "Secrets" })
    .getByRole("row")
    .filter({ hasText: staging.slice(-4) });
  await first.getByRole("button", { name: /Retire/ }).click();
  const retiring = page.getByRole("dialog", { name: /^Retire/ });
  await retiring.getByLabel("When").selectOption("Now");
  await retiring.getByLabel(/^Type/).fill(staging.slice(-4));
  await retiring.getByRole("button", { name: "Retire" }).click();
  await expect(first).toHaveCount(0);
  expect(await refreshAs(stagingId, staging)).toBe("invalid_client");
  expect(await refreshAs(stagingId, rotated)).toBe("invalid_grant");

  await openSection(page, "Overview");
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("This client is disabled")).toBeVisible();
  expect(await refreshAs(stagingId, rotated)).toBe("invalid_client");
});

test("an application gets a second client, which is promoted on its own, renamed and found at its URL", async ({
  page,
}) => {
  const register = async (uri: string) => {
    await page.getByRole("button", { name: "Register client" }).click();
    await page.getByLabel("Redirect URI", { exact: true }).fill(uri);
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByRole("button", { name: "Done" }).click();
    return (await page.getByTestId("client-id").textContent()) ?? "";
  };
  const clients = page.getByRole("tablist", { name: "Clients" });
  const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  await openConsole(page, "developer");
  await createApplication(page, "Shop with two clients");
  const mainId = await register("http://localhost:4000/callback");
  await expect(clients).toHaveCount(0);

  await page.getByRole("button", { name: "Add client" }).click();
  await name.fill("Main");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("already has a client Main")).toBeVisible();
  await name.fill("CLI");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Continue" }).click();
  const cliId = await register("http://localhost:4001/callback");
  expect(cliId).not.toBe(mainId);

  await page.getByRole("tab", { name: "Staging" }).click();
  await page.getByRole("button", { name: "Promote from development" }).click();
  await page.getByLabel("Redirect URI", { exact: true }).fill("https://staging.shop.example/callback");
  await page.getByRole("button", { name: "Promote", exact: true }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByTestId("client-id")).not.toHaveText(cliId);

  await clients.getByRole("tab", { name: "Main" }).click();
  await expect(page.getByTestId("client-id")).toHaveText(mainId);
  await page.getByRole("button", { name: "Rename client" }).click();
  await name.fill("Web");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(clients.getByRole("tab")).toHaveText(["CLI", "Web"]);
  await expect(page.getByTestId("client-id")).toHaveText(mainId);
  await expectAccessible(page);
  await page.reload();
  await expect(clients.getByRole("tab", { name: "Web" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("tab", { name: "Staging" }).click();
  await expect(page.getByText("No staging client yet")).toBeVisible();
});

test("RG-05 the owner of an address takes over an unverified account by invitation, and an admin signs them out everywhere", async ({
  page,
  browser,
  watched,
}) => {
  const email = `signed-up-${Date.now()}@example.com`;
  const context = await browser.newContext();
  watched(context);
  const stranger = await context.newPage();
  await stranger.goto(`${issuer}/sign-up`);
  await stranger.getByLabel("Name").fill("Mallory");
  await stranger.getByLabel("Email").fill(email);
  await stranger.getByLabel("Password").fill("the password of a stranger");
  await stranger.getByRole("button", { name: "Create account" }).click();
  await expect(stranger).toHaveURL(`${issuer}/account`);

  await openConsole(page, "admin", "/users");
  await page.getByLabel("Search users").fill(email);
  await page.getByRole("table").getByText(email).click();
  await page.getByRole("button", { name: "Invite the owner" }).click();
  await expectAccessible(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Role").selectOption({ label: "Developer" });
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();

  const owners = await browser.newContext();
  watched(owners);
  const owner = await owners.newPage();
  const { link } = await (await openMailbox(issuer)).next(email, "invitation");
  await owner.goto(link ?? "");
  await owner.getByLabel("Name").fill("Ops");
  await owner.getByLabel("Password").fill("a password of the tests");
  await owner.getByRole("button", { name: "Accept invitation" }).click();
  await expect(owner).toHaveURL((url) => url.pathname.startsWith("/account"));

  await stranger.goto(`${issuer}/account`);
  await expect(stranger).toHaveURL((url) => url.pathname === "/sign-in");

  await page.reload(); // the loaded list is from before the sign-in
  await expect(page.getByRole("table", { name: "Sessions" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByLabel("Also delete what the user allowed").check();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page.getByText("No active sessions.")).toBeVisible();
  await stranger.goto(`${issuer}/account`);
  await expect(stranger).toHaveURL((url) => url.pathname === "/sign-in");
  await owners.close();
  await context.close();
});

test("MF-11 RG-06 a developer sets what a client demands of sign-ins: level, age and a verified email", async ({
  page,
}) => {
  await openConsole(page, "developer");
  await createApplication(page, "Careful shop");
  await page.getByRole("button", { name: "Register client" }).click();
  await page.getByLabel("Redirect URI", { exact: true }).fill("http://localhost:4000/callback");
  await page.getByLabel("Required level").selectOption("Second factor");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await page.getByRole("button", { name: "Done" }).click();

  await openSection(page, "Settings");
  await expect(page.getByLabel("Required level")).toHaveValue("urn:gatehouse:acr:mfa");
  await page.getByRole("combobox", { name: "Default levels" }).click();
  await page.getByRole("listbox", { name: "Default levels" }).getByRole("option", { name: "Passkey" }).click();
  await page.keyboard.press("Escape");
  await page.getByLabel("Default maximum age").fill("3600");
  await page.getByRole("checkbox", { name: "Require a verified email" }).check();
  await expectAccessible(page);
  await save(page);
  await expect(page.getByText("Changes saved.")).toBeVisible();
  await expect(page.getByLabel("Required level")).toHaveValue("urn:gatehouse:acr:mfa");

  await page.getByLabel("Required level").selectOption("None");
  await save(page);
  await page.reload();
  await expect(page.getByLabel("Required level")).toHaveValue("");
  await expect(page.getByLabel("Default maximum age")).toHaveValue("3600");
  await expect(page.getByRole("checkbox", { name: "Require a verified email" })).toBeChecked();
});

/** Fails if `toast` covers `control` when the page is scrolled to its end, on a desktop or a phone. */
async function expectUncovered(page: Page, control: Locator, toast: Locator): Promise<void> {
  const desktop = page.viewportSize();
  for (const size of [desktop, { width: 390, height: 844 }]) {
    if (size !== null) await page.setViewportSize(size);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const [above, below] = await Promise.all([control.boundingBox(), toast.boundingBox()]);
    expect((above?.y ?? 0) + (above?.height ?? 0), `at ${size?.width}px`).toBeLessThanOrEqual(below?.y ?? 0);
  }
  if (desktop !== null) await page.setViewportSize(desktop);
}

test("UM-01 an admin invites a user, who accepts and is then disabled", async ({ page, browser, watched }) => {
  const email = `made-${Date.now()}@example.com`;
  const password = "a password of the tests";
  await openConsole(page, "admin", "/users");
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite user" });
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Role").selectOption({ label: "Viewer" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  const linkDialog = page.getByRole("dialog", { name: "Copy the invitation link" });
  await expect(linkDialog).toContainText("No mail server is set, so nothing was sent.");
  await expectAccessible(page);
  await linkDialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("tab", { name: "Invitations" }).click();
  await expect(page.getByText(email, { exact: true })).toBeVisible();
  await expectAccessible(page);

  const context = await browser.newContext();
  watched(context);
  const made = await context.newPage();
  const { link } = await (await openMailbox(issuer)).next(email, "invitation");
  await made.goto(link ?? "");
  await expect(made.getByText(/ invited you to create an account for /)).toBeVisible();
  await made.getByLabel("Name").fill("Made Here");
  await made.getByLabel("Password").fill(password);
  await made.getByRole("button", { name: "Accept invitation" }).click();
  await expect(made).toHaveURL((url) => url.pathname.startsWith("/account"));

  await page.getByRole("tab", { name: "Users" }).click();
  await page.getByLabel("Search users").fill(email);
  await page.getByRole("table").getByText(email).click();
  await expect(page.getByRole("heading", { name: "Made Here" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke tokens" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("A test");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke tokens" }).click();
  const toast = page.getByRole("status").filter({ hasText: "All tokens revoked." });
  await toast.hover(); // keeps it open
  await expect(page.getByRole("dialog")).toHaveCount(0); // while it closes, its overlay takes the next click
  await expectUncovered(page, page.getByRole("button", { name: "Disable" }), toast);
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("button", { name: "Enable" })).toBeVisible();
  await expect(page.getByText("“A test”")).toBeVisible();

  await made.goto(`${issuer}/account`);
  await expect(made).toHaveURL((url) => url.pathname === "/sign-in");
  await context.close();
});
