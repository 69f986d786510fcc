import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { expect, expectAccessible, issuer, openConsole, test } from "./stage.ts";
import { deliver, SECRET } from "./webhook-endpoints.ts";

// A URL that is refused.
test.use({ provoked: [400] });

test("PK-56 a developer lets an endpoint forward: the secret once, a signed event, and what became of it", async ({
  page,
}) => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const product = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => product.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(product.address() as AddressInfo).port}/hooks`;

  const slug = `stripe-forwarded-${Date.now()}`;
  const token = await consoleToken(issuer, "developer");
  const endpoint = { slug, provider: "stripe", environment: "development" };
  dataOf(await mutate(issuer, "webhookEndpoints.create", endpoint, token));
  dataOf(await mutate(issuer, "webhookSecrets.add", { endpoint: slug, secret: SECRET }, token));

  await openConsole(page, "developer", `/webhooks/${slug}`);
  await page.getByRole("button", { name: "Set up forwarding" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up forwarding" });
  await dialog.getByLabel("URL of your product").fill("http://app.example/hooks");
  await dialog.getByRole("button", { name: "Start forwarding" }).click();
  await expect(dialog.getByText("must be https")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("URL of your product").fill(url);
  await dialog.getByRole("button", { name: "Start forwarding" }).click();
  const secret = await page.getByTestId("new-secret").textContent();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByTestId("forwarding-url")).toHaveText(url);
  expect(await page.content()).not.toContain(secret);
  await expectAccessible(page);

  expect(await deliver(slug, SECRET)).toBe(200);
  await expect.poll(() => received.length).toBe(1);
  const [got] = received;
  new Webhook(secret ?? "").verify(got?.body ?? "", got?.headers as Record<string, string>);
  await page.getByRole("link", { name: "Show its deliveries" }).click();
  await page.getByRole("row").filter({ hasText: "invoice.paid" }).first().click();
  await expect(page.getByText("Forwarding: succeeded")).toBeVisible();
  product.close();
});
