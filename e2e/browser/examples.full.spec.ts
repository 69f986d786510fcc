import type { Page } from "@playwright/test";
import { emailOf } from "../harness/fixture.ts";
import { ROOT } from "../harness/gatehouse.ts";
import { freePort, launch, type Running, untilReady } from "../harness/processes.ts";
import { environment, expect, expectAccessibleOnPhoneToo, fillSignIn, issuer, test } from "./stage.ts";

// The examples that need a browser, started by the command in their READMEs.

type Example = Running & { origin: string };

async function start(name: string): Promise<Example> {
  const port = await freePort();
  const program = launch("node", ["scripts/example.mjs", name], {
    cwd: ROOT,
    env: { ...environment, EXAMPLE_PORT: String(port) },
  });
  const origin = `http://localhost:${port}`;
  await untilReady(origin, program).catch(async (error: unknown) => {
    await program.stop();
    throw error;
  });
  return { ...program, origin };
}

async function signIn(page: Page, example: Example, person: string): Promise<void> {
  await page.goto(example.origin);
  await page.getByRole("button", { name: "Sign in with Gatehouse" }).click();
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, person);
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page).toHaveURL(`${example.origin}/`);
  await expect(page.getByText(`Signed in as ${emailOf(person)}`)).toBeVisible();
}

/** From the storage of oidc-client-ts. */
const refreshTokenOf = (page: Page) =>
  page.evaluate<string>(
    "JSON.parse(sessionStorage.getItem(Object.keys(sessionStorage).find((key) => key.startsWith('oidc.user:')))).refresh_token",
  );

test("OI-06 LO-01 examples/single-page-app signs in, calls the API, renews by its refresh token, and signs out", async ({
  page,
}) => {
  const example = await start("single-page-app");
  try {
    await signIn(page, example, "single-page-app");
    const output = page.locator("pre");
    await page.getByRole("button", { name: "Call the API" }).click();
    await expect(output).toContainText('"client_id":"example-single-page-app"');

    const first = await refreshTokenOf(page);
    await page.getByRole("button", { name: "Renew the token" }).click();
    await expect(output).toHaveText("Renewed.");
    expect(await refreshTokenOf(page)).not.toBe(first);
    await page.getByRole("button", { name: "Call the API" }).click();
    await expect(output).toContainText("GET /api/resource: 200");

    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("status")).toHaveText("You are not signed in.");
    // The session at Gatehouse has ended too.
    await page.getByRole("button", { name: "Sign in with Gatehouse" }).click();
    await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  } finally {
    await example.stop();
  }
});

test("examples/nextjs-authjs signs in with Auth.js, calls the API on the server, and keeps the access token from the browser", async ({
  page,
}) => {
  const example = await start("nextjs-authjs");
  try {
    await signIn(page, example, "nextjs");
    await expect(page.locator("pre")).toContainText('"client_id":"example-nextjs"');
    expect(await page.content()).not.toContain("gat_");
    expect((await page.request.get(`${example.origin}/api/auth/session`)).status()).toBe(404);

    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByText("You are not signed in.")).toBeVisible();
  } finally {
    await example.stop();
  }
});

test("PK-15 examples/nextjs-trpc: its page, Server Action and procedures are for signed-in users, and sign-out ends the session at Gatehouse too", async ({
  page,
}) => {
  const example = await start("nextjs-trpc");
  try {
    await page.goto(example.origin);
    await expectAccessibleOnPhoneToo(page);
    const refused = await page.request.get(`${example.origin}/api/trpc/books.list`);
    expect([refused.status(), refused.headers()["content-type"]]).toEqual([401, "application/json"]);

    await page.getByRole("link", { name: "Sign in to start" }).click();
    await fillSignIn(page, "nextjs");
    await expect(page).toHaveURL(`${example.origin}/books`);
    await expect(page.getByText("No books yet")).toBeVisible(); // the procedure's answer
    await page.getByLabel("New book").fill("Middlemarch");
    await page.getByRole("button", { name: "Add" }).click();
    await expect(page.getByRole("list", { name: "Books" })).toHaveText("Middlemarch");
    await page.getByLabel("Books to read this year").fill("4");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("1 of 4 books")).toBeVisible();
    await expectAccessibleOnPhoneToo(page);

    await page.locator("summary").click();
    await expect(page.getByText(emailOf("nextjs"))).toBeVisible();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${example.origin}/`);
    await page.goto(`${example.origin}/books`);
    await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  } finally {
    await example.stop();
  }
});
