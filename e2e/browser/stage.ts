import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { expectAlive, POLL_MS } from "../harness/alive.ts";
import { emailOf, PASSWORD } from "../harness/fixture.ts";

export { expect };

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: the global setup has not run`);
  return value;
}

export const issuer = fromEnvironment("E2E_ISSUER");
export const adminUrl = fromEnvironment("E2E_ADMIN_URL");
/** The environment of the running installation. Commands run with it use the same database. */
export const environment: Record<string, string> = JSON.parse(fromEnvironment("E2E_ENVIRONMENT"));

type Fixtures = {
  /** Error statuses that scripts get where a test provokes them. */
  provoked: readonly number[];
  watched: (context: BrowserContext) => void;
};

/**
 * Fails a test when a page logs an error, throws, violates its content security policy, gets an error response, or sends a request to
 * another host. CO-98.
 */
export const test = base.extend<Fixtures>({
  provoked: [[], { option: true }],
  watched: [
    async ({ context, provoked }, use) => {
      const problems: string[] = [];
      const watch = (watchedContext: BrowserContext) => listen(watchedContext, provoked, problems);
      watch(context);
      await use(watch);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

function listen(context: BrowserContext, provoked: readonly number[], problems: string[]): void {
  context.on("page", waitForHydration);
  context.on("weberror", (error) => problems.push(`page error: ${error.error().message}`));
  context.on("console", (message) => {
    // Failed loads are checked below, where a page may answer 4xx.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) problems.push(`console: ${message.text()}`);
  });
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "localhost") problems.push(`third party: ${request.url()}`);
  });
  context.on("response", (response) => {
    // Not an error: the console asks the user to sign in again. RFC 9470 §3.
    if (response.headers()["www-authenticate"]?.includes("insufficient_user_authentication")) return;
    const page = response.request().resourceType() === "document";
    if (response.status() >= (page ? 500 : 400) && !provoked.includes(response.status()))
      problems.push(`${response.status()}: ${response.url()}`);
  });
}

/** Makes `goto` and `reload` wait until a page of the console answers clicks and keys. */
function waitForHydration(page: Page): void {
  const { goto, reload } = page;
  const then = async <Value>(opened: Promise<Value>): Promise<Value> => {
    const response = await opened;
    if (page.url().startsWith(adminUrl)) await expectAlive(page);
    return response;
  };
  page.goto = (...given) => then(goto.apply(page, given));
  page.reload = (...given) => then(reload.apply(page, given));
}

/** Fills in and submits the sign-in page that `page` shows. */
export async function fillSignIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Email").fill(emailOf(name));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Opens the console as the fixture user `name`, on its applications unless `path` says otherwise. */
export async function openConsole(page: Page, name: string, path = "/applications"): Promise<void> {
  await page.goto(adminUrl + path);
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, name);
  await expect(page.getByRole("link", { name: "Applications", exact: true })).toBeVisible();
  await expectAlive(page);
}

/** Creates an application without a client, from the list of applications. */
export async function createApplication(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New application" }).click();
  await page.getByRole("button", { name: "Create it without a client" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create application" }).click();
}

type NewClient = {
  applicationName: string;
  environment?: string;
  type?: string;
  redirectUris?: string[];
  grantTypes?: string[];
  scopes?: string[];
};

/** Registers a client, in an application of its own, with the rights of the signed-in user. `secret` is null for a public one. */
export async function registerClient(
  page: Page,
  { applicationName, ...client }: NewClient,
): Promise<{ applicationId: string; clientId: string; secret: string | null }> {
  const draft = {
    environment: "development",
    type: "web",
    redirectUris: ["http://localhost:4000/callback"],
    scopes: ["openid"],
    ...client,
  };
  return page.evaluate(
    async ([name, settings]) => {
      const post = async (procedure: string, input: object) => {
        const headers = { "content-type": "application/json" };
        const response = await fetch(`/api/trpc/${procedure}`, { method: "POST", headers, body: JSON.stringify(input) });
        return ((await response.json()) as { result: { data: { id: string; client: { clientId: string }; secret: string | null } } }).result
          .data;
      };
      const { id: applicationId } = await post("applications.create", { name, description: "" });
      const { client: registered, secret } = await post("clients.register", { ...settings, applicationId });
      return { applicationId, clientId: registered.clientId, secret };
    },
    [applicationName, { grantTypes: ["authorization_code"], ...draft }] as const,
  );
}

/** Calls a procedure with the session of the signed-in user, as a colleague past the open page, and returns its answer. */
export async function post<Answer>(page: Page, procedure: string, input: object): Promise<Answer> {
  const answer = await page.evaluate(
    async ([name, body]) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`/api/trpc/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
      return (await response.json()) as { result?: { data: unknown } };
    },
    [procedure, input] as const,
  );
  if (!answer.result) throw new Error(`${procedure}: ${JSON.stringify(answer)}`);
  return answer.result.data as Answer;
}

