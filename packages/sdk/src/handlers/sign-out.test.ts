import { describe, expect, test } from "vitest";
import { APP, NAVIGATION, SAME_ORIGIN } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";

async function signedIn(options = {}) {
  const it = product(options);
  const ada = it.browser();
  await ada.signIn();
  return { ...it, ada };
}

describe("signing out", () => {
  test("PK-35 revokes the grant, deletes every cookie, and ends the session at the server", async () => {
    const { ada, s, server } = await signedIn();
    await ada.beginSignIn();
    const response = await ada.post("/auth/sign-out");
    const location = new URL(response.headers.get("location") ?? "");
    expect([response.status, location.origin + location.pathname]).toEqual([303, "https://gate.example/logout"]);
    expect(location.searchParams.get("post_logout_redirect_uri")).toBe(`${APP}/`);
    expect(location.searchParams.get("id_token_hint")).toMatch(/^eyJ/);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(ada.cookies.size).toBe(0);
    expect(response.headers.getSetCookie()).toHaveLength(5);
    expect(server.seen["/revoke"]).toBe(1);
    expect([...s.tables.grants.values()].map(({ revokedAt }) => revokedAt !== null)).toEqual([true]);
  });

  test("PK-35 without an ID token it stays on this app, on a page of its own", async () => {
    const { ada } = await signedIn({ scope: "api:read", afterSignOut: "/signed-out" });
    expect((await ada.post("/auth/sign-out")).headers.get("location")).toBe(`${APP}/signed-out`);
  });

  test("PK-60 a script is told where to go, since it cannot follow to another origin", async () => {
    const { ada } = await signedIn();
    const response = await ada.open("/auth/sign-out", { method: "POST", headers: SAME_ORIGIN });
    expect([response.status, response.headers.get("location")]).toEqual([200, null]);
    expect(await response.json()).toMatchObject({ signed_out: true, location: expect.stringContaining("/logout?") });
    expect((await ada.session()).status).toBe("signed-out");
  });

  test("PK-35 while the server is down: signed out here, and a page that says so", async () => {
    const { ada, server } = await signedIn();
    server.isDown = true;
    const page = await ada.post("/auth/sign-out");
    expect([page.status, page.headers.get("location")]).toEqual([503, null]);
    expect(await page.text()).toContain("You’re signed out of this app");
    expect(ada.cookies.size).toBe(0);
  });

  test("PK-35 while the store is down: the cookies are deleted, and a page says that this was not all", async () => {
    const lost = () => Promise.reject(new Error("connection lost"));
    const entries = new Map<string, string>();
    const store = {
      get: async (id: string) => entries.get(id),
      set: async (id: string, value: string) => void entries.set(id, value),
      delete: lost,
      deleteBySid: lost,
    };
    const { ada, errors } = await signedIn({ store });
    const page = await ada.post("/auth/sign-out");
    expect([page.status, ada.cookies.size, errors.map(({ code }) => code)]).toEqual([503, 0, ["unavailable"]]);
  });

  test.each<[string, { method?: string; headers: Record<string, string> }, number]>([
    ["a link", { headers: NAVIGATION }, 405],
    ["a prefetch", { headers: { ...NAVIGATION, "sec-purpose": "prefetch" } }, 405],
    ["a HEAD", { method: "HEAD", headers: NAVIGATION }, 405],
    ["a form of another site", { method: "POST", headers: { ...NAVIGATION, "sec-fetch-site": "cross-site" } }, 403],
    ["a form of a sibling host", { method: "POST", headers: { ...NAVIGATION, "sec-fetch-site": "same-site" } }, 403],
    ["a form of another port", { method: "POST", headers: { origin: "https://shop.example:8443" } }, 403],
    ["a form without an origin", { method: "POST", headers: { origin: "null" } }, 403],
    ["a program", { method: "POST", headers: {} }, 403],
  ])("N86 PK-54 %s ends nothing", async (_, init, status) => {
    const { ada, server } = await signedIn();
    const response = await ada.open("/auth/sign-out", init);
    expect([response.status, response.headers.getSetCookie(), response.headers.get("location")]).toEqual([
      status,
      [],
      null,
    ]);
    expect(server.seen["/revoke"]).toBeUndefined();
    expect((await ada.session()).status).toBe("signed-in");
  });

  test("N86 an older browser's form with the exact origin signs out", async () => {
    const { ada } = await signedIn();
    const response = await ada.open("/auth/sign-out", {
      method: "POST",
      headers: { origin: APP, accept: "text/html" },
    });
    expect(response.status).toBe(303);
  });
});
