import { request } from "node:http";
import { MAIL } from "@gatehouse/auth/testing";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS, type RunningApp } from "../testing/adapters.ts";
import { APP, createBrowser, NAVIGATION, SAME_ORIGIN } from "../testing/browser.ts";
import { product } from "../testing/product.ts";
import type { GatehouseOptions } from "./options.ts";

// Express and Hono do the same with the same requests.

let running: RunningApp | undefined;
afterEach(() => running?.close());

/** A product built with one adapter. It signs users in and is also an API. */
async function start(framework: string, change: GatehouseOptions = {}) {
  const it = product({ resource: "https://gate.example/api", ...change });
  Object.assign(it.s.deps.config, { tokenFormat: "jwt", tokenAlgorithm: "ES256" });
  const app = await (ADAPTERS[framework] ?? expect.unreachable())(it.options);
  running = app;
  const ada = createBrowser((request) => app.send(request), it.browser().visitServer);
  const json = async (path: string, headers: Record<string, string> = SAME_ORIGIN, method = "GET") => {
    const response = await ada.open(path, { headers, method });
    const text = await response.text();
    return { response, status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  };
  return { ...it, app, ada, json };
}

/** Of a sibling host, another port, another site, a sandbox, and of no page at all. */
const FOREIGN: Record<string, string>[] = [
  { "sec-fetch-site": "same-site", origin: "https://blog.example" },
  { "sec-fetch-site": "none" },
  { origin: `${APP}:8443` },
  { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  { origin: "null" },
  {},
];

/** The status of a response to a request line that no `Request` has. */
function statusOf(port: number, method: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", method, path, headers: NAVIGATION }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on("error", reject).end();
  });
}

test.each(["Express 4", "Express 5"])("%s answers odd request lines as it does without the SDK", async (framework) => {
  const { app } = await start(framework);
  const { port = 0 } = app;
  expect(await statusOf(port, "TRACE", "/open")).toBe(404);
  expect(await statusOf(port, "OPTIONS", "*")).toBeLessThan(500);
  expect(await statusOf(port, "GET", "http://evil.example/orders")).toBe(303);
});

