// npm run screenshots: takes pictures of the console and the consent page from a fresh installation, in light and in
// dark: those of the README into docs/images, the others into the folder `screenshots` beside this file, which Git
// ignores. Needs a build, and ports 3000 and 3001, which are in the pictures.
import { createHmac } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { authorizePath } from "./harness/flow.ts";
import { ROOT, startGatehouse } from "./harness/gatehouse.ts";
import { countTraffic } from "./harness/traffic.ts";
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
  development: {
    ...client,
    client_id: `${client.client_id}-dev`,
    redirect_uris: ["http://localhost:4000/auth/callback"],
  },
  production: client,
});
/** Colleagues and customers. */
const PEOPLE = [
  { name: "Grace Hopper", email: "grace@example.com", role: "developer" },
  { name: "Katherine Johnson", email: "katherine@example.com", role: "viewer" },
  { name: "محمد الخوارزمي", email: "muhammad@example.org", role: "user" },
  { name: "Emmy Noether", email: "emmy@example.net", role: "user" },
  { name: "Srinivasa Ramanujan", email: "srinivasa@example.in", role: "user" },
  { name: "Sofja Kowalewskaja", email: "sofja@example.se", role: "user" },
];
const FIXTURE = {
  users: [ADA, ...PEOPLE.map((person) => ({ ...person, password: ADA.password }))],
  applications: [
    { name: "Demo shop", environments: environmentsOf(SHOP) },
    {
      name: "Warehouse",
      environments: { production: { client_id: "warehouse", type: "service", scopes: ["api:read", "api:write"] } },
    },
    {
      name: "Mobile app",
      environments: {
        staging: {
          client_id: "mobile-app",
          type: "native",
          redirect_uris: ["com.example.app:/callback"],
          scopes: ["openid", "api:read"],
        },
      },
    },
  ],
  webhooks: [{ provider: "stripe", secrets: [SIGNING_SECRET] }],
};

const PRODUCTION = ["demo-shop", "warehouse"];

/** The pictures that the README shows. */
const IN_README = ["overview", "failure", "consent"];

type Picture = { name: string; open: (page: Page) => Promise<unknown>; until: (page: Page) => Locator };

const section = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });
const goto = (path: string) => (page: Page) => page.goto(gatehouse.adminUrl + path);

/** The pages of the console that the pictures show. */
const PICTURES: readonly Picture[] = [
  { name: "overview", open: goto("/?range=7d&environment=all"), until: (page) => page.getByText("Sign-ins").first() },
  {
    name: "applications",
    open: goto("/applications?sort=lastToken"),
    until: (page) => page.getByRole("link", { name: "Demo shop" }),
  },
  { name: "client", open: goto("/go/demo-shop"), until: (page) => page.getByTestId("client-id") },
  {
    name: "secrets",
    open: async (page) => {
      await page.goto(`${gatehouse.adminUrl}/go/demo-shop`);
      await section(page, "Secrets").click();
    },
    until: (page) => page.getByRole("button", { name: "Add secret" }),
  },
  {
    name: "use",
    open: async (page) => {
      await page.goto(`${gatehouse.adminUrl}/go/demo-shop`);
      await section(page, "Use").click();
    },
    until: (page) => page.getByRole("main").getByText("Refusals").first(),
  },
  {
    name: "failure",
    open: (page) => page.goto(`${gatehouse.adminUrl}/failures/${refused}`),
    until: (page) => page.getByTestId("diff").first(),
  },
  {
    name: "deliveries",
    open: goto("/deliveries?environment=all"),
    until: (page) => page.getByText("checkout.session.completed").first(),
  },
  { name: "audit", open: goto("/audit"), until: (page) => page.getByRole("table").first() },
  { name: "users", open: goto("/users"), until: (page) => page.getByText("grace@example.com") },
  { name: "keys", open: goto("/keys"), until: (page) => page.getByRole("heading", { name: "RS256" }) },
];

/** The error id of the refusal that a picture explains. */
let refused = "";

const gatehouse = await startGatehouse({ engine: "sqlite", fixture: FIXTURE, admin: true, ports: [3000, 3001] });
try {
  await countTraffic(gatehouse.env["DATABASE_URL"] ?? "", PRODUCTION, "stripe");
  await deliver("evt_1", "invoice.paid");
  await deliver("evt_1", "invoice.paid");
  await deliver("evt_2", "customer.subscription.updated");
  await deliver("evt_3", "charge.refunded", "whsec_wrong_0123456789");
  await deliver("evt_4", "checkout.session.completed");
  for (const host of ["staging.shop.example.com", "shop.example.com"]) {
    const answer = await fetch(
      gatehouse.issuer + authorizePath(SHOP, { redirect_uri: `https://${host}/auth/callback/` }),
    );
    refused = answer.headers.get("gatehouse-error-id") ?? "";
  }
  await fetch(`${gatehouse.issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: "warehouse", client_secret: "gcs_wrong" }),
  });
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
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 1.5, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(gatehouse.adminUrl);
  await signIn(page);
  await page.getByRole("button", { name: "Dismiss" }).click();
  for (const { name, open, until } of PICTURES) {
    await open(page);
    await until(page).waitFor();
    await page.waitForLoadState("networkidle"); // charts come after the page
    await save(page, `${name}-${colorScheme}`);
  }

  await page.setViewportSize({ width: 760, height: 800 });
  await page.goto(gatehouse.issuer + authorizePath(SHOP, { scope: "openid profile email offline_access api:read" }));
  await page.getByRole("button", { name: "Allow" }).waitFor();
  await save(page, `consent-${colorScheme}`);
  await context.close();
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByLabel("Password").fill(ADA.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Saves a picture with 256 colours, which makes it a third as large. */
async function save(page: Page, name: string): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  const picture = sharp(await page.screenshot()).png({ palette: true, effort: 10 });
  const folder = join(ROOT, IN_README.some((one) => name.startsWith(one)) ? "docs/images" : "e2e/screenshots");
  await mkdir(folder, { recursive: true });
  await picture.toFile(join(folder, `${name}.png`));
}
