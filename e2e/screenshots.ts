// npm run screenshots: takes pictures of the console and the consent page from the demo, made anew, in light and in
// dark: those of the README into docs/images, the others into the folder `screenshots` beside this file, which Git
// ignores. Needs a build, and ports 3000 and 3001, which are in the pictures.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "@playwright/test";
import sharp from "sharp";
import { ADA, SHOP } from "../scripts/demo/data.ts";
import { demoEnvironment } from "../scripts/demo/environment.ts";
import { makeDemo } from "../scripts/demo/make.ts";
import { authorizePath } from "./harness/flow.ts";
import { ROOT, startConsole, startWeb } from "./harness/gatehouse.ts";
import type { Running } from "./harness/processes.ts";
import config from "./playwright.config.ts";

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

const folder = await mkdtemp(join(tmpdir(), "gatehouse-screenshots-"));
const place = { folder: join(folder, "data"), port: "3000", adminPort: "3001" };
/** The error id of the refusal that a picture explains. */
const refused = (await makeDemo(place)).refused.at(-1);
const running: Running[] = [];
const env = demoEnvironment(place); // not marked as a demo: a picture shows what an installation looks like
const gatehouse = { issuer: env["GATEHOUSE_ISSUER"] ?? "", adminUrl: env["GATEHOUSE_ADMIN_URL"] ?? "" };
try {
  running.push(await startWeb({ ...env, NODE_ENV: "production" }, 3000));
  running.push(await startConsole({ ...env, NODE_ENV: "production" }, 3001));
  const browser = await chromium.launch(config.use?.launchOptions);
  for (const colorScheme of ["light", "dark"] as const) await shoot(browser, colorScheme);
  await browser.close();
} finally {
  await Promise.all(running.map((server) => server.crash()));
  await rm(folder, { recursive: true, force: true });
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
