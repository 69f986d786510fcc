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

/** Confirms who is signed in, on the page that a request for a new sign-in leads to. */
export async function confirmIdentity(page: Page, password = PASSWORD): Promise<void> {
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
/** The sign-ins that this worker uses again. A sensitive change asks for a new sign-in after ten minutes. */
const signIns = new Map<string, { cookies: Cookies; until: number }>();
const USED_AGAIN: readonly string[] = ["admin", "developer", "viewer"];
const USED_AGAIN_MS = 240_000;

/** Opens the console as the fixture user `name`, on its applications unless `path` says otherwise. */
export async function openConsole(page: Page, name: string, path = "/applications"): Promise<void> {
  const earlier = signIns.get(name);
  if (earlier && earlier.until > Date.now()) await page.context().addCookies(earlier.cookies);
  await page.goto(adminUrl + path);
  if (page.url().startsWith(issuer)) await fillSignInToConsole(page, name);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expectAlive(page);
}

/** Signs in to the console without a page of it, so that a test can prepare what it shows. */
export async function signInToConsole(page: Page, name: string): Promise<void> {
  const earlier = signIns.get(name);
  if (earlier && earlier.until > Date.now()) await page.context().addCookies(earlier.cookies);
  else await openConsole(page, name, "/search");
}

async function fillSignInToConsole(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, name);
  await expect(page).toHaveURL((url) => url.href.startsWith(adminUrl));
  if (USED_AGAIN.includes(name))
    signIns.set(name, { cookies: await page.context().cookies(), until: Date.now() + USED_AGAIN_MS });
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

/**
 * Registers a client, in an application of its own, with the rights of the signed-in user. `secret` is null for a
 * public one.
 */
export async function registerClient(
  page: Page,
  { applicationName, ...client }: NewClient,
): Promise<{ applicationId: string; clientId: string; secret: string | null }> {
  const draft = {
    environment: "development",
    type: "web",
    redirectUris: ["http://localhost:4000/callback"],
    grantTypes: ["authorization_code"],
    scopes: ["openid"],
  };
  const { id: applicationId } = await post<{ id: string }>(page, "applications.create", {
    name: applicationName,
    description: "",
  });
  const { client: registered, secret } = await post<{ client: { clientId: string }; secret: string | null }>(
    page,
    "clients.register",
    {
      ...draft,
      ...client,
      applicationId,
    },
  );
  return { applicationId, clientId: registered.clientId, secret };
}

/**
 * Calls a procedure with the session of the signed-in user, as a colleague past the open page, and returns its answer.
 */
export async function post<Answer>(page: Page, procedure: string, input: object): Promise<Answer> {
  const answer = await page.request.post(`${adminUrl}/api/trpc/${procedure}`, {
    data: input,
    headers: { origin: adminUrl },
  });
  if (!answer.ok()) throw new Error(`${procedure}: ${await answer.text()}`);
  return ((await answer.json()) as { result: { data: Answer } }).result.data;
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
  await expect(
    page.getByRole("button", { name, exact: true }).and(page.locator(":disabled:not([data-loading])")),
  ).toBeVisible();
}
