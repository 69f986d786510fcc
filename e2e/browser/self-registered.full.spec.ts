import { randomUUID } from "node:crypto";
import { authorizePath } from "../harness/flow.ts";
import { gatehouse } from "../harness/gatehouse.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { environment, expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

test("CO-95 addresses that a stranger chose are links with https alone, by their host and without referrer; the consent page has none", async ({
  page,
  request,
}) => {
  const { token } = (await gatehouse(
    ["registration-token", "create", "--name", "addresses", "--uses", "2"],
    environment,
  )) as {
    token: string;
  };
  const register = (change: object) =>
    request.post(`${issuer}/register`, {
      headers: { authorization: `Bearer ${token}` },
      data: {
        client_name: "Addresses",
        redirect_uris: ["https://bot.example/cb"],
        token_endpoint_auth_method: "none",
        ...change,
      },
    });
  const refused = await register({ client_uri: "javascript:alert(1)" });
  expect([refused.status(), await refused.json()]).toEqual([
    400,
    expect.objectContaining({ error: "invalid_client_metadata" }),
  ]);

  const addresses = {
    client_uri: "https://bank.example@strangers.example/home",
    logo_uri: "https://tracker.example/logo.png",
    policy_uri: "http://plain.example/policy",
    tos_uri: "https://terms.example/",
  };
  const registered = await register(addresses);
  expect(registered.status()).toBe(201);
  const { client_id: clientId }: { client_id: string } = await registered.json();

  await openConsole(page, "admin", `/self-registered/${encodeURIComponent(clientId)}`);
  const main = page.getByRole("main");
  await expect(main.getByText(addresses.policy_uri)).toBeVisible();
  for (const [host, href] of [
    ["strangers.example", addresses.client_uri],
    ["tracker.example", addresses.logo_uri],
    ["terms.example", addresses.tos_uri],
  ] as const) {
    const link = main.getByRole("link", { name: host, exact: true });
    await expect(link).toHaveAttribute("href", href);
    await expect(link).toHaveAttribute("rel", /\bnoreferrer\b/);
    await expect(link).toHaveAttribute("referrerpolicy", "no-referrer");
  }
  const elsewhere = page.locator('a[href*=".example"]');
  await expect(elsewhere).toHaveCount(3);
  await expectAccessible(page);

  await page.goto(
    issuer + authorizePath({ client_id: clientId, redirect_uris: ["https://bot.example/cb"] }, { scope: undefined }),
  );
  await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
  await expect(page.getByText("bot.example")).toBeVisible();
  await expect(elsewhere).toHaveCount(0);
  expect(await page.content()).not.toMatch(/strangers|tracker|plain|terms\.example/);
});

test("CO-61 a registration token is shown once", async ({ page }) => {
  await openConsole(page, "admin", "/self-registered?tab=tokens");
  await page.getByRole("button", { name: "New registration token" }).click();
  const dialog = page.getByRole("dialog");
  const name = `Partner ${randomUUID()}`;
  await dialog.getByRole("textbox", { name: "For", exact: true }).fill(name);
  await dialog.getByRole("button", { name: "Create" }).click();
  const token = await dialog.getByTestId("registration-token").textContent();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: `Revoke ${name}` })).toBeVisible();
  expect(await page.content()).not.toContain(token ?? "");
  await page.getByRole("button", { name: `Revoke ${name}` }).click();
  await expect(page.getByRole("button", { name: `Revoke ${name}` })).toHaveCount(0);
});

test("CO-08 CO-61 CO-66 block-a-host: a client that registered itself is found by its origin, approved, and blocked with everything of its software", async ({
  page,
  request,
}) => {
  const draft = { name: "journey", uses: 1, expiresInSeconds: 86_400 };
  const { token } = dataOf<{ token: string }>(
    await mutate(issuer, "registrationTokens.create", draft, await consoleToken(issuer, "admin")),
  );
  const software = `bot-${randomUUID()}`;
  const registered = await request.post(`${issuer}/register`, {
    headers: { authorization: `Bearer ${token}` },
    data: {
      client_name: "Journey bot",
      software_id: software,
      redirect_uris: ["https://bot.example/cb"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code"],
    },
  });
  expect(registered.status()).toBe(201);
  const { client_id: clientId }: { client_id: string } = await registered.json();

  await openConsole(page, "admin", `/self-registered?tab=clients&software=${software}`);
  await expectAccessible(page);
  await page
    .getByRole("region", { name: "Clients" })
    .getByRole("link", { name: /Journey bot/ })
    .click();
  await expect(page.getByTestId("client-id")).toHaveText(clientId);
  await expect(page.getByText("Waiting")).toBeVisible();
  await expect(page).toHaveTitle(/\(production\) · Self-registered · Gatehouse Console$/);
  const banner = page.getByRole("banner").first();
  await expect(banner.getByText("Production", { exact: true }).first()).toBeVisible();
  await expect(banner.getByLabel("Environment")).toHaveValue("production");
  await page.getByRole("button", { name: "Approve in production" }).click();
  await expect(page.getByRole("button", { name: "Revoke approval" })).toBeVisible();
  await expectAccessible(page);

  const danger = page.getByRole("region", { name: "Danger zone" });
  await expect(danger.getByRole("button", { name: `Block client ${clientId}` })).toBeVisible();
  await danger.getByRole("button", { name: `Block software ${software}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByTestId("impact")).toHaveText("1 client stops working.");
  await dialog.getByLabel("Reason").fill("Spam");
  await dialog.getByRole("button", { name: "Block software" }).click();
  await expect(page.getByText("Blocked", { exact: true })).toBeVisible();
  const refused = await request.get(
    `${issuer}/authorize?client_id=${clientId}&response_type=code&redirect_uri=https://bot.example/cb`,
  );
  expect(refused.status()).toBeGreaterThanOrEqual(400);

  const blocked = page.getByRole("alert").filter({ hasText: "This client is blocked" });
  await expect(blocked).toContainText(`Its software ${software}, until the block is lifted`);
  await expectAccessible(page);
  await blocked.getByRole("button", { name: `Lift the block of ${software}` }).click();
  await expect(dialog.getByTestId("impact")).toHaveText("1 client can sign users in again.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Lift the block", exact: true }).click();
  await expect(page.getByText("This client is blocked")).toHaveCount(0);
  await expect(page.getByText("Waiting")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("region", { name: "History" })).toContainText(`Lifted client block ${software}`);
  await page.goto(page.url().replace(/\/self-registered.*/, "/self-registered?tab=blocks"));
  await expect(page.getByRole("button", { name: `Lift the block of ${software}` })).toHaveCount(0);
});
