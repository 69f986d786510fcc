import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  adminUrl,
  expect,
  expectAccessible,
  openConsole,
  post,
  registerClient,
  signInToConsole,
  test,
} from "./stage.ts";

const CALLBACK = "http://localhost:4000/callback";

/** Changes the client as a colleague would, past the open page. */
async function changeScopes(page: Page, clientId: string, scopes: string[]): Promise<void> {
  await post(page, "clients.update", {
    clientId,
    scopes,
    redirectUris: [CALLBACK],
    grantTypes: ["authorization_code"],
  });
}

// The server refuses a promotion of what somebody changed meanwhile.
test.use({ provoked: [409] });

test("CO-25 a redirect URI says while it is typed what it matches, and a refused one proposes the nearest that is accepted", async ({
  page,
}) => {
  await openConsole(page, "developer");
  const { clientId } = await registerClient(page, {
    applicationName: `Typed ${randomUUID().slice(0, 8)}`,
    environment: "staging",
  });
  await page.goto(`${adminUrl}/go/${clientId}`);
  await expect(page.getByTestId("client-id")).toHaveText(clientId);
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Settings" }).click();
  const uri = page.getByLabel("Redirect URI", { exact: true });
  await uri.fill("http://Shop.example#top");
  await page.getByRole("button", { name: "Use https://shop.example/" }).click();
  await expect(uri).toHaveValue("https://shop.example/");
  await expect(
    page.getByText("Without the slash at the end it does not: https://shop.example", { exact: false }),
  ).toBeVisible();
  await expectAccessible(page);
});

test("CO-24 CO-23 promote-with-conflict: a promotion applies to what was previewed, and the environments are compared", async ({
  page,
}) => {
  await signInToConsole(page, "developer");
  const applicationName = `Promoted ${randomUUID().slice(0, 8)}`;
  const { applicationId, clientId } = await registerClient(page, { applicationName, scopes: ["openid"] });
  await page.goto(`${adminUrl}/applications/${applicationId}?environment=staging`);
  await page.getByRole("button", { name: "Promote from development" }).click();
  await page.getByLabel("Redirect URI", { exact: true }).fill("https://staging.shop.example/callback");
  const changes = page.getByRole("table", { name: "Changes" });
  await expect(changes.getByRole("row", { name: /^Scopes openid – new/ })).toBeVisible();
  await changeScopes(page, clientId, ["openid", "email"]);

  const promote = page.getByRole("button", { name: "Promote", exact: true });
  await promote.click();
  await expect(page.getByText("A client changed after you opened this comparison.")).toBeVisible();
  await expect(changes.getByRole("row", { name: /^Scopes openid, email – new/ })).toBeVisible();
  await expect(page.getByLabel("Redirect URI", { exact: true })).toHaveValue("https://staging.shop.example/callback");
  await expectAccessible(page);
  await promote.click();
  await page.getByRole("button", { name: "Done" }).click();

  await changeScopes(page, clientId, ["openid", "profile"]);
  await page.reload();
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByText("One setting differs.")).toBeVisible();
  await expect(
    page.getByRole("table", { name: "Different", exact: true }).getByRole("row", { name: /^Scopes/ }),
  ).toContainText("profile");
  await expect(page.getByRole("table", { name: "Different by design" })).toContainText(clientId);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Back to overview" }).click();

  await page.getByRole("button", { name: "Promote from development" }).click();
  await expect(changes.getByRole("row", { name: /^Scopes .* changes/ })).toBeVisible();
  await promote.click();
  await expect(page.getByText("Promoted from development to staging.")).toBeVisible();
});
