import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { newClient, refusedAuthorization } from "./failures.ts";
import { adminUrl, expect, expectAccessible, issuer, openConsole, registerClient, test } from "./stage.ts";

test("CO-27 in production, a URI from a failure is typed by hand, and a host new to the application draws a warning", async ({
  page,
}) => {
  await openConsole(page, "admin");
  const registered = "https://shop.example/callback";
  const production = { environment: "production", redirectUris: [registered] };
  const { clientId } = await registerClient(page, {
    applicationName: `Shop ${randomBytes(4).toString("hex")}`,
    ...production,
  });
  const foreign = "https://evil.example/callback";
  await page.goto(`${adminUrl}/failures/${await refusedAuthorization(clientId, foreign)}`);
  await page.getByRole("link", { name: "Add this URI…" }).click();
  const proposal = page.getByRole("alert").filter({ hasText: "From a failure, not saved yet" });
  await expect(proposal).toContainText(foreign);
  await expect(proposal).toContainText("The host evil.example is new to this application.");
  await expect(page.getByLabel("Redirect URI", { exact: true })).toHaveValue(registered);
  await expect(page.getByLabel("Redirect URI 2", { exact: true })).toHaveCount(0);
  await expectAccessible(page);

  // The same host in another place is no surprise, but is typed all the same.
  await page.goto(`${adminUrl}/failures/${await refusedAuthorization(clientId, `${registered}/`)}`);
  await page.getByRole("link", { name: "Add this URI…" }).click();
  await expect(proposal).toContainText(`${registered}/`);
  await expect(proposal).not.toContainText("new to this application");
  await expect(page.getByLabel("Redirect URI 2", { exact: true })).toHaveCount(0);
});

test("CO-46 failure-group-regresses: a group that somebody resolved is marked when it returns", async ({ page }) => {
  await openConsole(page, "developer");
  const clientId = await newClient(page, "http://localhost:4000/callback");
  await refusedAuthorization(clientId, "http://localhost:5000/callback");

  await page.goto(`${adminUrl}/failures?clientId=${clientId}`);
  const row = page.getByRole("table").getByRole("link");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("another port");
  await expectAccessible(page);
  await row.click();
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("Resolved. If it returns")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();
  await expectAccessible(page);

  await refusedAuthorization(clientId, "http://localhost:5000/callback");
  await page.goto(`${adminUrl}/failures?clientId=${clientId}`);
  await expect(page.getByRole("table").getByText("Regressed")).toBeVisible();
  await page.getByRole("link", { name: "All", exact: true }).click();
  const refused = page.getByRole("table").getByRole("link");
  await expect(refused).toHaveCount(2);

  const filters = page.getByRole("main").getByRole("search");
  const choose = async (state: string) => {
    await filters.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "State", exact: true }).click();
    await page
      .getByRole("list", { name: "State", exact: true })
      .getByRole("button", { name: state, exact: true })
      .click();
  };
  await choose("Resolved");
  await expect(page.getByText("No refused request matches all of these filters.")).toBeVisible();
  await filters.getByRole("button", { name: "Remove filter: State" }).click();
  await choose("Regressed");
  await expect(refused).toHaveCount(2);
  await expect(page).toHaveURL(/[?&]state=regressed/);
  await expectAccessible(page);
});

test("CO-03 filters and what they find are in the URL: a reload and Back see the same", async ({ page }) => {
  await openConsole(page, "developer");
  const clientId = await newClient(page, "http://localhost:4000/callback");
  await refusedAuthorization(clientId, "http://localhost:5000/callback");
  await page.goto(`${adminUrl}/failures`);
  const filters = page.getByRole("main").getByRole("search");
  const choose = async (field: string) => {
    await filters.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: field, exact: true }).click();
  };
  await choose("Client");
  await page.getByRole("textbox", { name: "Client", exact: true }).fill(clientId);
  await page.keyboard.press("Enter");
  await choose("Cause");
  await page
    .getByRole("list", { name: "Cause", exact: true })
    .getByRole("button", { name: "redirect uri unregistered" })
    .click();
  await choose("From");
  await page.getByLabel("From", { exact: true }).and(page.locator("input")).fill("2024-02-29T00:00");
  await page.keyboard.press("Enter");
  await choose("To");
  await page.getByLabel("To", { exact: true }).and(page.locator("input")).fill("2099-12-31T00:00");
  await page.keyboard.press("Enter");

  const rows = page.getByRole("main").getByRole("table").getByRole("link");
  const chips = filters.getByRole("button", { name: /^Remove filter: / });
  const unchanged = async () => {
    await expect(page).toHaveURL((url) =>
      ["clientId", "cause", "from", "to"].every((name) => url.searchParams.has(name)),
    );
    await expect(chips).toHaveCount(4);
    await expect(rows).toHaveCount(1);
  };
  await unchanged();
  await page.reload();
  await unchanged();
  await rows.click();
  await expect(page).toHaveURL(/\/failures\/group\//);
  await page.goBack();
  await unchanged();
});

test("CO-85 the failures and the applications that match the filters are downloaded", async ({ page }) => {
  await openConsole(page, "developer");
  const clientId = await newClient(page, "http://localhost:4000/callback");
  await refusedAuthorization(clientId, "http://localhost:5000/callback");
  const dialog = page.getByRole("dialog");
  const download = async (format: string) => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await dialog.getByText(format, { exact: true }).click();
    await expectAccessible(page);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Download" }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  await page.goto(`${adminUrl}/failures?tab=all&clientId=${clientId}`);
  const failures = await download("NDJSON");
  expect(failures.name).toMatch(/^failures-\d{8}T\d{6}\.ndjson$/);
  const lines = failures.text.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).client.clientId)).toEqual([clientId]);

  await page.goto(`${adminUrl}/applications?query=${clientId}`);
  const applications = await download("CSV");
  expect(applications.name).toMatch(/^applications-\d{8}T\d{6}\.csv$/);
  expect(applications.text).toMatch(/^id,name,description,createdAt,lastTokenAt,refusals,clients\r\n/);
  expect(applications.text.trimEnd().split("\r\n")).toHaveLength(2);
  expect(applications.text).toContain(clientId);
});

test("CO-26 near-miss-from-address-bar: an address from the address bar is tested against the client, and against what is registered", async ({
  page,
}) => {
  await openConsole(page, "developer");
  const registered = "http://localhost:4000/callback";
  const clientId = await newClient(page, registered);
  await page.goto(`${adminUrl}/go/${clientId}`);
  const address = `${issuer}/authorize?client_id=${clientId}&redirect_uri=${encodeURIComponent("http://localhost:4000/Callback")}`;
  await page.getByLabel("Test a redirect URI").fill(address);
  await expect(page.getByTestId("verdict")).toContainText("upper and lower case differ in the path");
  await expect(page.getByTestId("diff")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Test a redirect URI").fill(registered);
  await expect(page.getByTestId("verdict")).toContainText("/authorize accepts it");
});
