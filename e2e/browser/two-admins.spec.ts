import type { Page } from "@playwright/test";
import { emailOf, PASSWORD } from "../harness/fixture.ts";
import { apply } from "../harness/gatehouse.ts";
import { adminUrl, environment, expect, expectAccessible, openConsole, post, registerClient, test } from "./stage.ts";

// The refusal of the second save.
test.use({ provoked: [409] });

const name = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const sentence = (page: Page) => page.getByLabel("Sentence for users");
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

test("CO-45 two-admins-one-form: the second to save sees both values and who saved first, and nothing is lost", async ({
  page,
  browser,
  watched,
}) => {
  const id = `https://two-admins-${Date.now()}.example`;
  const other = `other-admin-${Date.now()}`;
  const person = { email: emailOf(other), password: PASSWORD, name: other, role: "admin" };
  const resource = { id, name: "Parcels", scopes: { [`parcels-${Date.now()}:read`]: "see your parcels" } };
  await apply({ users: [person], resources: [resource] }, test.info().outputDir, environment);
  const path = `/resources/${encodeURIComponent(id)}`;
  const elsewhere = await browser.newContext();
  watched(elsewhere);
  const second = await elsewhere.newPage();
  await openConsole(page, "admin", path);
  await openConsole(second, other, path);

  await name(second).fill("Parcels of others");
  await save(second).click();
  await expect(second.getByText("Changes saved.")).toBeVisible();
  await elsewhere.close();

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

const conflict = (page: Page) => page.getByRole("dialog", { name: /changed this after you opened it$/ });

test("CO-45 two admins change different options of a client: both changes are kept", async ({ page }) => {
  await openConsole(page, "admin");
  const { applicationId, clientId } = await registerClient(page, { applicationName: `Options ${Date.now()}` });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=settings`);
  const verified = page.getByRole("checkbox", { name: "Require a verified email" });
  const maxAge = page.getByLabel("Default maximum age");
  await verified.check();
  const settings = { redirectUris: ["http://localhost:4000/callback"], grantTypes: ["authorization_code"], scopes: ["openid"] };
  await post(page, "clients.update", { clientId, ...settings, options: { defaultMaxAge: 3600 } });

  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(conflict(page)).toContainText("They changed different fields.");
  await conflict(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
  await page.reload();
  await expect(maxAge).toHaveValue("3600");
  await expect(verified).toBeChecked();

  await maxAge.fill("60");
  await post(page, "clients.update", { clientId, ...settings, options: { defaultMaxAge: 120 } });
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(conflict(page).getByRole("radiogroup", { name: "Default maximum age" })).toContainText("120");
  await expectAccessible(page);
  await conflict(page).getByRole("button", { name: "Back to the form" }).click();
  await expect(maxAge).toHaveValue("60");
});

test("CO-45 a webhook endpoint: what the other one saved is not overwritten, and what was typed stays", async ({ page }) => {
  const slug = `two-admins-${Date.now()}`;
  await openConsole(page, "admin");
  await post(page, "webhookEndpoints.create", { slug, provider: "stripe", environment: "staging" });
  await page.goto(`${adminUrl}/webhooks/${slug}`);
  const tolerance = page.getByLabel("Tolerance in seconds");
  await tolerance.fill("60");
  await post(page, "webhookEndpoints.update", { slug, name: "EU shop", settings: { toleranceSeconds: 90 }, version: 1 });
  await save(page).click();
  await expect(conflict(page).getByRole("radiogroup", { name: "Tolerance in seconds" })).toContainText("90");
  await expectAccessible(page);
  await conflict(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Settings saved.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "EU shop" })).toBeVisible();
  await page.reload();
  await expect(tolerance).toHaveValue("60");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("EU shop");
});

test("CO-45 the preview frame is saved over the version that was read when its form was opened", async ({ page }) => {
  await openConsole(page, "admin");
  const { applicationId, clientId } = await registerClient(page, { applicationName: `Frames ${Date.now()}` });
  const frame = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/callback" };
  const { version } = await post<{ version: number }>(page, "previews.setFrame", { clientId, version: 1, frame });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=previews`);
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Preview addresses" });
  await form.getByLabel("Host starts with").fill("shop-");
  await post(page, "previews.setFrame", { clientId, version, frame: { ...frame, path: "/cb" } });
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(conflict(page)).toContainText("They changed different fields.");
  await conflict(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByTestId("preview-frame")).toHaveText("https://shop-….preview.example.com/cb");
});
