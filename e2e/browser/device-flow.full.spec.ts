import { expect, fillSignIn, issuer, test } from "./stage.ts";

test("a user completes the device flow in a second browser", async ({ page }) => {
  const started = await post("/device_authorization", { scope: "api:read" });
  const code = {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: started["device_code"] ?? "",
  };
  const userCode = started["user_code"] ?? "";
  expect(await post("/token", code)).toMatchObject({ error: "authorization_pending" });

  await page.goto(started["verification_uri"] ?? "");
  await fillSignIn(page, "device");
  await page.getByLabel("Code").fill(userCode.toLowerCase());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText(userCode)).toBeVisible();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Device connected" })).toBeVisible();

  await expect(async () => {
    const { access_token } = await post("/token", code);
    const called = await fetch(`${issuer}/api/resource`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(called.status).toBe(200);
  }).toPass({ intervals: [5_500], timeout: 30_000 });
});

async function post(path: string, fields: Record<string, string>): Promise<Record<string, string>> {
  const answer = await fetch(issuer + path, {
    method: "POST",
    body: new URLSearchParams({ client_id: "device", ...fields }),
  });
  return (await answer.json()) as Record<string, string>;
}
