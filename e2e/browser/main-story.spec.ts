import Stripe from "stripe";
import { WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { startRelyingParty } from "./relying-party.ts";
import { adminUrl, createApplication, expect, fillSignIn, issuer, openConsole, test } from "./stage.ts";

let relyingParty: Running | undefined;
test.afterEach(async () => {
  await relyingParty?.stop();
});

test("CO-20 first-five-minutes: an admin registers a client; a user signs in to it, gives consent, and revokes access", async ({
  page,
  browser,
  watched,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;

  await openConsole(page, "admin");
  await page.getByRole("link", { name: "Applications", exact: true }).click();
  await createApplication(page, "Story shop");
  await expect(page.getByRole("heading", { name: "Story shop" })).toBeVisible();

  await page.getByRole("tab", { name: "Development" }).click();
  await page.getByRole("button", { name: "Register client" }).click();
  const redirectUri = page.getByLabel("Redirect URI", { exact: true });
  await redirectUri.fill("http://shop.example/callback");
  await expect(page.getByText(/https/).last()).toBeVisible();
  await redirectUri.fill(`${origin}/callback`);
  await page.getByRole("checkbox", { name: "api:read" }).check();
  await page.getByRole("checkbox", { name: "offline_access" }).check();
  await page.getByRole("button", { name: "Register", exact: true }).click();
  const secretDialog = page.getByRole("dialog", { name: "Client secret" });
  const clientSecret = (await secretDialog.getByTestId("client-secret").textContent()) ?? "";
  await secretDialog.getByRole("button", { name: "Done" }).click();
  const clientId = (await page.getByTestId("client-id").textContent()) ?? "";
  await page.reload();
  await expect(page.getByTestId("client-id")).toHaveText(clientId);
  await expect(page.getByText(clientSecret)).toHaveCount(0);

  relyingParty = await startRelyingParty({ issuer, clientId, clientSecret, port });
  const context = await browser.newContext();
  watched(context);
  const user = await context.newPage();
  await user.goto(origin);
  await user.getByRole("link", { name: "Sign in with Gatehouse" }).click();
  await fillSignIn(user, "browser");
  await expect(user.getByRole("heading", { name: /Story shop/ })).toBeVisible();
  await expect(user.getByText("read your data")).toBeVisible();
  await user.getByRole("button", { name: "Allow" }).click();
  await expect(user.getByText("You are signed in")).toBeVisible();
  await user.getByRole("link", { name: "Call the API" }).click();
  await expect(user.getByText("GET /api/resource: 200")).toBeVisible();

  await user.goto(`${issuer}/account/apps`);
  await user.getByRole("button", { name: "Revoke access of Story shop" }).click();
  await expect(user.getByRole("button", { name: "Revoke access of Story shop" })).toHaveCount(0);
  await user.goto(`${origin}/call`);
  await expect(user.getByText("GET /api/resource: 401")).toBeVisible();
  await expect(user.getByText("Access was revoked")).toBeVisible();
  await context.close();
});

test("the console shows a signed, an unsigned and a forged webhook with their reasons", async ({ page }) => {
  const eventId = `evt_story_${Date.now()}`;
  const payload = JSON.stringify({
    id: eventId,
    object: "event",
    type: "story.told",
    data: { object: { amount: 4200 } },
  });
  const sign = (secret: string) => ({
    "stripe-signature": new Stripe("sk_test_never_used").webhooks.generateTestHeaderString({ payload, secret }),
  });
  const deliver = (headers: Record<string, string>) =>
    fetch(`${issuer}/api/webhooks/stripe`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: payload,
    });
  expect((await deliver(sign(WEBHOOK_SECRETS.stripe))).status).toBe(200);
  expect((await deliver({})).status).toBe(400);
  expect((await deliver(sign("whsec_forged"))).status).toBe(400);

  await openConsole(page, "admin", "/applications?environment=production");
  await page.getByRole("link", { name: "Deliveries", exact: true }).click();
  const table = page.getByRole("table");
  for (const reason of ["accepted", "signature_missing", "signature_mismatch"])
    await expect(table.getByText(reason).first()).toBeVisible();

  const accepted = table
    .getByRole("row")
    .filter({ hasText: "story.told" })
    .filter({ has: page.getByText("accepted", { exact: true }) });
  await expect(accepted).toHaveCount(1);
  await accepted.getByRole("link").click();
  await page.getByRole("link", { name: "Open page" }).click();
  await expect(page).toHaveURL((url) => url.href.startsWith(`${adminUrl}/deliveries/`));
  await expect(page.getByText(eventId).first()).toBeVisible();
  await page.getByRole("button", { name: "Reveal payload" }).click();
  await expect(page.getByText("4200")).toBeVisible();
});
