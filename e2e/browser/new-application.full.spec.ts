import type { Page } from "@playwright/test";
import { emailOf } from "../harness/fixture.ts";
import { authorizePath, newProof } from "../harness/flow.ts";
import { freePort, untilReady } from "../harness/processes.ts";
import { printed } from "../harness/quick-starts.ts";
import { createByWizard, running, unique } from "./new-application.ts";
import { adminUrl, expect, expectAccessible, fillSignIn, issuer, openConsole, test } from "./stage.ts";

// From "What are you building?" to a token, by the quick start that the last screen shows. CO-20, CO-22.

// How the React program notices that the session has ended.
test.use({ provoked: [401] });

/**
 * Signs in to the program at `origin` in the console's browser context: the first user who tries it is its developer.
 * The program notices that the session at Gatehouse has ended, and its own sign-out ends that session too.
 */
async function signInTo(page: Page, origin: string, role: "button" | "link"): Promise<void> {
  const signedIn = page.getByText(`Signed in as ${emailOf("developer")}`);
  const signIn = page.getByRole(role, { name: "Sign in", exact: true });
  const signOut = page.getByRole("button", { name: "Sign out" });
  const allow = page.getByRole("button", { name: "Allow" });
  await page.goto(origin);
  await signIn.click();
  await expect(allow).toBeVisible();
  await expect(page.getByText("read your data")).toHaveCount(0); // what it does not use is not requested
  await allow.click();
  await expect(signOut).toBeVisible();
  await expect(signedIn).toBeVisible();

  await page.goto(`${issuer}/account`);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  // The SDK asks at most every ten seconds.
  await expect(async () => {
    await page.goto(origin);
    await expect(signIn).toBeVisible({ timeout: 1000 });
  }).toPass();
  await signIn.click();
  await fillSignIn(page, "developer");
  await expect(allow.or(signOut)).toBeVisible();
  if (await allow.isVisible()) await allow.click(); // a client without a secret asks every time
  await expect(signedIn).toBeVisible();

  await signOut.click();
  await expect(page).toHaveURL(`${origin}/`);
  await signIn.click();
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await page.goto("about:blank"); // before its server ends, for the page's connection to it
}

/** What the wizard registers. */
const registered = (redirectUri: string) => ({
  redirectUris: [redirectUri],
  postLogoutRedirectUris: [`${new URL(redirectUri).origin}/`],
});

test("PK-15 CO-20 CO-22 wizard-to-token: a web app, with the Next.js quick start", async ({ page }) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const redirectUri = `${origin}/members/callback`;
  await openConsole(page, "developer");
  const given = await createByWizard(page, {
    kind: "Web app",
    name: unique("Wizard web"),
    framework: "nextjs",
    redirectUri,
  });
  await expect(page.getByText(given.secret ?? "")).toHaveCount(0);
  await expect(page.getByText(`GATEHOUSE_CLIENT_ID=${given.clientId}`)).toBeVisible();
  await running("nextjs", given, registered(redirectUri), async (program) => {
    await untilReady(origin, program);
    await signInTo(page, origin, "link");
  });
});

test("CO-20 CO-22 wizard-to-token: a single-page app, with the React quick start", async ({ page }) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const redirectUri = `${origin}/callback`;
  await openConsole(page, "developer");
  const given = await createByWizard(page, { kind: "Single-page app", name: unique("Wizard SPA"), redirectUri });
  await running("react", given, registered(redirectUri), async (program) => {
    await untilReady(origin, program);
    await signInTo(page, origin, "button");
  });
});

test("CO-20 CO-22 wizard-to-token: a command line, with its quick start", async ({ page }) => {
  await openConsole(page, "developer");
  const given = await createByWizard(page, { kind: "Command line or TV", name: unique("Wizard CLI") });
  await running("cli", given, {}, async (program) => {
    await page.goto(await printed(program, /or open (\S+)/));
    await page.getByRole("button", { name: "Allow" }).click();
    expect(await printed(program, /Signed in as (\S+)\. /)).toBe(emailOf("developer"));
  });
});

test("CO-20 an MCP server becomes an API with a scope, which its quick start asks for; only admins create one", async ({
  page,
}) => {
  await openConsole(page, "admin");
  const mcpServer = `http://localhost:${await freePort()}/mcp`;
  const { clientId } = await createByWizard(page, { kind: "MCP server", name: unique("Wizard MCP"), mcpServer });
  expect(clientId).not.toBe("");
  await expect(page.getByText(`const resource = "${mcpServer}"`)).toBeVisible();
  await expect(page.getByText(/const scope = "wizard-mcp-\w+:use"/)).toBeVisible();
});

test("CO-20 wizard-to-token: a phone app, which gets its code at its private scheme and keeps no secret", async ({
  page,
}) => {
  const redirectUri = "com.example.wizard:/callback";
  await openConsole(page, "developer");
  const { clientId, secret } = await createByWizard(page, {
    kind: "Mobile or desktop app",
    name: unique("Wizard phone"),
    redirectUri,
  });
  expect(secret).toBeUndefined();
  const { verifier, challenge } = newProof();
  const client = { client_id: clientId, redirect_uris: [redirectUri] };
  await page.goto(issuer + authorizePath(client, { code_challenge: challenge, scope: "openid email" }));
  const [answer] = await Promise.all([
    page.waitForResponse(
      (response) => response.request().method() === "POST" && response.url().startsWith(`${issuer}/consent`),
    ),
    page.getByRole("button", { name: "Allow" }).click(),
  ]);
  const location = (await answer.headerValue("location")) ?? "";
  expect(location).toMatch(/^com\.example\.wizard:\/callback\?/);
  const code = new URLSearchParams(location.split("?")[1]).get("code") ?? "";
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
  const { access_token: token } = (await (await fetch(`${issuer}/token`, { method: "POST", body })).json()) as {
    access_token: string;
  };
  const userinfo = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  expect(await userinfo.json()).toMatchObject({ email: emailOf("developer") });
});

test("CO-20 Back keeps what was entered, a wrong redirect URI is named while typing, and nothing is asked twice", async ({
  page,
}) => {
  const name = unique("Wizard back");
  await openConsole(page, "developer");
  await page.goto(`${adminUrl}/applications/new`);
  await expect(page.getByRole("radio", { name: "MCP server" })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole("radio", { name: "Web app" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill(name);
  const redirectUri = page.getByLabel("Redirect URI");
  await expect(redirectUri).toHaveValue("http://localhost:4000/auth/callback");
  await page.getByLabel("Framework").selectOption("Express");
  await expect(redirectUri).toHaveValue("http://localhost:4000/auth/callback");
  await redirectUri.fill("http://shop.example/auth/callback");
  await expect(page.getByText(/https/).last()).toBeVisible();
  await expectAccessible(page);

  await page.goBack();
  await expect(page.getByRole("radio", { name: "Web app" })).toBeChecked();
  await page.goForward();
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await expect(redirectUri).toHaveValue("http://shop.example/auth/callback");
  await redirectUri.fill("http://localhost:4555/auth/callback");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("GATEHOUSE_APP_URL=http://localhost:4555")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Open application" }).click();
  await page.getByRole("link", { name: "Quick start" }).click();
  await page.getByText("Python", { exact: true }).click();
  await expect(page.getByText('REDIRECT_URI = "http://localhost:4555/auth/callback"')).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy for an assistant" })).toBeVisible();
  await expectAccessible(page);
});
