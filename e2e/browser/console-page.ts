import { type BrowserContext, expect, type Page } from "@playwright/test";
import { expectAlive } from "../harness/alive.ts";
import { emailOf, PASSWORD } from "../harness/fixture.ts";
import { adminUrl, issuer } from "./installation.ts";

/** Fills in and submits the sign-in page that `page` shows. */
export async function fillSignIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Email").fill(emailOf(name));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
/** The sign-ins that this worker uses again. A sensitive change asks whoever signed in ten minutes ago to sign in again. */
const signIns = new Map<string, { cookies: Cookies; until: number }>();
const USED_AGAIN: readonly string[] = ["admin", "developer", "viewer"];
const USED_AGAIN_MS = 240_000;

/** Opens the console as the fixture user `name`, on its applications unless `path` says otherwise. */
export async function openConsole(page: Page, name: string, path = "/applications"): Promise<void> {
  const earlier = signIns.get(name);
  if (earlier && earlier.until > Date.now()) await page.context().addCookies(earlier.cookies);
  await page.goto(adminUrl + path);
  if (page.url().startsWith(issuer)) await signInToConsole(page, name);
  await expect(page.getByRole("link", { name: "Applications", exact: true })).toBeVisible();
  await expectAlive(page);
}

async function signInToConsole(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, name);
  await expect(page).toHaveURL((url) => url.href.startsWith(adminUrl));
  if (USED_AGAIN.includes(name)) signIns.set(name, { cookies: await page.context().cookies(), until: Date.now() + USED_AGAIN_MS });
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
