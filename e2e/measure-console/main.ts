// npm run measure:console [-- --runs=3] [--journeys=3] [--no-pages] [--no-procedures] [--write]: measures every page of the console, the
// journey, and every procedure that its pages call against the budgets of CO-99, prints the figures beside those of the last release, and
// fails beyond a budget. Needs a build. `--runs`: views of each page, and `--journeys`: how often the journey is made, each 20 by default.
// `--no-pages`, `--no-procedures`: these figures stay as they are. `--write` makes the figures those of the release, in
// e2e/console-figures.json and in docs/performance.md.
import { type Browser, chromium, type Page } from "@playwright/test";
import { type ConsoleRoute, consoleRoutes, tabsOf } from "../harness/console-routes.ts";
import { CLIENTS, emailOf, fixture, PASSWORD } from "../harness/fixture.ts";
import { type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { countTraffic } from "../harness/traffic.ts";
import config from "../playwright.config.ts";
import { type Figures, lastFigures, type PageFigures, problemsOf, writeFigures } from "./figures.ts";
import { measureJourney } from "./journey.ts";
import { residentMemory } from "./memory.ts";
import { measureProcedures } from "./procedures.ts";
import { tablesOf, writeReport } from "./report.ts";
import { measureViews } from "./view.ts";

const has = (flag: string) => process.argv.includes(`--${flag}`);
const times = (flag: string) => Number(process.argv.find((argument) => argument.startsWith(`--${flag}=`))?.split("=")[1] ?? 20);
const [runs, journeys] = [times("runs"), times("journeys")];
const say = (text: string) => process.stderr.write(`${text}\n`);

async function measureConsole(): Promise<Omit<Figures, "procedures">> {
  const gatehouse = await startGatehouse({
    ...{ engine: "sqlite", fixture: fixture(), admin: true },
    settings: { GATEHOUSE_REGISTRATION: "token" },
  });
  try {
    await countTraffic(gatehouse.env["DATABASE_URL"] ?? "", [CLIENTS.localWeb.client_id, CLIENTS.web.client_id], "stripe");
    const browser = await chromium.launch(config.use?.launchOptions);
    try {
      return await measureWith(browser, gatehouse);
    } finally {
      await browser.close();
    }
  } finally {
    await gatehouse.stop();
  }
}

async function measureWith(browser: Browser, gatehouse: Gatehouse): Promise<Omit<Figures, "procedures">> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await signIn(page, gatehouse.adminUrl);
  const kept = has("no-pages") ? before : undefined;
  const pages: Record<string, PageFigures> = { ...kept?.pages };
  let rss = kept?.rss ?? 0;
  for (const { route, path } of kept ? [] : await allRoutes(page, gatehouse)) {
    say(route);
    pages[route] = await measureViews(page, gatehouse.adminUrl + path, runs);
    rss = Math.max(rss, residentMemory(gatehouse.consoleGroup ?? 0));
  }
  say("the journey");
  const inp = await measureJourney(page, gatehouse.adminUrl, CLIENTS.localWeb.client_id, journeys);
  rss = Math.max(rss, residentMemory(gatehouse.consoleGroup ?? 0));
  return { views: kept?.views ?? runs, journeys, pages, inp, rss };
}

async function signIn(page: Page, adminUrl: string): Promise<void> {
  await page.goto(adminUrl);
  await page.getByLabel("Email").fill(emailOf("admin"));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

/** Every page, each followed by its tabs. */
async function allRoutes(page: Page, gatehouse: Gatehouse): Promise<ConsoleRoute[]> {
  const all: ConsoleRoute[] = [];
  for (const route of await consoleRoutes(page, gatehouse)) {
    await page.goto(gatehouse.adminUrl + route.path);
    all.push(route, ...(await tabsOf(page, route)));
  }
  return all;
}

const before = await lastFigures();
const console = await measureConsole();
if (!has("no-procedures")) say("the procedures, on both engines");
const procedures = has("no-procedures") ? (before?.procedures ?? {}) : await measureProcedures();
const figures: Figures = { ...console, procedures };
const tables = tablesOf(figures, before);
process.stdout.write(`${tables}\n`);
const problems = problemsOf(figures, before);
if (has("write")) {
  await writeFigures(figures);
  await writeReport(tables, figures, new Date().toISOString().slice(0, 10));
}
for (const problem of problems) say(`✖ ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