/** Opens a section of the object on the page, by its tab. */
export async function openSection(page: Page, name: string): Promise<void> {
  const link = page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true });
  await link.click();
  await expect(link).toHaveAttribute("aria-current", "page");
}

/** Presses the form's save button and waits until the change is saved. */
export async function save(page: Page, name = "Save changes"): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await expectSaved(page, name);
}

/** Waits until the form with this save button is saved: the button is disabled and no request is under way. */
export async function expectSaved(page: Page, name = "Save changes"): Promise<void> {
  await expect(page.getByRole("button", { name, exact: true }).and(page.locator(":disabled:not([data-loading])"))).toBeVisible();
}

/**
 * Waits two frames, so that scripts react to a change of color scheme, and then for all finite animations. A paused one never ends, so not
 * longer than five seconds.
 */
const SETTLED = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
  Promise.race([
    new Promise((next) => setTimeout(next, 5000)),
    Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished)),
  ])
).then(() => undefined)`;

const SCHEME = `document.documentElement.dataset.mantineColorScheme ?? ""`;

/** The widths of a phone and of a page at 400 % zoom. WCAG 1.4.10. */
const PHONE = 390;
const NARROW = [PHONE, 320];

/** Text in the colour of its background: axe-core leaves it to a reviewer, since it can be hidden on purpose. We hide nothing that way. */
function invisibleText(incomplete: axe.Result[]): axe.Result[] {
  const isInvisible = ({ any }: axe.NodeResult) => any.some(({ data }) => data?.messageKey === "equalRatio");
  return incomplete
    .map((result) => ({ ...result, nodes: result.nodes.filter(isInvisible) }))
    .filter(({ id, nodes }) => id === "color-contrast" && nodes.length > 0);
}

/** Fails on axe-core violations in light and dark mode, and on horizontal scrolling in narrow windows. CO-98. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page);
  await inNarrowWindows(page, async () => {});
}

/** The same, with axe-core in the narrow windows too, and with its check of the size of targets. AX-01. */
export async function expectAccessibleOnPhoneToo(page: Page): Promise<void> {
  const options = { rules: { "target-size": { enabled: true } } };
  await expectNoViolations(page, options);
  await inNarrowWindows(page, async (width) => (width === PHONE ? expectNoViolations(page, options) : undefined));
}

async function expectNoViolations(page: Page, options: axe.RunOptions = {}): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Mantine's pages follow the system once they have hydrated; the others follow by CSS alone.
    await expect.poll(() => page.evaluate(SCHEME), { intervals: POLL_MS }).toMatch(new RegExp(`^(${colorScheme})?$`));
    await page.evaluate(SETTLED);
    // Runs through the debugger, so the page's content security policy does not apply.
    await page.evaluate(axe.source);
    const { violations, incomplete } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
    const found = [...violations, ...invisibleText(incomplete)];
    const width = page.viewportSize()?.width;
    const problems = found.map(({ id, nodes }) => `${colorScheme}, ${width}px: ${id}: ${nodes.map((node) => node.html).join(" | ")}`);
    expect(problems, page.url()).toEqual([]);
  }
}

async function inNarrowWindows(page: Page, check: (width: number) => Promise<void>): Promise<void> {
  const size = page.viewportSize();
  for (const width of NARROW) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(SETTLED);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), `${page.url()} at ${width}px`).toBeLessThanOrEqual(0);
    await check(width);
  }
  if (size !== null) await page.setViewportSize(size);
}
