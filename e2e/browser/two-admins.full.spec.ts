import type { Page } from "@playwright/test";
import { emailOf } from "../harness/fixture.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { createUser } from "./people.ts";
import {
  adminUrl,
  createApplication,
  expect,
  expectAccessible,
  issuer,
  openConsole,
  openSection,
  post,
  registerClient,
  save as saveForm,
  test,
} from "./stage.ts";
import { name } from "./two-admins.ts";

// The refusal of the second save.
test.use({ provoked: [409] });

test("CO-45 who changed another field of a user loses nothing: both changes are kept", async ({ page }) => {
  const person = `changed-twice-${Date.now()}`;
  await createUser(person);
  await openConsole(page, "admin", "/users");
  await page.getByLabel("Search users").fill(emailOf(person));
  await page.getByRole("table").getByRole("link", { name: person }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(person);
  const id = new URL(page.url()).pathname.split("/").at(-1);

  await name(page).fill(`${person} renamed`);
  await post(page, "users.update", { id, role: "viewer" });
  await page.getByRole("button", { name: "Save changes", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "changed this after you opened it" });
  await expect(dialog).toContainText("They changed different fields. Both changes are kept.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
  await page.reload();
  await expect(name(page)).toHaveValue(`${person} renamed`);
  await expect(page.getByLabel("Role")).toHaveValue("viewer");
});

test("CO-45 two admins set one lifetime of a client: both values and who saved first are shown, and the one that is chosen holds", async ({
  page,
  browser,
  watched,
}) => {
  const other = `other-client-admin-${Date.now()}`;
  await createUser(other, { role: "admin" });
  await openConsole(page, "admin");
  const { clientId, secret } = await registerClient(page, {
    applicationName: `Lifetimes ${Date.now()}`,
    type: "service",
    redirectUris: [],
    grantTypes: ["client_credentials"],
    scopes: ["api:read"],
  });
  const lifetimeSeconds = async () => {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: secret ?? "",
    });
    const answer = (await (await fetch(`${issuer}/token`, { method: "POST", body })).json()) as { expires_in?: number };
    return answer.expires_in;
  };
  const openTokens = async (admin: Page) => {
    await openSection(admin, "Settings");
    await admin.getByRole("button", { name: /^Tokens: / }).click();
  };
  const lifetime = (admin: Page) => admin.getByLabel("Access token lifetime");
  await page.goto(`${adminUrl}/go/${clientId}`);
  await openTokens(page);

  const elsewhere = await browser.newContext();
  watched(elsewhere);
  const second = await elsewhere.newPage();
  await openConsole(second, other);
  await second.goto(`${adminUrl}/go/${clientId}`);
  await openTokens(second);
  await lifetime(second).fill("900");
  await saveForm(second);
  await elsewhere.close();
  expect(await lifetimeSeconds()).toBe(900);

  await lifetime(page).fill("3600");
  const saveMine = page.getByRole("button", { name: "Save changes", exact: true });
  await saveMine.click();
  const dialog = page.getByRole("dialog", { name: `${other} changed this after you opened it` });
  await expect(dialog).toContainText("Access token lifetime");
  await expect(dialog).toContainText("900 s");
  await expect(dialog).toContainText("3600 s");
  await expectAccessible(page);
  expect(await lifetimeSeconds()).toBe(900);
  await dialog.getByRole("button", { name: "Back to the form" }).click();
  await expect(lifetime(page)).toHaveValue("3600");

  await saveMine.click();
  await dialog.getByRole("radio", { name: "Keep mine" }).check();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
  expect(await lifetimeSeconds()).toBe(3600);
});

test("CO-45 the name of an application that somebody else has changed is not overwritten unasked", async ({ page }) => {
  await openConsole(page, "admin");
  const [first, theirs, mine] = ["Framed", "Theirs", "Mine"].map((one) => `${one} ${Date.now()}`) as [
    string,
    string,
    string,
  ];
  await createApplication(page, first);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(first);
  const id = new URL(page.url()).pathname.split("/").at(-1);

  await page.getByRole("button", { name: "Edit application" }).click();
  const form = page.getByRole("dialog", { name: "Edit application" });
  await form.getByLabel("Name").fill(mine);
  await post(page, "applications.update", { id, name: theirs, description: "" });
  await form.getByRole("button", { name: "Save changes" }).click();
  const dialog = page.getByRole("dialog", { name: "changed this after you opened it" });
  await expect(dialog).toContainText(theirs);
  await expect(dialog).toContainText(mine);
  await dialog.getByRole("button", { name: "Back to the form" }).click();
  await expect(form.getByLabel("Name")).toHaveValue(mine);
  await form.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByRole("radio", { name: /^Take / }).check();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(`${adminUrl}/applications/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(theirs);
});

// The refusal of the second save.
test.use({ provoked: [409] });

const sentence = (page: Page) => page.getByLabel("Sentence for users");

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });

test("CO-45 two-admins-one-form: the second to save sees both values and who saved first, and nothing is lost", async ({
  page,
}) => {
  const id = `https://two-admins-${Date.now()}.example`;
  const other = `other-admin-${Date.now()}`;
  await createUser(other, { role: "admin" });
  const resource = {
    id,
    name: "Parcels",
    scopes: [{ name: `parcels-${Date.now()}:read`, description: "see your parcels" }],
  };
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
