import { adminUrl, expect, expectAccessible, issuer, registerClient, signInToConsole, test } from "./stage.ts";
import { allowInNewTab, steps, unexpected, unique } from "./try.ts";

// Test runs of a client in the console. Each test registers a client of its own, since a new run ends the operator's earlier one of a client.

test("CO-38 CO-41 CO-42 try-code: code + PKCE, a refresh, and the negative checks", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { applicationId } = await registerClient(page, {
    applicationName: unique("Try web"),
    grantTypes: ["authorization_code", "refresh_token"],
    scopes: ["openid", "email", "offline_access"],
  });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=try`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(steps(page)).toHaveCount(1);
  await allowInNewTab(page, "Open the sign-in", () => expect(steps(page)).toHaveCount(5));
  await steps(page).nth(2).getByText("Request and response").click();
  await expect(steps(page).nth(2)).toContainText("grant_type=authorization_code");
  await expect(steps(page).nth(2)).toContainText('"access_token": "…');
  await steps(page).nth(2).getByText("ID token, decoded").click();
  await expect(steps(page).nth(2)).toContainText(`"iss": "${issuer}"`);
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await expect(steps(page).filter({ hasText: "Refresh" })).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Run negative checks" }).click();
  await expect(steps(page).filter({ hasText: "Refused:" })).toHaveCount(3);
  await expect(steps(page).filter({ hasText: "The token is dead" })).toContainText("RFC 7662");
  await expect(unexpected(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeEnabled();
});