describe.each(Object.keys(ADAPTERS))("%s", (framework) => {
  test("PK-53 a session: signs in, is read, renewed with a cookie that nobody caches, and signs out", async () => {
    const { s, ada, json } = await start(framework);
    expect((await ada.signIn("?return_to=/orders")).headers.get("location")).toBe(`${APP}/orders`);
    const orders = await json("/orders");
    expect(orders.body.auth).toMatchObject({ via: "session", userId: "user-ada", clientId: "shop-web" });
    expect(orders.body.auth.user).toMatchObject({ id: "user-ada", email: "ada@example.com" });
    expect(orders.response.headers.get("cache-control")).toBe("public, max-age=60");

    const cookie = () => [...ada.cookies].find(([name]) => name.endsWith("_session"))?.[1];
    const before = cookie();
    s.clock.now += 560; // the access token expires in less than a minute
    const renewed = await json("/orders");
    expect(renewed.status).toBe(200);
    expect(renewed.response.headers.get("cache-control")).toBe("private, no-store"); // PK-41
    expect(renewed.response.headers.getSetCookie()).toHaveLength(1);
    expect(cookie()).not.toBe(before);

    expect((await ada.post("/auth/sign-out")).status).toBe(303);
    expect((await json("/orders")).status).toBe(401);
  });

  test("PK-53 an access token, where tokens are accepted, and never a cookie in its place", async () => {
    const { ada, json, core } = await start(framework);
    await ada.signIn();
    const reading = await core.read(ada.request("/"), { canSetCookies: false });
    const token = reading.kind === "signed_in" ? reading.accessToken : "";
    const bearer = { authorization: `Bearer ${token}` };

    const stock = await json("/api/stock", bearer);
    expect(stock.body.auth).toMatchObject({ via: "token", userId: "user-ada", user: null, clientId: "shop-web" });
    expect((await json("/api/both", bearer)).body.auth).toMatchObject({ via: "token" });
    expect((await json("/api/both")).body.auth).toMatchObject({ via: "session" });

    const refused = await json("/api/stock"); // BR-13
    expect([refused.status, refused.body.error]).toEqual([401, "invalid_token"]);
    expect(refused.response.headers.get("www-authenticate")).toContain(
      'resource_metadata="https://gate.example/.well-known/oauth-protected-resource/api"',
    );
    expect((await json("/api/both", { ...SAME_ORIGIN, authorization: "Bearer gat_x" })).status).toBe(401);
    expect((await json("/orders", bearer)).status).toBe(200); // by its cookie
    const twice = await json("/api/stock", { authorization: `Bearer ${token}, Bearer ${token}` }); // BR-07
    expect([twice.status, twice.body.error]).toEqual([400, "invalid_request"]);
  });

  test("PK-60 the failure table: navigations go to sign in and back, fetches get JSON", async () => {
    const { ada, json, server } = await start(framework);
    const navigated = await ada.open("/nested/orders?page=2");
    expect([navigated.status, navigated.headers.get("location")]).toEqual([
      303,
      `${APP}/auth/sign-in?return_to=%2Fnested%2Forders%3Fpage%3D2`,
    ]);
    const fetched = await json("/nested/orders");
    expect([fetched.status, fetched.body.error]).toEqual([401, "unauthenticated"]);
    expect((await json("/api/both", NAVIGATION)).response.headers.get("www-authenticate")).toMatch(
      /^Cookie .*, Bearer /,
    );

    await ada.signIn();
    expect((await ada.open("/admin")).headers.get("content-type")).toContain("text/html");
    expect(await json("/admin")).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
    expect((await ada.open("/payout")).status).toBe(303);
    expect(await json("/payout")).toMatchObject({ status: 401, body: { error: "insufficient_user_authentication" } });
    server.isDown = true;
    expect((await json("/orders")).status).toBe(200);
  });

  test("N92 PK-54 an unsafe request with a session is 403 unless a page of this app sends it", async () => {
    const { ada, json } = await start(framework);
    await ada.signIn();
    for (const headers of FOREIGN) {
      for (const path of ["/orders", "/api/both"])
        for (const method of ["POST", "DELETE"])
          expect(await json(path, headers, method)).toMatchObject({ status: 403, body: { error: "cross_origin" } });
      expect((await json("/auth/sign-out", headers, "POST")).status).toBe(403);
    }
    expect((await json("/orders")).status).toBe(200);
    expect((await json("/orders", SAME_ORIGIN, "POST")).status).toBe(200);
    expect((await json("/orders", { origin: APP }, "POST")).status).toBe(200);
  });

  test("PK-53 an error reaches the error handler of the app", async () => {
    const onError = () => {
      throw new Error("the log is full");
    };
    const { json, server } = await start(framework, { onError });
    server.isDown = true;
    const guarded = await json("/api/stock", { authorization: "Bearer gat_x" });
    expect([guarded.status, guarded.body]).toEqual([500, { caught: "the log is full" }]);

    await running?.close();
    const wrong = await start(framework, { appUrl: "shop.example" });
    expect((await wrong.json("/open")).body.caught).toContain("GATEHOUSE_APP_URL must be a URL");
  });

  test("PK-51 the handlers answer the metadata and back-channel logout, and leave other requests to the app", async () => {
    const { app, json } = await start(framework);
    expect((await json("/.well-known/oauth-protected-resource/api")).body.resource).toBe("https://gate.example/api");
    expect((await json("/open")).body).toBe("open");
    const echo = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' };
    expect(await (await app.send(new Request(`${APP}/echo`, echo))).json()).toEqual({ a: 1 });
    const form = { method: "POST", body: new URLSearchParams({ logout_token: "forged" }) };
    expect((await app.send(new Request(`${APP}/auth/backchannel-logout`, form))).status).toBe(400);
  });

  test("an API alone needs no app URL, and has no handlers of sign-in", async () => {
    const { json } = await start(framework, { appUrl: undefined, resource: MAIL.id });
    expect((await json("/open")).status).toBe(200);
    expect((await json("/auth/session")).status).toBe(404);
    expect((await json("/.well-known/oauth-protected-resource/mail")).status).toBe(200);
    expect((await json("/api/stock")).status).toBe(401);
  });
});
