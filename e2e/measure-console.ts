// npm run measure:console: measures every page of the console against its budgets, prints the figures beside those of the last release,
// and fails beyond a budget. Needs a build. `--write` makes the figures those of the release. CO-99.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { emailOf, fixture, PASSWORD } from "./harness/fixture.ts";
import { ROOT, startGatehouse } from "./harness/gatehouse.ts";
import config from "./playwright.config.ts";

const FIGURES = join(ROOT, "e2e/console-figures.json");
const REPORT = join(ROOT, "docs/console-performance.md");
const RUNS = 20;
/** Fast 4G: 150 ms round trips, 1.6 Mbit/s down, 750 kbit/s up, as Chrome's tools have it. */
const FAST_4G = { offline: false, latency: 150, downloadThroughput: (1_600 / 8) * 1024, uploadThroughput: (750 / 8) * 1024 };
const CPU_SLOWDOWN = 4;

/** The budgets of CO-99: sizes in kB compressed, times in ms. */
const BUDGETS = { script: 320, style: 45, font: 50, html: 60, requests: 3, lcp: 1_800, cls: 0.02 } as const;
type Name = keyof typeof BUDGETS;
type Figures = Record<Name, number>;
const NAMES = Object.keys(BUDGETS) as Name[];
const HEADS: Record<Name, string> = {
  ...{ script: "JS, kB", style: "CSS, kB", font: "fonts, kB", html: "HTML, kB" },
  ...{ requests: "data requests", lcp: "LCP p75, ms", cls: "CLS p75" },
};
/** More than this much more JavaScript than the last release, in kB, has to be explained by `--write`. */
const SCRIPT_GROWTH = 5;

const runs = Number(process.argv.find((argument) => argument.startsWith("--runs="))?.slice(7) ?? RUNS);
const gatehouse = await startGatehouse({ engine: "sqlite", fixture: fixture(), admin: true });

async function measureAll(browser: Browser): Promise<Record<string, Figures>> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(gatehouse.adminUrl);
  await page.getByLabel("Email").fill(emailOf("admin"));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await links.first().waitFor();
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? "/"));
  const paths = [...new Set([...hrefs.filter((href) => href.startsWith("/")), ...(await objectPaths(page))])];
  const measured: Record<string, Figures> = {};
  for (const path of paths) measured[routeOf(path)] = await measure(page, path);
  return measured;
}

/** One page of each kind that shows an object. */
async function objectPaths(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const list of ["/applications", "/users", "/webhooks"]) {
    await page.goto(gatehouse.adminUrl + list);
    const link = page.getByRole("main").locator(`a[href^="${list}/"]:not([href="/applications/new"], [href="/users/invitations"])`).first();
    await link.waitFor();
    found.push((await link.getAttribute("href")) ?? list);
  }
  return found;
}

const routeOf = (path: string) => path.replace(/^\/(applications|users|webhooks)\/[^/?]+.*$/, "/$1/…");

async function measure(page: Page, path: string): Promise<Figures> {
  const samples: Figures[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", FAST_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  for (let run = 0; run < runs; run++) {
    await session.send("Network.clearBrowserCache");
    samples.push(await view(page, path));
  }
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await session.detach();
  return Object.fromEntries(NAMES.map((name) => [name, p75(samples.map((sample) => sample[name]))])) as Figures;
}

/** Opens a page with an empty cache, and waits until it has been quiet. */
async function view(page: Page, path: string): Promise<Figures> {
  let requests = 0;
  const count = (request: { url: () => string }) => {
    if (new URL(request.url()).pathname.startsWith("/api/trpc/")) requests++;
  };
  page.on("request", count);
  await page.goto(gatehouse.adminUrl + path, { waitUntil: "load" });
  await page.evaluate(QUIET);
  page.off("request", count);
  const sizes = await page.evaluate<Omit<Figures, "requests">>(SIZES);
  return { ...sizes, requests };
}

/** Resolves when no script has been busy and nothing has been loaded for half a second. */
const QUIET = `new Promise((quiet) => {
  let timer = setTimeout(quiet, 500);
  const again = () => { clearTimeout(timer); timer = setTimeout(quiet, 500); };
  new PerformanceObserver(again).observe({ entryTypes: ["resource", "longtask", "layout-shift"] });
})`;

const SIZES = `new Promise((done) => {
  const kB = (entries) => entries.reduce((sum, one) => sum + one.encodedBodySize, 0) / 1024;
  const resources = performance.getEntriesByType("resource");
  const named = (pattern) => resources.filter(({ name }) => pattern.test(new URL(name).pathname));
  let lcp = 0, cls = 0;
  new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) lcp = startTime; }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) cls += value; }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done({
    script: kB(named(/\\.js$/)), style: kB(named(/\\.css$/)), font: kB(named(/\\.woff2?$/)),
    html: kB(performance.getEntriesByType("navigation")), lcp, cls,
  }), 50);
})`;

const p75 = (values: number[]) => values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.75) - 1] ?? 0;

function problemsOf(path: string, figures: Figures, before: Figures | undefined): string[] {
  const beyond = NAMES.filter((name) => figures[name] > BUDGETS[name]);
  const problems = beyond.map((name) => `${path}: ${HEADS[name]} is ${shown(name, figures[name])}, the budget is ${BUDGETS[name]}`);
  const growth = before === undefined ? 0 : figures.script - before.script;
  if (growth > SCRIPT_GROWTH) problems.push(`${path}: ${growth.toFixed(1)} kB more JavaScript than in the last release`);
  return problems;
}

const shown = (name: Name, value: number) => value.toFixed(name === "cls" ? 3 : 0);

function table(measured: Record<string, Figures>, before: Record<string, Figures>): string {
  const cell = (path: string, name: Name, now: number) => {
    const then = before[path]?.[name];
    return then === undefined ? shown(name, now) : `${shown(name, now)} (${shown(name, then)})`;
  };
  const rows = Object.entries(measured).map(([path, figures]) => [path, ...NAMES.map((name) => cell(path, name, figures[name]))]);
  const head = ["page", ...NAMES.map((name) => `${HEADS[name]} ≤ ${BUDGETS[name]}`)];
  return [head, head.map((_, index) => (index === 0 ? "---" : "--:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function report(measured: Record<string, Figures>, before: Record<string, Figures>): string {
  return `# Performance of the console

Written by \`npm run measure:console -- --write\`: ${runs} views of each page with an empty cache, on Fast 4G and a CPU slowed down ${CPU_SLOWDOWN} times.
Sizes are compressed. In brackets, the figures of the release before.

${table(measured, before)}
`;
}

try {
  const browser = await chromium.launch(config.use?.launchOptions);
  const measured = await measureAll(browser);
  await browser.close();
  const before: Record<string, Figures> = existsSync(FIGURES) ? JSON.parse(await readFile(FIGURES, "utf8")) : {};
  const problems = Object.entries(measured).flatMap(([path, figures]) => problemsOf(path, figures, before[path]));
  process.stdout.write(`${table(measured, before)}\n`);
  if (process.argv.includes("--write")) {
    await writeFile(FIGURES, `${JSON.stringify(measured, undefined, 2)}\n`);
    await writeFile(REPORT, report(measured, before));
  }
  for (const problem of problems) process.stderr.write(`✖ ${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  await gatehouse.stop();
}
