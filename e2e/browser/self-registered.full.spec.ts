import { randomUUID } from "node:crypto";
import { authorizePath } from "../harness/flow.ts";
import { gatehouse } from "../harness/gatehouse.ts";
import { environment, expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

test("CO-95 addresses that a stranger chose are links with https alone, by their host and without referrer; the consent page has none", async ({
  page,
  request,
}) => {
  const { token } = (await gatehouse(["registration-token", "create", "--name", "addresses", "--uses", "2"], environment)) as {
    token: string;
  };
  const register = (change: object) =>
    request.post(`${issuer}/register`, {
      headers: { authorization: `Bearer ${token}` },
      data: { client_name: "Addresses", redirect_uris: ["https://bot.example/cb"], token_endpoint_auth_method: "none", ...change },
    });
  const refused = await register({ client_uri: "javascript:alert(1)" });
  expect([refused.status(), await refused.json()]).toEqual([400, expect.objectContaining({ error: "invalid_client_metadata" })]);

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

  await page.goto(issuer + authorizePath({ client_id: clientId, redirect_uris: ["https://bot.example/cb"] }, { scope: undefined }));
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
