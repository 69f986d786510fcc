import { randomUUID } from "node:crypto";
import { adminUrl, expect, expectAccessible, openConsole, registerClient, test } from "./stage.ts";

// The server refuses a promotion of what somebody changed meanwhile.
test.use({ provoked: [409] });

test("CO-25 a redirect URI says while it is typed what it matches, and a refused one proposes the nearest that is accepted", async ({
  page,
}) => {
  await openConsole(page, "developer");
  const { clientId } = await registerClient(page, { applicationName: `Typed ${randomUUID().slice(0, 8)}`, environment: "staging" });
  await page.goto(`${adminUrl}/go/${clientId}`);
  await expect(page.getByTestId("client-id")).toHaveText(clientId);
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Settings" }).click();
  const uri = page.getByLabel("Redirect URI", { exact: true });
  await uri.fill("http://Shop.example#top");
  await page.getByRole("button", { name: "Use https://shop.example/" }).click();
  await expect(uri).toHaveValue("https://shop.example/");
  await expect(page.getByText("Without the slash at the end it does not: https://shop.example", { exact: false })).toBeVisible();
  await expectAccessible(page);
});
