import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { APP, SAME_ORIGIN } from "../../testing/browser.ts";
import { product } from "../../testing/product.ts";
import type { AuthDemand } from "../accept.ts";
import { createAuthorizer } from "../authorize.ts";
import type { Caller } from "../protect.ts";
import type { CurrentRequest } from "./current-request.ts";
import { callGuarded } from "./handler.ts";

const STOCK = "/api/stock";
const PARAMS = { params: "of the route" };

/** A handler of a product that is an API as well, whose user Ada is signed in. */
async function scene() {
  const it = product({ resource: "https://gate.example/api" });
  Object.assign(it.s.deps.config, { tokenFormat: "jwt", tokenAlgorithm: "ES256" });
  const authorizer = createAuthorizer(it.options);
  const ada = it.browser();
  await ada.signIn();
  const authorization = `Bearer ${await it.app.getAccessToken(ada.request("/"))}`;

  const call = async (request: Request, demand: AuthDemand) => {
    const cookies: string[] = [];
    const callers: (typeof PARAMS & Caller)[] = [];
    const current: CurrentRequest = {
      request,
      canSetCookies: true,
      setCookies: (values) => void cookies.push(...values),
    };
    const handler = (_request: NextRequest, caller: typeof PARAMS & Caller) => {
      callers.push(caller);
      return new Response("stock", { headers: { "cache-control": "public" } });
    };
    const guard = { authorizer, demand, handler };
    const response = await callGuarded(guard, { request: new NextRequest(request), context: PARAMS, current });
    return { response, status: response.status, cookies, callers };
  };
  const send = (headers: Record<string, string> = {}, method = "GET") =>
    ada.request(STOCK, { method, headers: { ...SAME_ORIGIN, ...headers } });
  return { ...it, call, send, authorization };
}

test("PK-38 a handler is called with the session, or with who sent the token, beside the params of its route", async () => {
  const { call, send, authorization } = await scene();
  const bySession = await call(send({ authorization }), {});
  expect(bySession.callers).toEqual([{ ...PARAMS, session: expect.objectContaining({ environment: "production" }) }]);

  const token = new Request(APP + STOCK, { headers: { authorization } });
  for (const accept of ["bearer", "any"] as const) {
    const byToken = await call(token, { accept, scope: "api:read" });
    expect(byToken.callers).toEqual([{ ...PARAMS, auth: expect.objectContaining({ via: "token", user: null }) }]);
  }
  const byCookie = await call(send(), { accept: "any", scope: "api:read" });
  expect(byCookie.callers).toEqual([{ ...PARAMS, auth: expect.objectContaining({ via: "session" }) }]);
});

test("PK-38 N92 a handler is not called for any other request", async () => {
  const { call, send, authorization } = await scene();
  const none = new Request(APP + STOCK, { headers: SAME_ORIGIN });
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  const refused: [Request, AuthDemand, number][] = [
    [none, { accept: "bearer" }, 401],
    [none, { accept: "any" }, 401],
    [new Request(APP + STOCK, { headers: { ...SAME_ORIGIN, authorization } }), {}, 401], // tokens count by option
    [send(), { accept: "bearer" }, 401], // BR-13
    [send({ authorization: "Bearer nonsense" }), { accept: "any" }, 401],
    [send({ authorization: "Bearer one, Bearer two" }), { accept: "any" }, 400],
    [send({ authorization }), { accept: "any", scope: "admin" }, 403],
    [send(foreign, "POST"), { accept: "any" }, 403],
  ];
  for (const [request, demand, status] of refused)
    expect(await call(request, demand)).toMatchObject({ status, callers: [] });
});

test("PK-41 a session that is renewed sets its cookie, uncached, and one beside a token is left alone", async () => {
  const { call, send, authorization, s } = await scene();
  s.clock.now += 560;
  const byToken = await call(send({ authorization }), { accept: "any" });
  expect([byToken.status, byToken.cookies, byToken.response.headers.get("cache-control")]).toEqual([200, [], "public"]);
  const bySession = await call(send(), { accept: "any" });
  expect(bySession.cookies).toHaveLength(1);
  expect(bySession.response.headers.get("cache-control")).toBe("private, no-store");
});
