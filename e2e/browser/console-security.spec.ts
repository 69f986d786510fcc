import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { routeNames } from "../harness/console-routes.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";
import { createUser } from "./people.ts";
import { adminUrl, expect, fillSignIn, issuer, openConsole, registerClient, signInToConsole, test } from "./stage.ts";

test("CO-91 a secret is in one answer and in the open dialog, and nowhere after Done", async ({ page }) => {
  await signInToConsole(page, "developer");
  const { applicationId } = await registerClient(page, { applicationName: `Quiet shop ${Date.now()}` });
  await page.goto(`${adminUrl}/applications/${applicationId}?tab=secrets`);

  const answers: Promise<string>[] = [];
  page.on("response", (response) => answers.push(response.text().catch(() => "")));
  await page.getByRole("button", { name: "Add secret" }).click();
  await page.getByRole("button", { name: "Generate secret" }).click();
  const secret = (await page.getByTestId("client-secret").textContent()) ?? "";
  expect(secret.length).toBeGreaterThan(20);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByTestId("client-secret")).toHaveCount(0);
  const kept = async () =>
    page.evaluate<string>(
      `JSON.stringify([document.documentElement.outerHTML, Object.entries(localStorage), Object.entries(sessionStorage), history.state, location.href])`,
    );
  expect(await kept()).not.toContain(secret);
  await page.reload();
  await expect(page.getByRole("table", { name: "Secrets" })).toContainText(secret.slice(-4));
  expect(await kept()).not.toContain(secret);
  const holding = (await Promise.all(answers)).filter((text) => text.includes(secret));
  expect(holding).toHaveLength(1);
});

test("CO-91 an open dialog drops its secret when the page is left, so that Back does not show it", async ({ page }) => {
  await openConsole(page, "admin", "/self-registered?tab=tokens");
  await page.getByRole("button", { name: "New registration token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "For", exact: true }).fill("Left open");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(dialog.getByTestId("registration-token")).toBeVisible();
  const left = await page.evaluate<number>(
    `window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })) && document.querySelectorAll('[data-testid="registration-token"]').length`,
  );
  expect(left).toBe(0);
  await expect(dialog).toContainText("No longer shown, because you left this page.");
});

test("CO-05 CO-03 a deep link survives the sign-in with its query, and a reload shows the same", async ({ page }) => {
  const path = "/deliveries?range=7d&provider=stripe";
  await page.goto(adminUrl + path);
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
  await fillSignIn(page, "viewer");
  await expect(page).toHaveURL(adminUrl + path);
  await page.reload();
  await expect(page).toHaveURL(adminUrl + path);
  await expect(page.getByRole("button", { name: /Provider is stripe/ })).toBeVisible();
});

test("CO-92 CO-93 a path that only looks like a file of the build gets a page's headers, and no picture is fetched for anybody", async ({
  page,
}) => {
  await signInToConsole(page, "viewer");
  for (const path of ["/icon.svgX", "/_next/imageX", "/_next/image?url=%2Ficon.svg&w=64&q=75"]) {
    const { status, policy } = await page.request.get(adminUrl + path).then((answer) => ({
      status: answer.status(),
      policy: answer.headers()["content-security-policy"],
    }));
    expect([path, status, policy]).toEqual([path, 404, expect.stringContaining("frame-ancestors 'none'")]);
  }
});

test("CO-93 pages and data are not framed, not cached and not readable by other sites", async ({ page }) => {
  await signInToConsole(page, "viewer");
  const [document, data] = await Promise.all([
    page.request.get(`${adminUrl}/applications`),
    page.request.get(`${adminUrl}/api/trpc/me.get`, { headers: { "sec-fetch-site": "same-origin" } }),
  ]);
  for (const response of [document, data]) {
    expect(response.status(), response.url()).toBe(200);
    expect(response.headers()).toMatchObject({
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": expect.stringContaining("no-store"),
    });
  }
});

test("PK-15 PK-69 N84 an admin who is disabled loses the console with the next request, and its cookie", async ({
  page,
  context,
}) => {
  const name = `disabled-admin-${Date.now()}`;
  await createUser(name, { role: "admin" });
  await openConsole(page, name, "/search");
  const call = () => page.request.get(`${adminUrl}/api/trpc/me.get`, { headers: { "sec-fetch-site": "same-origin" } });
  const before = await call();
  expect(before.status()).toBe(200);
  const { result } = (await before.json()) as { result: { data: { user: { id: string } } } };
  // The session of the server itself starts with gse_.
  const own = async () =>
    (await context.cookies(adminUrl)).filter(
      ({ name, value }) => name.endsWith("_session") && !value.startsWith("gse_"),
    ).length;
  expect(await own()).toBe(1);

  const disabled = { id: result.data.user.id, disabled: true };
  dataOf(await mutate(issuer, "users.setDisabled", disabled, await consoleToken(issuer, "admin")));
  expect((await call()).status()).toBe(401);
  expect(await own()).toBe(0);
  await page.goto(`${adminUrl}/users`);
  await expect(page).toHaveURL((url) => url.href.startsWith(`${issuer}/sign-in`));
});

test("OP-96 CO-93 the console's security headers are on every answer of every page, its data and its errors", async ({
  request,
}) => {
  const { framed, bare } = await routeNames();
  const paths = [...framed, ...bare.map((path) => path.replace(/^\/\([^)]*\)/, "")), "/none/such", "/api/trpc/x"];
  for (const path of paths.map((one) => one.replace(/\[[^\]]*\]+/g, "x"))) {
    for (const method of ["GET", "POST"]) {
      const answer = await request.fetch(adminUrl + path, { method, maxRedirects: 0 });
      const { "content-security-policy": policy, ...headers } = answer.headers();
      expect([method, path, policy]).toEqual([method, path, expect.stringContaining("frame-ancestors 'none'")]);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
      });
      expect(headers["x-powered-by"]).toBeUndefined();
    }
  }
});

test("OP-96 the console refuses too many headers, and what it cannot read, with these headers too", async () => {
  const { hostname, port } = new URL(adminUrl);
  for (const [status, request] of [
    ["400", "nonsense\r\n\r\n"],
    ["431", `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${"X-A: b\r\n".repeat(101)}\r\n`],
    ["431", `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-A: ${"b".repeat(17_000)}\r\n\r\n`],
  ]) {
    const socket = connect(Number(port), hostname);
    socket.write(request ?? "");
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain("X-Content-Type-Options: nosniff");
    expect(answer).toContain("X-Frame-Options: DENY");
  }
});
