import { emailOf } from "../harness/fixture.ts";
import {
  adminUrl,
  createApplication,
  expect,
  expectAccessible,
  issuer,
  openConsole,
  post,
  registerClient,
  test,
} from "./stage.ts";

test("CO-01 the sidebar collapses to icons, and stays so", async ({ page }) => {
  await openConsole(page, "viewer");
  await page.getByRole("button", { name: "Collapse navigation" }).click();
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByText("Users")).toHaveCount(0);
  await page.goto(`${adminUrl}/users`);
  await expect(main.getByRole("link", { name: "Users", exact: true })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("button", { name: "Expand navigation" })).toBeVisible();
  await expectAccessible(page);
});

test("CO-02 a page that a viewer cannot use is not in their sidebar, and answers 403", async ({ page }) => {
  await openConsole(page, "viewer");
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByRole("link", { name: "Signing keys", exact: true })).toBeVisible();
  await expect(main.getByRole("link", { name: "Doctor", exact: true })).toHaveCount(0);
  const response = await page.goto(`${adminUrl}/doctor`);
  expect(response?.status()).toBe(403);
  await expect(page.getByRole("heading", { name: "This page needs the Developer role" })).toBeVisible();
});

test("CO-06 CO-08 a client, a webhook endpoint and a delivery of production are marked, titled so, and changed by buttons that say it", async ({
  page,
}) => {
  await openConsole(page, "admin");
  const applicationName = `Marked ${Date.now()}`;
  const redirectUris = ["https://marked.example/callback"];
  const { applicationId } = await registerClient(page, { applicationName, environment: "production", redirectUris });
  const banner = page.getByRole("banner").first();
  const marked = async (title: RegExp) => {
    await expect(banner.getByText("Production", { exact: true }).first()).toBeVisible();
    await expect(banner.locator("[data-production=true]")).toBeVisible();
    await expect(banner.getByLabel("Environment")).toHaveValue("production");
    await expect(page).toHaveTitle(title);
  };

  await page.goto(`${adminUrl}/applications/${applicationId}?environment=production&tab=settings`);
  await marked(/^Marked \d+ \(production\) · Applications · Gatehouse Console$/);
  await page.getByRole("checkbox", { name: "email", exact: true }).check();
  await expect(page.getByRole("button", { name: "Save changes in production" })).toBeEnabled();
  await page.getByRole("checkbox", { name: "email", exact: true }).uncheck();

  const slug = `stripe-live-${Date.now()}`;
  await post(page, "webhookEndpoints.create", { slug, provider: "stripe", environment: "production" });
  await page.goto(`${adminUrl}/webhooks/${slug}`);
  await marked(new RegExp(`^${slug} \\(production\\) · Webhook providers · Gatehouse Console$`));
  await expect(page.getByRole("button", { name: "Save in production" })).toBeVisible();
  await expectAccessible(page);

  const delivered = await fetch(`${issuer}/api/webhooks/${slug}`, { method: "POST", body: "{}" });
  await page.goto(`${adminUrl}/deliveries/${delivered.headers.get("gatehouse-delivery-id")}`);
  await marked(/^Delivery from Stripe \(production\) · Deliveries · Gatehouse Console$/);
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(crumbs.getByRole("link", { name: "Deliveries" })).toHaveAttribute("href", "/deliveries");
  await expectAccessible(page);
});

test("CO-03 CO-07 on localhost the console starts in development, and a chosen environment stays through links and Back", async ({
  page,
}) => {
  await openConsole(page, "admin", "/");
  const control = page.getByRole("banner").first().getByLabel("Environment");
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(control).toHaveValue("development");
  await main.getByRole("link", { name: "Deliveries", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Deliveries", level: 1 })).toBeVisible();
  await expect(control).toHaveValue("development");

  const chosen = async () => {
    await expect(control).toHaveValue("production");
    await expect(page).toHaveURL((url) => url.searchParams.get("environment") === "production");
  };
  await control.selectOption({ label: "Production" });
  const opened = (name: string) => expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  for (const name of ["Failures", "Applications", "Overview"]) {
    await main.getByRole("link", { name, exact: true }).click();
    await opened(name);
    await chosen();
  }
  await page.goBack();
  await opened("Applications");
  await chosen();

  await main.getByRole("link", { name: "Users", exact: true }).click();
  await page.getByRole("table", { name: "Users" }).getByRole("link").first().click();
  await expect(page).toHaveURL((url) => url.pathname.startsWith("/users/"));
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Users" }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("environment") === "production");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search pages, objects and actions" }).fill("audit log");
  await page.keyboard.press("Enter");
  await opened("Audit log");
  await chosen();
  await control.selectOption({ label: "All" });
  await main.getByRole("link", { name: "Deliveries", exact: true }).click();
  await opened("Deliveries");
  await expect(control).toHaveValue("all");
});

