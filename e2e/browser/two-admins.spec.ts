import type { Page } from "@playwright/test";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { createUser } from "./people.ts";
import { expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";
import { name } from "./two-admins.ts";

// The refusal of the second save.
test.use({ provoked: [409] });

const sentence = (page: Page) => page.getByLabel("Sentence for users");

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

test("CO-45 two-admins-one-form: the second to save sees both values and who saved first, and nothing is lost", async ({ page }) => {
  const id = `https://two-admins-${Date.now()}.example`;
  const other = `other-admin-${Date.now()}`;
  await createUser(other, { role: "admin" });
  const resource = { id, name: "Parcels", scopes: [{ name: `parcels-${Date.now()}:read`, description: "see your parcels" }] };
  dataOf(await mutate(issuer, "resources.create", resource, await consoleToken(issuer, "admin")));
  const path = `/resources/${encodeURIComponent(id)}`;
  await openConsole(page, "admin", path);
  await expect(name(page)).toHaveValue("Parcels");
  const theirs = { ...resource, name: "Parcels of others" };
  dataOf(await mutate(issuer, "resources.update", theirs, await consoleToken(issuer, other)));

  await name(page).fill("My parcels");
  await sentence(page).fill("see where your parcels are");
  await save(page).click();
  const dialog = page.getByRole("dialog", { name: `${other} changed this after you opened it` });
  await expect(dialog).toContainText("Parcels of others");
  await expect(dialog).toContainText("My parcels");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Back to the form" }).click();
  await expect(name(page)).toHaveValue("My parcels");

  await save(page).click();
  await dialog
    .getByRole("radio", { name: `Take ${other}’s` })
    .first()
    .check();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
  await page.reload();
  await expect(name(page)).toHaveValue("Parcels of others");
  await expect(sentence(page)).toHaveValue("see where your parcels are");
  const history = page.getByRole("region", { name: "History" });
  await expect(history).toContainText(other);
  await expectAccessible(page);
});
