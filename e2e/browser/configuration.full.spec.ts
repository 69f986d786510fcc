import { adminUrl, expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

// A file without the values of its variables answers 400, a stale plan 409.
test.use({ provoked: [400, 409] });

test("CO-71 an admin takes the configuration along, without secrets", async ({ page }) => {
  await openConsole(page, "admin", "/settings/configuration");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("gatehouse.json");
  await page.goto(`${adminUrl}/settings/configuration`);
  await expect(page.getByRole("heading", { level: 1, name: "Configuration" })).toBeVisible();
});

test("CO-72 an admin plans a file, sees field by field what it changes, and applies exactly that", async ({ page }) => {
  const stamp = Date.now().toString(36);
  const clientId = `harbour-${stamp}`;
  const fileOf = (scopes: string[]) => {
    const development = { client_id: clientId, type: "service", client_secret: { from_env: "HARBOUR_SECRET" }, scopes };
    return JSON.stringify({ applications: [{ name: `Harbour ${stamp}`, environments: { development } }] });
  };
  const secret = "a-secret-that-the-file-does-not-have-0123456789";
  await openConsole(page, "admin", "/settings/configuration");
  await expectAccessible(page);
  const plan = page.getByRole("region", { name: "Plan", exact: true });
  const changes = page.getByRole("region", { name: "What changes" });

  await plan.getByLabel("File", { exact: true }).fill(fileOf(["api:read"]));
  await plan.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(plan).toContainText("HARBOUR_SECRET is not set");
  await plan.getByLabel("HARBOUR_SECRET").fill(secret);
  await plan.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(changes).toContainText("2 to create, 0 to change");
  await expect(changes).not.toContainText(secret);
  await expectAccessible(page);
  await changes.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply 2 changes" }).click();
  await expect(page.getByText("The file is applied.")).toBeVisible();
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: secret });
  expect((await fetch(`${issuer}/token`, { method: "POST", body })).status).toBe(200);

  await plan.getByLabel("File", { exact: true }).fill(fileOf(["api:read", "api:write"]));
  await plan.getByLabel("HARBOUR_SECRET").fill(secret);
  await plan.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(changes).toContainText("0 to create, 1 to change, 1 to keep");
  await expect(changes).toContainText('["api:read"] → ["api:read","api:write"]');

  // Somebody else creates what the plan would: it no longer applies.
  const quay = `Quay ${stamp}`;
  await plan
    .getByLabel("File", { exact: true })
    .fill(JSON.stringify({ applications: [{ name: quay, environments: {} }] }));
  await plan.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(changes).toContainText("1 to create");
  await page.evaluate(async (name) => {
    const headers = { "content-type": "application/json" };
    await fetch("/api/trpc/applications.create", {
      method: "POST",
      headers,
      body: JSON.stringify({ name, description: "" }),
    });
  }, quay);
  await changes.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply 1 change" }).click();
  await expect(page.getByRole("dialog")).toContainText("Make a new plan");
  await page.keyboard.press("Escape");
});
