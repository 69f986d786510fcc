import {
  adminUrl,
  expect,
  expectAccessible,
  issuer,
  openConsole,
  openSection,
  registerClient,
  signInToConsole,
  test,
} from "./stage.ts";
import { allowInNewTab, openTry, steps, unexpected, unique } from "./try.ts";

// Test runs of a client in the console. Each test registers a client of its own, since a new run ends the operator's
// earlier one of a client.

test("CO-38 try-device: the operator confirms the code in a new tab, and the page polls until then", async ({
  page,
}) => {
  await openConsole(page, "developer");
  await openTry(page, "Command line or TV", unique("Try device"));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const introspection = steps(page).filter({ hasText: "Introspect the token" });
  await allowInNewTab(page, "Open the device page", () => expect(introspection).toHaveCount(1, { timeout: 30_000 }));
  await expect(unexpected(page)).toHaveCount(0);
  await page.getByRole("button", { name: "End run" }).click();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeEnabled();
});

test("CO-38 CO-40 try-service: a token for the client itself; a wrong secret shows its ledger entry in place", async ({
  page,
}) => {
  await openConsole(page, "developer");
  await openTry(page, "Service", unique("Try service"));
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(steps(page)).toHaveCount(2);
  await expect(unexpected(page)).toHaveCount(0);
  await page.getByRole("button", { name: "End run" }).click();
  await page.getByLabel("Client secret").fill("gcs_not-the-secret");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(unexpected(page)).toHaveCount(1);
  await expect(unexpected(page)).toContainText("No secret of the client matches.");
  await expect(unexpected(page).getByRole("link", { name: /Open failure/ })).toBeVisible();
});

test("CO-38 CO-39 CO-42 try-leaves-nothing: leaving the page kills the tokens, and no consent, URI or figure stays", async ({
  page,
}) => {
  const name = unique("Try leaves");
  await openConsole(page, "developer");
  const { clientId, secret } = await openTry(page, "Web app", name);
  await page.getByRole("switch", { name: "Show codes and tokens in full" }).press("Space");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await allowInNewTab(page, "Open the sign-in", () => expect(steps(page)).toHaveCount(5));
  await steps(page).nth(2).getByText("Request and response").click();
  const text = (await steps(page).nth(2).textContent()) ?? "";
  const accessToken = /"access_token": "([^"]+)"/.exec(text)?.[1] ?? "";
  const isActive = async () => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`;
    const answer = await page.request.post(`${issuer}/introspect`, {
      form: { token: accessToken },
      headers: { authorization },
    });
    return (await answer.json()).active;
  };
  expect(await isActive()).toBe(true);

  await openSection(page, "Overview");
  await expect.poll(isActive).toBe(false);
  await expect(page.getByLabel("Facts")).toContainText("Last tokenNever");
  await expect(page.getByText("/try/callback")).toHaveCount(0);
  await openSection(page, "History");
  await expect(page.getByText("Ended test run").first()).toBeVisible();
  await page.goto(`${issuer}/account/apps`);
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.getByText(name)).toHaveCount(0);
});

test("CO-38 CO-41 CO-42 try-code: code + PKCE, a refresh, and the negative checks", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { applicationId } = await registerClient(page, {
    applicationName: unique("Try web"),
    grantTypes: ["authorization_code", "refresh_token"],
    scopes: ["openid", "email", "offline_access"],
  });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=try`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(steps(page)).toHaveCount(1);
  await allowInNewTab(page, "Open the sign-in", () => expect(steps(page)).toHaveCount(5));
  await steps(page).nth(2).getByText("Request and response").click();
  await expect(steps(page).nth(2)).toContainText("grant_type=authorization_code");
  await expect(steps(page).nth(2)).toContainText('"access_token": "…');
  await steps(page).nth(2).getByText("ID token, decoded").click();
  await expect(steps(page).nth(2)).toContainText(`"iss": "${issuer}"`);
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await expect(steps(page).filter({ has: page.getByRole("heading", { name: "Refresh", exact: true }) })).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Run negative checks" }).click();
  await expect(steps(page).filter({ hasText: "Refused:" })).toHaveCount(3);
  await expect(steps(page).filter({ hasText: "The token is dead" })).toContainText("RFC 7662");
  await expect(unexpected(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeEnabled();
});
