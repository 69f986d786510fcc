import { describe, expect, test } from "vitest";
import { APP, NAVIGATION } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";
import { callerOf } from "./caller.ts";
import type { Refusal } from "./refusal.ts";

const FETCH = { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", accept: "*/*" };
const RSC = { ...FETCH, rsc: "1" };
const REFUSALS = {
  signedOut: { reason: "signed_out" },
  scope: { reason: "insufficient_scope", scope: ["api:write"] },
  tooOld: { reason: "sign_in_too_old", maxAge: 600, acr: ["urn:gatehouse:acr:mfa"] },
  down: { reason: "unavailable", retryAfterSeconds: 7 },
  crossOrigin: { reason: "cross_origin" },
} satisfies Record<string, Refusal>;

const refuse = (path: string, headers: Record<string, string>, refusal: Refusal, method = "GET") =>
  product().core.refuse(new Request(APP + path, { method, headers }), refusal);

describe("PK-43 who asks", () => {
  test.each<[string, string, string, Record<string, string>, "page" | "fetch"]>([
    ["a navigation", "GET", "/orders", NAVIGATION, "page"],
    ["an older browser", "GET", "/orders", { accept: "text/html,*/*" }, "page"],
    ["the data of a page", "GET", "/orders", RSC, "page"],
    ["a prefetch", "GET", "/orders", { ...NAVIGATION, "sec-purpose": "prefetch" }, "page"],
    ["a fetch", "GET", "/orders", FETCH, "fetch"],
    ["a fetch that accepts HTML", "GET", "/orders", { ...FETCH, accept: "text/html" }, "fetch"],
    ["a program", "GET", "/orders", { accept: "*/*" }, "fetch"],
    ["a form", "POST", "/orders", NAVIGATION, "fetch"],
    ["a HEAD", "HEAD", "/orders", NAVIGATION, "fetch"],
    ["an address of the API", "GET", "/api/orders", NAVIGATION, "fetch"],
    ["an address of tRPC", "GET", "/TRPC/orders.list", NAVIGATION, "fetch"],
    ["an address that only looks like it", "GET", "/apiary", NAVIGATION, "page"],
    ["a malformed path", "GET", "/%zz", NAVIGATION, "fetch"],
  ])("%s", (_, method, path, headers, kind) => {
    expect(callerOf(new Request(APP + path, { method, headers }))).toBe(kind);
  });

  test("below a base path", () => {
    expect(callerOf(new Request(`${APP}/eu/api/x`, { headers: NAVIGATION }), "/eu")).toBe("fetch");
    expect(callerOf(new Request(`${APP}/eu/apis`, { headers: NAVIGATION }), "/eu")).toBe("page");
  });
});

describe("PK-60 the failure table", () => {
  test.each([
    ["a navigation", NAVIGATION],
    ["the data of a page", RSC],
  ])("%s, signed out: to sign in, and back", async (_, headers) => {
    const response = await refuse("/orders?tab=2", headers, REFUSALS.signedOut);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `${APP}/auth/sign-in?return_to=%2Forders%3Ftab%3D2`,
    ]);
    expect(response.headers.get("cache-control")).toBe("private, no-store"); // PK-41
  });

  test("a navigation whose sign-in is too old: to sign in again, with the demand sealed", async () => {
    const { core, browser } = product();
    const response = await core.refuse(new Request(`${APP}/pay`, { headers: NAVIGATION }), REFUSALS.tooOld);
    const location = new URL(response.headers.get("location") ?? "");
    expect([response.status, location.searchParams.get("return_to")]).toEqual([303, "/pay"]);
    const begun = new URL(await browser().beginSignIn(location.search));
    expect(begun.searchParams.get("max_age")).toBe("600");
    expect(begun.searchParams.get("acr_values")).toBe("urn:gatehouse:acr:mfa");
  });

  test.each([
    ["lacks a scope", REFUSALS.scope, 403, null],
    ["server down", REFUSALS.down, 503, "7"],
    ["of another site", REFUSALS.crossOrigin, 403, null],
  ])("a navigation, %s: a page", async (_, refusal, status, retryAfter) => {
    const response = await refuse("/orders", NAVIGATION, refusal);
    expect([response.status, response.headers.get("retry-after"), response.headers.get("location")]).toEqual([
      status,
      retryAfter,
      null,
    ]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test.each([
    ["signed out", REFUSALS.signedOut, 401, "unauthenticated"],
    ["lacks a scope", REFUSALS.scope, 403, "insufficient_scope"],
    ["sign-in too old", REFUSALS.tooOld, 401, "insufficient_user_authentication"],
    ["server down", REFUSALS.down, 503, "unavailable"],
    ["of another site", REFUSALS.crossOrigin, 403, "cross_origin"],
  ])("a fetch, and every other method, %s: JSON, no redirect", async (_, refusal, status, error) => {
    for (const response of [
      await refuse("/orders", FETCH, refusal),
      await refuse("/orders", NAVIGATION, refusal, "POST"),
      await refuse("/api/orders", NAVIGATION, refusal),
    ]) {
      expect([response.status, response.headers.get("location")]).toEqual([status, null]);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("cache-control")).toBe("private, no-store");
      expect(response.headers.has("www-authenticate")).toBe(status === 401);
      expect(await response.json()).toMatchObject({ error });
    }
  });

  test("a 401 for an old sign-in says what to ask for, RFC 9470 §3", async () => {
    const response = await refuse("/api/pay", FETCH, REFUSALS.tooOld);
    const challenge = response.headers.get("www-authenticate");
    expect(challenge).toContain('error="insufficient_user_authentication"');
    expect(challenge).toContain('max_age="600"');
    expect(challenge).toContain('acr_values="urn:gatehouse:acr:mfa"');
  });

  test.each(["//evil.example/x", "/auth/sign-out", "/AUTH//callback?code=x"])(
    "N85 %s is no place to return to",
    async (path) => {
      const response = await product().core.refuse(
        { method: "GET", url: path, headers: new Headers(NAVIGATION) },
        REFUSALS.signedOut,
      );
      expect(response.headers.get("location")).toBe(`${APP}/auth/sign-in?return_to=%2F`);
    },
  );
});

describe("PK-38 what is required", () => {
  test.each([
    [{}, undefined],
    [{ scope: "api:read openid" }, undefined],
    [{ scope: ["api:read"] }, undefined],
    [{ scope: "api:write" }, "insufficient_scope"],
    [{ scope: "api" }, "insufficient_scope"],
    [{ maxAge: 60 }, undefined],
    [{ maxAge: 59 }, "sign_in_too_old"],
    [{ acr: "urn:gatehouse:acr:password" }, undefined],
    [{ acr: "urn:gatehouse:acr:email" }, undefined],
    [{ acr: ["urn:gatehouse:acr:mfa"] }, "sign_in_too_old"],
    [{ acr: ["unknown"] }, "sign_in_too_old"],
  ])("%o", async (demand, reason) => {
    const { core, browser } = product();
    const ada = browser();
    await ada.signIn();
    const result = await core.protect(ada.request("/"), demand, { canSetCookies: true });
    expect(result.ok ? undefined : result.refusal.reason).toBe(reason);
  });
});
