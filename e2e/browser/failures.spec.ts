import { newClient, refusedAuthorization } from "./failures.ts";
import { adminUrl, expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

test("CO-47 CO-27 failure-to-mend: a failure leads by its error id to the difference, and its mend is filled in but not saved", async ({
  page,
}) => {
  await openConsole(page, "developer");
  const registered = "http://localhost:4000/callback";
  const clientId = await newClient(page, registered);
  const errorId = await refusedAuthorization(clientId, `${registered}/`);

  await page.getByRole("link", { name: "Failures", exact: true }).click();
  await page.getByLabel("Error id").fill(errorId.toLowerCase());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(errorId);
  await expect(page.getByTestId("error-id")).toHaveText(errorId);
  await expect(page.getByText("The redirect URI is not registered for the client: a slash at the end.")).toBeVisible();
  await expect(page.getByTestId("diff")).toContainText(`character ${registered.length + 1}`);
  await expectAccessible(page);

  await page.getByRole("link", { name: "Add this URI…" }).click();
  await expect(page.getByText("From a failure, not saved yet")).toBeVisible();
  await expect(page.getByLabel("Redirect URI 2", { exact: true })).toHaveValue(`${registered}/`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved.")).toBeVisible();
  await expect(page.getByText("From a failure, not saved yet")).toHaveCount(0);

  await page.goto(`${adminUrl}/failures/${errorId}`);
  await expect(page.getByText("This URI is registered now.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Add this URI…" })).toHaveCount(0);

  await page.getByRole("link", { name: "Try the client" }).click();
  await expect(page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Try", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(page.getByRole("tab", { name: "Development" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();

  await page.goto(`${adminUrl}/failures/${await refusedAuthorization("no-such-client", registered)}`);
  await expect(page.getByRole("button", { name: "Copy message for them" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try the client" })).toHaveCount(0);
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
