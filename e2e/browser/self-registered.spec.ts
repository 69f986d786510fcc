import { randomUUID } from "node:crypto";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";

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
  await expect(page.getByRole("button", { name: "Take back approval" })).toBeVisible();
  await expectAccessible(page);

  const danger = page.getByRole("region", { name: "Danger zone" });
  await expect(danger.getByRole("button", { name: `Block client ${clientId}` })).toBeVisible();
  await danger.getByRole("button", { name: `Block software ${software}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByTestId("impact")).toHaveText("1 client stops working.");
  await dialog.getByLabel("Reason").fill("Spam");
  await dialog.getByRole("button", { name: "Block software" }).click();
  await expect(page.getByText("Blocked", { exact: true })).toBeVisible();
  const refused = await request.get(`${issuer}/authorize?client_id=${clientId}&response_type=code&redirect_uri=https://bot.example/cb`);
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
