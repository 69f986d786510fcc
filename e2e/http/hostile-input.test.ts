import { cookieName } from "@gatehouse/auth";
import { beforeAll, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { basic, signIn } from "../harness/flow.ts";
import { FULL } from "../harness/gatehouse.ts";
import { type Answer, send } from "../harness/http.ts";

const issuer = inject("issuer");
const { web } = CLIENTS;

const PATHS = [
  "/",
  "/authorize",
  "/token",
  "/device_authorization",
  "/revoke",
  "/introspect",
  "/sign-in",
  "/sign-up",
  "/sign-out",
  "/consent",
  "/device",
  "/account",
  "/account/security",
  "/account/sessions",
  "/account/apps",
  "/account/activity",
  "/refused",
  "/api/resource",
  "/api/protected/me",
  "/api/webhooks/stripe",
  "/trpc/me.get",
  "/trpc/applications.create",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource/api",
  "/healthz",
  "/no/such",
];

const LONG = "x".repeat(6000);
const QUERIES = [
  "?%00",
  "?%ff=%fe",
  "?a=%",
  "?__proto__=1&constructor=2",
  "?request=%00&request=b",
  "?client_id=%ff&redirect_uri=%00",
  `?request=${LONG}`,
  "?user_code=%F0%9F%92%A5",
  "?input=%7B%22a%22:1e999%7D",
  "?next=%00//evil",
];
const HEADERS: Record<string, string>[] = [
  { cookie: `${cookieName("session", { issuer })}=%00; ${cookieName("csrf", { issuer })}=%ff; =; ;;` },
  { cookie: `${cookieName("session", { issuer })}=${LONG}` },
  { authorization: "Bearer \u00ff\u00fe" },
  { authorization: "Basic ////====" },
  { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString("base64")}` },
  { authorization: LONG },
  { origin: "not a url", "sec-fetch-site": "none" },
  { "content-type": "application/x-www-form-urlencoded; charset=nonsense" },
  { "content-type": ";;;" },
  { "if-none-match": '"', "accept-language": "%%%", accept: "*" },
];
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const BODIES: [Record<string, string>, string | Buffer][] = [
  [FORM, "a=%&b=%zz&%=%"],
  [FORM, "=&=&&&"],
  [FORM, Buffer.from([0, 1, 2, 0xff, 0xfe, 0xfd])],
  [FORM, `request=${LONG}&csrf=${LONG}&email=%00&password=%00&Name=%ff`],
  [
    FORM,
    "email=a%40example.com&password=&csrf=&request=&next=%2f%2fevil&user_code=%00&decision=allow&action=revoke_app&client_id=%00",
  ],
  [FORM, "grant_type=refresh_token&refresh_token=%00&client_id=%F0%9F%92%A5&scope=%00"],
  [{ "content-type": "application/json" }, '{"__proto__":{"a":1}}'],
  [{ "content-type": "application/json" }, "[".repeat(3000)],
  [{ "content-type": "multipart/form-data; boundary=x" }, "--x\r\nContent-Disposition: form-data\r\n\r\n--x--"],
  [{ "content-type": "application/json", "stripe-signature": `t=${"9".repeat(400)},v1=${"f".repeat(64)}` }, "{}"],
];

/** Any error is fine except a 500 or internal details. */
function expectCalm(answer: Answer): void {
  expect([answer.status < 500 || answer.status === 503, answer.url, answer.text.slice(0, 300)]).toEqual([
    true,
    answer.url,
    expect.any(String),
  ]);
  expect(answer.text).not.toMatch(/node_modules|\bat .+:\d+:\d+|SQLITE_|drizzle/);
}

/** A third of the values for one path, other ones for the next. */
const some = <Value>(values: readonly Value[], at: number) =>
  values.filter((_, index) => FULL || (index + at) % 3 === 0);

let signedIn: Agent;
beforeAll(async () => {
  signedIn = await signIn(issuer, "introspect");
});

test.each(PATHS.map((path, at) => ({ path, at })))(
  "TK-10 SE-13 hostile input to $path never causes a 500",
  async ({ path, at }) => {
    for (const query of some(QUERIES, at)) {
      expectCalm(await send(issuer, path + query));
      expectCalm(await signedIn.request(path + query));
    }
    for (const headers of some(HEADERS, at)) {
      expectCalm(await send(issuer, path, { headers }));
      expectCalm(await send(issuer, path, { method: "POST", headers: { ...FORM, ...headers }, body: "a=b" }));
    }
    for (const [headers, body] of some(BODIES, at)) {
      expectCalm(await send(issuer, path, { method: "POST", headers, body }));
      expectCalm(
        await send(issuer, path, {
          method: "POST",
          headers: { ...headers, ...basic(web.client_id, web.client_secret) },
          body,
        }),
      );
      expectCalm(
        await signedIn.request(path, {
          method: "POST",
          headers: { ...headers, "sec-fetch-site": "same-origin" },
          body,
        }),
      );
    }
    for (const method of some(["OPTIONS", "HEAD", "PUT", "PATCH", "DELETE", "PROPFIND"], at))
      expectCalm(await send(issuer, path, { method }));
  },
);
