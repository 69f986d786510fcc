import { generateKeyPairSync } from "node:crypto";

import { openNewClient, token, unfold } from "./client-settings.ts";

import { expect, expectAccessible, save, signInToConsole, test } from "./stage.ts";

// Every option of a client can be set in the console, and holds. The refused saves answer 400.
test.use({ provoked: [400] });

test("a client gets public keys instead of its secret; a private key never leaves the browser", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { clientId, secret } = await openNewClient(page);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));

  await unfold(page, "Client authentication");
  await page.getByLabel("Method").selectOption("Private key (private_key_jwt)");
  const keys = page.getByLabel("Public keys");
  await keys.fill(JSON.stringify(privateKey.export({ format: "jwk" })));
  await expect(page.getByText("This contains a private key.")).toBeVisible();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(keys).toBeFocused();
  await expectAccessible(page);
  expect(await token(clientId, secret)).toHaveProperty("expires_in");

  await keys.fill(JSON.stringify(publicKey.export({ format: "jwk" })));
  await save(page);
  expect(await token(clientId, secret)).toMatchObject({ error: "invalid_client" });
  expect(sent.join()).not.toContain(privateKey.export({ format: "jwk" }).d);
  await page.reload();
  await expect(page.getByRole("button", { name: "Client authentication: Private key, any algorithm, keys stored here" })).toBeVisible();
});
