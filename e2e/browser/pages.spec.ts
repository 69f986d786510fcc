import { emailOf } from "../harness/fixture.ts";
import { newProof } from "../harness/flow.ts";
import { expect, expectAccessible, fillSignIn, full, issuer, test } from "./stage.ts";

const request = (prompt?: string, more: Record<string, string> = {}) =>
  `${issuer}/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: "web",
    redirect_uri: "https://app.example/cb",
    scope: "api:read api:write",
    code_challenge: newProof().challenge,
    code_challenge_method: "S256",
    ...(prompt === undefined ? {} : { prompt }),
    ...more,
  })}`;

function textOf(body: unknown, name: string): string {
  if (typeof body === "object" && body !== null && name in body) return String((body as Record<string, unknown>)[name]);
  throw new Error(`no ${name} in ${JSON.stringify(body)}`);
}

async function userCode(): Promise<string> {
  const answer = await fetch(`${issuer}/device_authorization`, {
    method: "POST",
    body: new URLSearchParams({ client_id: "device" }),
  });
  return textOf(await answer.json(), "user_code");
}

test("an error page of /authorize, and the device page with a code, are accessible and fit a phone", async ({
  page,
}) => {
  await page.goto(`${issuer}/authorize?client_id=nobody`);
  await expectAccessible(page);
  await page.goto(`${issuer}/device`);
  await fillSignIn(page, "browser");
  await page.getByLabel("Code").fill(await userCode());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Access denied" })).toBeVisible();
  await expectAccessible(page);
});

/** D16 has the pages without scripts; test:full has this one too. */
for (const javaScriptEnabled of full ? [true, false] : [true]) {
  test(`AZ-21 interop-1 form_post arrives at the client's own origin, ${javaScriptEnabled ? "by itself" : "without scripts with a button"}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled });
    const posted: (string | null)[] = [];
    await context.route("https://app.example/**", (route) => {
      posted.push(route.request().postData());
      return route.fulfill({ body: "<!doctype html><title>The client</title>arrived", contentType: "text/html" });
    });
    const visitor = await context.newPage();
    await visitor.goto(request("consent", { response_mode: "form_post", state: "s 1" }));
    await fillSignIn(visitor, "browser");
    await visitor.getByRole("button", { name: "Allow" }).click();
    if (!javaScriptEnabled) await visitor.getByRole("button", { name: "Continue to app.example" }).click();
    await expect(visitor).toHaveURL("https://app.example/cb");
    expect(posted).toEqual([expect.stringMatching(/^code=gac_[\w-]+&state=s\+1&iss=[^&]+$/)]);
    await context.close();
  });
}

test("SE-11 interop-1 the browser follows from consent to the client's own origin", async ({ browser }) => {
  const context = await browser.newContext();
  await context.route("https://app.example/**", (route) =>
    route.fulfill({ body: "<!doctype html><title>The client</title>arrived", contentType: "text/html" }),
  );
  const visitor = await context.newPage();
  await visitor.goto(request("consent"));
  await fillSignIn(visitor, "browser");
  await visitor.getByRole("button", { name: "Allow" }).click();
  await expect(visitor).toHaveURL(/^https:\/\/app\.example\/cb\?code=/);
  await context.close();
});

test('D15 "Not you?" switches the account and keeps the pending request', async ({ page }) => {
  await page.goto(request("consent"));
  await fillSignIn(page, "browser");
  await page.getByRole("button", { name: "Not you?" }).click();
  await expect(page.getByText("to continue to Application")).toBeVisible();
  await fillSignIn(page, "viewer");
  await expect(page.getByText(emailOf("viewer"))).toBeVisible();
  await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("D16 sign-up, the device page and sign-out", async ({ page }) => {
    await page.goto(`${issuer}/sign-up`);
    await page.getByLabel("Name").fill("No Script");
    await page.getByLabel("Email").fill(`no-script-${Date.now()}@example.com`);
    await page.getByLabel("Password").fill("a long enough password");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByText("No Script")).toBeVisible();

    await page.goto(`${issuer}/device?user_code=${await userCode()}`);
    const further = page.getByRole("button", { name: "Continue" });
    if (await further.isVisible()) await further.click();
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByRole("heading", { name: "Device connected" })).toBeVisible();

    await page.goto(`${issuer}/account`);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.goto(`${issuer}/account`);
    await expect(page).toHaveURL((url) => url.pathname === "/sign-in");
  });
});
