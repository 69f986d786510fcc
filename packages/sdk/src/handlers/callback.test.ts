import { describe, expect, test } from "vitest";
import type { Browser } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";

async function expectSignedOut(browser: Browser): Promise<void> {
  expect((await browser.session()).status).toBe("signed-out");
  expect([...browser.cookies.keys()].filter((name) => name.endsWith("_session"))).toEqual([]);
}

describe("the callback", () => {
  test("N87 a state that this browser did not begin is refused, and nothing is asked", async () => {
    const { browser, server } = product();
    const [ada, eve] = [browser(), browser()];
    expect((await eve.endSignIn(await ada.beginSignIn())).status).toBe(400);
    expect(server.seen["/token"]).toBeUndefined();
    await expectSignedOut(eve);
    for (const query of ["", "?code=x", "?state=", "?error=access_denied"])
      expect((await ada.open(`/auth/callback${query}`)).status).toBe(400);
  });

  test("N87 each callback counts once, and the session of the first lives on", async () => {
    const { browser, server } = product();
    const ada = browser();
    const url = await ada.visitServer(await ada.beginSignIn());
    expect((await ada.open(url)).status).toBe(303);
    expect((await ada.open(url)).status).toBe(400);

    // With the cookie of before, as two requests at the same time send it: a second exchange would revoke the grant.
    const eager = browser();
    const twice = await eager.visitServer(await eager.beginSignIn());
    const exchanges = server.seen["/token"] ?? 0;
    const both = await Promise.all([eager.open(twice), eager.open(twice)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400]);
    expect(server.seen["/token"]).toBe(exchanges + 1);
    expect((await eager.session()).status).toBe("signed-in");
  });

  test.each([
    ["another issuer", (url: URL) => url.searchParams.set("iss", "https://evil.example")],
    ["no issuer", (url: URL) => url.searchParams.delete("iss")],
    ["a code of nobody", (url: URL) => url.searchParams.set("code", "gac_unknown")],
    ["two states", (url: URL) => url.searchParams.append("state", "x")],
    ["two codes", (url: URL) => url.searchParams.append("code", "x")],
  ])("N87 %s is refused", async (_, change) => {
    const ada = product().browser();
    const url = new URL(await ada.visitServer(await ada.beginSignIn()));
    change(url);
    const page = await ada.open(url.href);
    expect([page.status, page.headers.get("cache-control")]).toEqual([400, "private, no-store"]);
    await expectSignedOut(ada);
  });

  test("N87 PK-60 markup in an error is not shown; the server's error id is", async () => {
    const ada = product().browser();
    const state = new URL(await ada.beginSignIn("?return_to=/a")).searchParams.get("state") ?? "";
    const query = new URLSearchParams({
      error: "<script>alert(1)</script>",
      error_description: "<img src=x onerror=alert(1)> (error_id: 01JE-abc)",
      iss: "https://gate.example",
      state,
    });
    const page = await ada.open(`/auth/callback?${query}`);
    const html = await page.text();
    expect(page.status).toBe(400);
    expect(html).not.toMatch(/<script|<img|alert/);
    expect(html).toContain("01JE-abc");
    expect(html).toContain('href="/auth/sign-in?return_to=%2Fa"');
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    await expectSignedOut(ada);
  });

  test("a user who denies access is told so", async () => {
    const ada = product().browser();
    const state = new URL(await ada.beginSignIn()).searchParams.get("state") ?? "";
    const query = new URLSearchParams({ error: "access_denied", iss: "https://gate.example", state });
    const page = await ada.open(`/auth/callback?${query}`);
    expect([page.status, (await page.text()).includes("Sign-in canceled")]).toEqual([400, true]);
  });

  test("PK-32 N97 a server that is down at the callback: 503, and the next try succeeds", async () => {
    const { browser, server } = product();
    const ada = browser();
    const url = await ada.visitServer(await ada.beginSignIn());
    server.isDown = true;
    const page = await ada.open(url);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    server.isDown = false;
    expect((await ada.signIn()).status).toBe(303);
    expect((await ada.session()).status).toBe("signed-in");
  });

  test("PK-36 a client of another environment than the app expects signs nobody in", async () => {
    const { browser, errors } = product({ environment: "development" });
    const ada = browser();
    expect((await ada.signIn()).status).toBe(400);
    expect(errors.map(({ message }) => message)).toEqual([
      "the client is of the environment production, not development",
    ]);
    await expectSignedOut(ada);
  });

  test.each<[string, object]>([
    ["are not active", { active: false }],
    ["are another user's", { active: true, sub: "user-eve", environment: "production" }],
    ["have no environment", { active: true, sub: "user-ada" }],
  ])("PK-36 tokens that the server says %s sign nobody in", async (_, answer) => {
    const { browser, server } = product();
    server.before = async ({ url }) => (url.endsWith("/introspect") ? Response.json(answer) : undefined);
    const ada = browser();
    expect((await ada.signIn()).status).toBe(400);
    await expectSignedOut(ada);
  });

  test("PK-29 a session that no cookies can hold ends on a page that names the option, not in a loop", async () => {
    const { browser, s } = product();
    s.tables.users.set(s.user.id, { ...s.user, name: "x".repeat(12_000) });
    const page = await browser().signIn();
    expect([page.status, (await page.text()).includes("“store”")]).toEqual([500, true]);
  });

  test("PK-29 a session of several cookies works, and a smaller one deletes the rest", async () => {
    const { browser, s } = product();
    s.tables.users.set(s.user.id, { ...s.user, name: "x".repeat(4000) });
    const ada = browser();
    await ada.signIn();
    const names = () => [...ada.cookies.keys()].filter((name) => name.includes("_session"));
    expect(names()).toHaveLength(4);
    expect((await ada.session()).status).toBe("signed-in");
    s.tables.users.set(s.user.id, s.user);
    await ada.signIn();
    expect(names()).toHaveLength(1);
    expect((await ada.session()).status).toBe("signed-in");
  });

  test("PK-60 nothing that is logged contains a code, a token or a secret", async () => {
    const { browser, errors } = product();
    const ada = browser();
    const url = new URL(await ada.visitServer(await ada.beginSignIn()));
    const code = url.searchParams.get("code") ?? "";
    url.searchParams.set("iss", "https://evil.example");
    await ada.open(url.href);
    expect(code.length).toBeGreaterThan(20);
    expect(errors.length).toBeGreaterThan(0);
    for (const { message } of errors) expect(message).not.toMatch(new RegExp(`${code}|g[a-z]{2}_`));
  });
});
