import { expect, expectAccessible, openConsole, test } from "./stage.ts";

test("CO-09 CO-10 CO-17 the console opens on what needs somebody and what happened, by range and environment", async ({
  page,
}) => {
  await openConsole(page, "admin", "/");
  await expect(page).toHaveTitle("Overview · Gatehouse Console");
  const health = page.getByRole("region", { name: "Health" });
  await expect(health.getByText(/^All well$|things? needs? you$/)).toBeVisible();
  await health.getByRole("button", { name: /^Show \d+ checks$/ }).click();
  await expect(health.getByText("The database reads and writes.")).toBeVisible();
  await health.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText(/^Updated /)).toBeVisible();

  // The steps of a new installation replace the charts until a client got a token, which depends on the other tests.
  const dismiss = page.getByRole("button", { name: "Dismiss" });
  if (await dismiss.isVisible()) await dismiss.click();
  await expect(page.getByRole("heading", { name: "Getting started" })).toHaveCount(0);
  const signIns = page.getByRole("figure", { name: "Sign-ins" });
  await expect(signIns).toBeVisible();
  await page.getByRole("radiogroup", { name: "Range" }).getByText("7 d").click();
  await expect(page).toHaveURL((url) => url.searchParams.get("range") === "7d");
  await page.getByRole("button", { name: "Show numbers" }).click();
  await expect(page.getByRole("region", { name: "Tokens by grant" })).toBeVisible();
  await page.getByRole("banner").getByLabel("Environment").selectOption({ label: "Staging" });
  await expect(page).toHaveURL(
    (url) => url.searchParams.get("environment") === "staging" && url.searchParams.get("range") === "7d",
  );
  await page.reload();
  await expect(signIns).toBeVisible();
  // A chart leads to the list that shows what it counts; no list shows sign-ins.
  await expect(signIns.getByRole("link")).toHaveCount(0);
  const tokens = page.getByRole("figure", { name: "Tokens" }).getByRole("link");
  await expect(tokens).toHaveAttribute("href", "/applications?environment=staging&sort=lastToken");
  await expectAccessible(page);
});
