import { emailOf } from "../harness/fixture.ts";

import { adminUrl, expect, openConsole, test } from "./stage.ts";

test("CO-01 CO-06 CO-07 the frame names the page: groups, breadcrumbs, title, and an Environment control that is in the URL", async ({
  page,
}) => {
  await openConsole(page, "admin", "/deliveries?environment=staging");
  const main = page.getByRole("navigation", { name: "Main" });
  for (const group of ["Connect", "Watch", "People", "Set up"])
    await expect(main.getByRole("list", { name: group })).toBeVisible();

  const environment = page.getByRole("banner").getByLabel("Environment");
  await expect(environment).toHaveValue("staging");
  await environment.selectOption({ label: "All" });
  await expect(page).toHaveURL((url) => url.searchParams.get("environment") === "all");

  await main.getByRole("link", { name: "Users", exact: true }).click();
  await expect(page).toHaveTitle("Users · Gatehouse Console");
  await expect(environment).toBeDisabled();
  await expect(environment).toHaveValue("all");

  await page.goto(`${adminUrl}/go/${encodeURIComponent(emailOf("viewer"))}`);
  await expect(page).toHaveTitle(/ · Users · Gatehouse Console$/);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(crumbs.getByRole("link", { name: "Users" })).toHaveAttribute("href", "/users");
  await expect(crumbs.locator("[aria-current=page]")).toHaveText(
    (await page.getByRole("heading", { level: 1 }).textContent()) ?? "",
  );
});
