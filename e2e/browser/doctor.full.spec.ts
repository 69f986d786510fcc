import { expect, expectAccessible, openConsole, test } from "./stage.ts";

test("the doctor examines the server and every endpoint, and says what to change", async ({ page }) => {
  await openConsole(page, "admin", "/doctor");
  await expect(page.getByText("Nothing checked yet")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Run checks" }).click();
  await expect(page.getByRole("button", { name: "Run checks again" })).toBeEnabled({ timeout: 60_000 });
  await expect(
    page.getByRole("status").filter({ hasText: /Everything is as it should be|to look at|failed/ }),
  ).toBeVisible();
  const server = page.getByRole("region", { name: "Server" });
  await expect(server.getByText("Fine: Discovery names this address as the issuer")).toBeAttached();
  await server.getByText(/checks passed/).click();
  await expect(server.getByText("Clients that discover this server find the right issuer.")).toBeVisible();
  const stripe = page.getByRole("region", { name: "stripe", exact: true });
  await stripe.getByText(/checks passed/).click();
  await expect(stripe.getByText("A delivery without a signature gets 400")).toBeVisible();
  await expectAccessible(page);
});
