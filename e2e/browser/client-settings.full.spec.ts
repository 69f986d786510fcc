import { generateKeyPairSync } from "node:crypto";
import { openNewClient, token, unfold } from "./client-settings.ts";
import { expect, expectAccessible, issuer, save, signInToConsole, test } from "./stage.ts";

// Every option of a client can be set in the console, and holds. The refused saves answer 400.
test.use({ provoked: [400] });

const CALLBACK = "http://localhost:4000/callback";

test("one option of each section is set in the console, and the server keeps to it", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { clientId, secret } = await openNewClient(page);

  await page.getByRole("checkbox", { name: "email", exact: true }).check();
  await page.getByRole("button", { name: "Add post-logout redirect URI" }).click();
  await page.getByLabel("Post-logout redirect URI", { exact: true }).fill("http://localhost:4000/");
  await expect(page.getByText("2 changes: Post-logout redirect URIs, Scopes")).toBeVisible();
  await save(page);

  await unfold(page, "Tokens");
  await page.getByLabel("Access token lifetime").fill("90");
  await save(page);
  expect(await token(clientId, secret)).toMatchObject({ expires_in: 90 });

  await unfold(page, "Request security");
  await expectAccessible(page);
  await page.getByRole("checkbox", { name: "Require pushed requests" }).check();
  await page.getByRole("checkbox", { name: "Require DPoP", exact: true }).check();
  await save(page);
  expect(await token(clientId, secret)).toMatchObject({ error: "invalid_dpop_proof" });
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "openid",
  });
  const refused = await fetch(`${issuer}/authorize?${query}`, { redirect: "manual" });
  expect(refused.headers.get("location") ?? (await refused.text())).toMatch(/invalid_request/);

  await unfold(page, "Sign-out");
  await page.getByLabel("Back-channel logout URI").fill("http://localhost:4000/out");
  await save(page);

  await page.reload();
  await expect(
    page.getByRole("button", { name: "Request security: Pushed requests required · DPoP required" }),
  ).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "email", exact: true })).toBeChecked();
  await expect(page.getByLabel("Post-logout redirect URI", { exact: true })).toHaveValue("http://localhost:4000/");
  await unfold(page, "Sign-out");
  await expect(page.getByLabel("Back-channel logout URI")).toHaveValue("http://localhost:4000/out");
});

test("the server's error appears at its field, also in a folded section, and Discard takes everything back", async ({
  page,
}) => {
  await signInToConsole(page, "developer");
  await openNewClient(page);
  await unfold(page, "Sign-out");
  await page.getByLabel("Back-channel logout URI").fill("ftp://localhost/out");
  await unfold(page, "Sign-out");
  await expect(page.getByLabel("Back-channel logout URI")).toHaveCount(0);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByLabel("Back-channel logout URI")).toBeFocused();
  await expect(page.getByLabel("Back-channel logout URI")).toHaveAccessibleDescription(/must be an https URL/);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByRole("button", { name: "Sign-out: Back-channel logout off" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeDisabled();
});

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
  await expect(
    page.getByRole("button", { name: "Client authentication: Private key, any algorithm, keys stored here" }),
  ).toBeVisible();
});