test("CO-07 the Environment control asks before it drops what was typed, and filters applications", async ({
  page,
}) => {
  await openConsole(page, "developer");
  await createApplication(page, `Switched ${Date.now()}`);
  await page.getByRole("button", { name: "Register client" }).click();
  const uri = page.getByLabel("Redirect URI", { exact: true });
  await uri.fill("http://localhost:4000/callback");
  const control = page.getByRole("banner").first().getByLabel("Environment");
  await control.selectOption({ label: "Staging" });
  const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(uri).toHaveValue("http://localhost:4000/callback");
  await control.selectOption({ label: "Staging" });
  await question.getByRole("button", { name: "Discard changes" }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("environment") === "staging");

  await page.goto(`${adminUrl}/applications?environment=staging`);
  await expect(control).toHaveValue("staging");
  await control.selectOption({ label: "Production" });
  await expect(page).toHaveURL((url) => url.searchParams.get("environment") === "production");
  await expect(
    page.getByRole("table", { name: "Applications" }).getByText("Application web", { exact: true }),
  ).toBeVisible();
});

test("CO-04 /go leads to what a text names with 303, and to the search with status 404 if it names nothing", async ({
  page,
}) => {
  await openConsole(page, "viewer");
  const found = await page.request.get(`${adminUrl}/go/${encodeURIComponent(emailOf("viewer"))}`, { maxRedirects: 0 });
  expect(found.status()).toBe(303);
  expect(found.headers()["location"]).toMatch(/^http:\/\/localhost:\d+\/users\/.+/);

  const response = await page.goto(`${adminUrl}/go/${encodeURIComponent("nobody/at all?")}`);
  expect(response?.status()).toBe(404);
  const field = page.getByLabel("Id or email address");
  await expect(field).toHaveValue("nobody/at all?");
  await expectAccessible(page);
  await field.fill("web");
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("list", { name: "Matches" }).getByRole("link")).toHaveAttribute(
    "href",
    /^\/applications\/.+client=.+environment=production/,
  );
});

test("CO-02 a URL beyond the role answers 403 in the frame and names the role it needs", async ({ page }) => {
  await openConsole(page, "viewer");
  const response = await page.goto(`${adminUrl}/mail`);
  expect(response?.status()).toBe(403);
  await expect(page.getByRole("heading", { name: "This page needs the Admin role" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expectAccessible(page);
});

test("CO-86 on a phone the header shows the whole breadcrumb and the environment, and nothing overlaps", async ({
  page,
}) => {
  await openConsole(page, "admin");
  const redirectUris = ["https://phone.example/callback"];
  const shop = { applicationName: "Phone shop", environment: "production", redirectUris };
  const { applicationId } = await registerClient(page, shop);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ["/deliveries", `/applications/${applicationId}?environment=production`]) {
      await page.goto(adminUrl + path);
      const banner = page.getByRole("banner").first();
      const crumbs = banner.getByRole("navigation", { name: "Breadcrumb" });
      const last = crumbs.locator("[aria-current=page]");
      await expect(last).toBeVisible();
      expect(await last.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
      const parts = [
        crumbs,
        banner.getByLabel("Environment"),
        banner.getByRole("button", { name: "Search", exact: true }),
      ];
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      for (const [at, box] of boxes.entries()) {
        expect(box).not.toBeNull();
        if (box === null) continue;
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        for (const other of boxes.slice(at + 1)) {
          if (other === null) continue;
          const beside = box.x + box.width <= other.x || other.x + other.width <= box.x;
          expect(beside || box.y + box.height <= other.y || other.y + other.height <= box.y).toBe(true);
        }
      }
    }
  }
});
