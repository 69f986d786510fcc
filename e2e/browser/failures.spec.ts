import { newClient, refusedAuthorization } from "./failures.ts";

import { adminUrl, expect, expectAccessible, signInToConsole, test } from "./stage.ts";

test("CO-47 CO-27 failure-to-fix: a failure leads by its error id to the difference, and its fix is filled in but not saved", async ({
  page,
}) => {
  await signInToConsole(page, "developer");
  const registered = "http://localhost:4000/callback";
  const clientId = await newClient(page, registered);
  const errorId = await refusedAuthorization(clientId, `${registered}/`);

  await page.goto(`${adminUrl}/failures`);
  await page.getByLabel("Error id").fill(errorId.toLowerCase());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "The redirect URI is not registered for the client: a slash at the end",
  );
  await expect(page.getByTestId("error-id")).toHaveText(errorId);
  await expect(page.getByText(errorId)).toHaveCount(1);
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
  await expect(
    page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Try", exact: true }),
  ).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("tab", { name: "Development" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();

  await page.goto(`${adminUrl}/failures/${await refusedAuthorization("no-such-client", registered)}`);
  await expect(page.getByRole("button", { name: "Copy message for them" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Try the client" })).toHaveCount(0);
});
