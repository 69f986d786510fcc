// npm run screenshots: takes the pictures of the README from a fresh installation, in light and in dark. Needs a build, and ports
// 3000 and 3001, which are in the pictures.
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { authorizePath } from "./harness/flow.ts";
import { ROOT, startGatehouse } from "./harness/gatehouse.ts";
import config from "./playwright.config.ts";

const ADA = { email: "ada@example.com", password: "correct horse battery", name: "Ada Lovelace", role: "admin" };
const SIGNING_SECRET = "whsec_screenshots_0123456789";
const SHOP = {
  client_id: "demo-shop",
  type: "web",
  client_secret: "only-for-screenshots-0123456789-0123",
  redirect_uris: ["https://shop.example.com/auth/callback"],
  post_logout_redirect_uris: ["https://shop.example.com/"],
  grant_types: ["authorization_code", "refresh_token"],
  scopes: ["openid", "profile", "email", "offline_access", "api:read"],
};
const environmentsOf = (client: typeof SHOP) => ({
  development: { ...client, client_id: `${client.client_id}-dev`, redirect_uris: ["http://localhost:4000/auth/callback"] },
  production: client,
});
const FIXTURE = {
  users: [ADA],
  applications: [
    { name: "Demo shop", environments: environmentsOf(SHOP) },
    { name: "Warehouse", environments: { production: { client_id: "warehouse", type: "service", scopes: ["api:read", "api:write"] } } },
    {
      name: "Mobile app",
      environments: {
        staging: { client_id: "mobile-app", type: "native", redirect_uris: ["com.example.app:/callback"], scopes: ["openid", "api:read"] },
      },
    },
  ],
  webhooks: [{ provider: "stripe", secrets: [SIGNING_SECRET] }],
};

const gatehouse = await startGatehouse({ engine: "sqlite", fixture: FIXTURE, admin: true, ports: [3000, 3001] });
try {
  await deliver("evt_1", "invoice.paid");
  await deliver("evt_1", "invoice.paid");
  await deliver("evt_2", "customer.subscription.updated");
  await deliver("evt_3", "charge.refunded", "whsec_wrong_0123456789");
  await deliver("evt_4", "checkout.session.completed");
  const browser = await chromium.launch(config.use?.launchOptions);
  for (const colorScheme of ["light", "dark"] as const) await shoot(browser, colorScheme);
  await browser.close();
} finally {
  await gatehouse.stop();
}

/** A webhook as Stripe signs it. */
async function deliver(id: string, type: string, secret = SIGNING_SECRET): Promise<void> {
  const body = JSON.stringify({ id, type, data: { object: { amount: 4200, currency: "eur" } } });
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  const headers = { "content-type": "application/json", "stripe-signature": `t=${time},v1=${signature}` };
  await fetch(`${gatehouse.issuer}/api/webhooks/stripe`, { method: "POST", headers, body });
}

async function shoot(browser: Browser, colorScheme: "light" | "dark"): Promise<void> {
  const viewport = { width: 1200, height: 760 };
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 2, reducedMotion: "reduce" });
  const page = await context.newPage();

  await page.goto(gatehouse.adminUrl);
  await signIn(page);
  await page.getByRole("link", { name: "Demo shop" }).click();
  await page.getByRole("tab", { name: "Production" }).click();
  await page.getByText("demo-shop", { exact: true }).waitFor();
  await save(page, `console-${colorScheme}`);
  await page.goto(`${gatehouse.adminUrl}/deliveries`);
  await page.getByText("checkout.session.completed").first().waitFor();
  await page.waitForLoadState("networkidle"); // the charts come after the list
  await save(page, `deliveries-${colorScheme}`);

  await page.setViewportSize({ width: 760, height: 760 });
  await page.goto(gatehouse.issuer + authorizePath(SHOP, { scope: "openid profile email offline_access api:read" }));
  await page.getByRole("button", { name: "Allow" }).waitFor();
  await save(page, `consent-${colorScheme}`);
  await context.close();
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByLabel("Password").fill(ADA.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function save(page: Page, name: string): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  await page.screenshot({ path: join(ROOT, "docs/images", `${name}.png`) });
}
