import { expect, type Page, test } from "@playwright/test";
import { emailOf } from "../harness/fixture.ts";
import { ROOT } from "../harness/gatehouse.ts";
import { freePort, launch, type Running, untilReady } from "../harness/processes.ts";
import { environment, expectAccessible, fillSignIn, issuer } from "./stage.ts";

// examples/trpc-frontend, started by the command that its README names, on an origin of its own. It meets 401 and 403
// on purpose, so these tests do not use the fixture that fails on them.

let app: Running;
let origin: string;
test.beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  app = launch("node", ["scripts/example.mjs", "trpc-frontend"], {
    cwd: ROOT,
    env: { ...environment, EXAMPLE_PORT: String(port) },
  });
  await untilReady(origin, app);
});
test.afterAll(() => app?.stop());
test.beforeEach(({ page }) => {
  page.on("pageerror", (error) => {
    throw error;
  });
});
test.describe.configure({ mode: "serial" }); // one user's notes

const PERSON = "trpc-frontend";
const allow = async (page: Page) => page.getByRole("button", { name: "Allow" }).click();

async function signIn(page: Page): Promise<void> {
  await page.goto(origin);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, PERSON);
  await arrive(page);
}

/** Through the consent page, where there is one, to the notes. */
async function arrive(page: Page): Promise<void> {
  const heading = page.getByRole("heading", { name: "Your notes", exact: true });
  const consent = page.getByRole("button", { name: "Allow" });
  await expect(consent.or(heading)).toBeVisible();
  if (await consent.isVisible()) await consent.click();
  await expect(heading).toBeVisible();
}

/** The name of the record that oidc-client-ts keeps in this tab. */
const RECORD = "Object.keys(sessionStorage).find((key) => key.startsWith('oidc.user:'))";

const changeUser = (page: Page, change: Record<string, string>) =>
  page.evaluate(
    `sessionStorage.setItem(${RECORD}, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(${RECORD})), ...${JSON.stringify(change)} }))`,
  );

const accessToken = (page: Page) => page.evaluate<string>(`JSON.parse(sessionStorage.getItem(${RECORD})).access_token`);

test("reads notes, asks for the scope that a change needs, and then adds and deletes them", async ({ page }) => {
  await signIn(page);
  await expect(page.getByText(emailOf(PERSON))).toBeVisible();
  await expect(page.getByText("No notes yet.")).toBeVisible();
  await expectAccessible(page);

  const text = page.getByLabel("New note");
  await text.fill("Buy milk");
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByRole("alert")).toContainText("doesn't have permission to do that yet");
  await allow(page);
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/consent`));
  await expect(page.getByText("add and delete your notes")).toBeVisible();
  await allow(page);

  await expect(page).toHaveURL(`${origin}/`);
  await expect(text).toHaveValue("Buy milk");
  await page.getByRole("button", { name: "Add note" }).click();
  const list = page.getByRole("list", { name: "Notes" });
  await expect(list.getByText("Buy milk")).toBeVisible();
  await expect(text).toHaveValue("");
  await expectAccessible(page);

  await list.getByRole("button", { name: "Delete the note: Buy milk" }).click();
  await expect(page.getByText("No notes yet.")).toBeVisible();
});

test("renews a refused access token by refresh token, without a page", async ({ page }) => {
  await signIn(page);
  await expect(page.getByText("No notes yet.")).toBeVisible();
  await changeUser(page, { access_token: "gat_refused" });
  await page.reload();
  await expect(page.getByText("No notes yet.")).toBeVisible();
  expect(await accessToken(page)).toMatch(/^gat_(?!refused)/);
});

test("says so when the session has ended, and leads to the sign-in page", async ({ page }) => {
  await signIn(page);
  await changeUser(page, { access_token: "gat_refused", refresh_token: "grt_refused" });
  await page.reload();
  await expect(page.getByRole("status")).toHaveText("Your session has ended. Sign in again to continue.");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await arrive(page);
});

test("tells a user who denies that nothing has changed", async ({ page, context }) => {
  await context.clearCookies();
  await page.goto(origin);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await fillSignIn(page, "single-page-app");
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page).toHaveURL(`${origin}/`);
  await expect(page.getByRole("status")).toHaveText("You did not allow it. Nothing has changed.");
});

test("signs out here and at Gatehouse", async ({ page }) => {
  await signIn(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
});
