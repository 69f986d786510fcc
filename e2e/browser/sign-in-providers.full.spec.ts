import { randomUUID } from "node:crypto";
import { startUpstreamServer } from "@gatehouse/accounts/testing/upstream";
import { expect, expectAccessible, openConsole, test } from "./stage.ts";

test("UP-01 an admin adds a provider, is warned before switching it on untested, tests the sign-in and switches it on", async ({
  page,
}) => {
  const corp = await startUpstreamServer("gatehouse-at-upstream", "localhost");
  const id = `corp-${randomUUID().slice(0, 8)}`;
  corp.forge({ claims: { email: `${id}@corp.example`, email_verified: true } });
  await openConsole(page, "admin", "/sign-in-providers");
  await page.getByRole("button", { name: "Add provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Kind").selectOption({ label: "Microsoft" });
  await expect(dialog.getByLabel("Directory (tenant) ID")).toBeVisible();
  await dialog.getByLabel("Kind").selectOption({ label: "OpenID Connect" });
  await dialog.getByLabel("ID", { exact: true }).fill(id);
  await dialog.getByLabel("Issuer").fill(corp.issuer);
  await dialog.getByLabel("Client ID").fill("gatehouse-at-upstream");
  await dialog.getByRole("textbox", { name: "Client secret" }).fill(corp.clientSecret);
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await expect(page.getByText("This provider is off")).toBeVisible();

  await page.getByRole("button", { name: "Switch on" }).click();
  const warning = page.getByRole("dialog", { name: /is not tested yet/ });
  await expectAccessible(page);
  await warning.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Test sign-in" }).click();
  const result = page.getByRole("region", { name: "Sign-in" });
  await expect(result).toContainText("this user would not get in"); // trust_email is off
  await expect(result).toContainText("Trust verified addresses");
  await expect(result).toContainText(`${id}@corp.example (not verified)`);
  await expect(page).toHaveURL((url) => !url.searchParams.has("report"));
  await expectAccessible(page);

  await page.getByRole("button", { name: "Switch on" }).click();
  await page.getByRole("button", { name: "Switch off" }).click(); // other tests use this server's sign-in page
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByText("This provider is off")).toBeVisible();
  corp.close();
});
