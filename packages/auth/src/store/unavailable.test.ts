import { expect, test } from "vitest";
import { authorize } from "../endpoints/authorize.ts";
import { token } from "../endpoints/token.ts";
import { requireBearer } from "../guard/bearer.ts";
import { readSession } from "../sessions/session.ts";
import { basic, post, read, scene, VERIFIER, WEB_SECRET } from "../testing/index.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** As a database layer throws it: wrapped into an error of its own. */
const outage = () =>
  Promise.reject(
    new Error("Failed query: select 1", {
      cause: new StoreUnavailable("no connection to 10.0.0.7", { retryAfterSeconds: 7 }),
    }),
  );
const UNAVAILABLE = { error: "temporarily_unavailable" };

test("OP-30 a token request is 503 with Retry-After when the store is unavailable; only the log has the reason", async () => {
  const s = scene();
  const logged: unknown[] = [];
  s.deps.onError = (error) => logged.push(error);
  s.store.redeemCode = outage;
  const code = await s.plantCode();
  const answer = await post(
    s,
    token,
    { grant_type: "authorization_code", code, code_verifier: VERIFIER },
    basic("shop-web", WEB_SECRET),
  );
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "7"]);
  expect(answer.body).toMatchObject(UNAVAILABLE);
  expect(answer.text).not.toContain("10.0.0.7");
  expect(logged).toHaveLength(1);
  expect(s.tables.refusals).toEqual([]);
});

test("OP-30 a guarded route is 503 when the store is unavailable, not a challenge for a new token", async () => {
  const s = scene();
  s.store.findAccessToken = outage;
  const request = new Request("https://gate.example/api/resource", {
    headers: { authorization: "Bearer gat_0123456789" },
  });
  const result = await requireBearer(request, { scope: "api:read" }, s.deps, s.caller);
  const answer = result.ok ? undefined : await read(result.response);
  expect([answer?.status, answer?.headers.get("retry-after"), answer?.headers.get("www-authenticate")]).toEqual([
    503,
    "7",
    null,
  ]);
  expect(answer?.body).toMatchObject(UNAVAILABLE);
});

test("OP-30 an authorization request is a page with 503 and Retry-After when the store is unavailable", async () => {
  const s = scene();
  s.store.findClient = outage;
  const result = await authorize(
    new URLSearchParams({ client_id: "shop-web", response_type: "code" }),
    undefined,
    s.deps,
    s.caller,
  );
  expect(result).toMatchObject({ kind: "refuse", error: { status: 503, headers: { "Retry-After": "7" } } });
});

test("OP-30 a session can be read while lastSeenAt cannot be written", async () => {
  const s = scene();
  s.store.touchSession = outage;
  s.clock.now += 120;
  const active = await readSession(`__Host-gatehouse_session=${s.sessionSecret}`, s.deps);
  expect(active?.session).toEqual(s.session);
});
