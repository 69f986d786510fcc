import { describe, expect, inject, test } from "vitest";
import { CLIENTS } from "../harness/fixture.ts";
import { basic } from "../harness/flow.ts";
import { json, postForm, send } from "../harness/http.ts";

// What our server does before routing: it checks the request target and determines the caller.
const issuer = inject("issuer");

describe("request targets", () => {
  test.each(["http://evil.test", "https://user@evil.test:99999", "HTTP://[::1]"])(
    "SE-02 the host in %s has no effect",
    async (origin) => {
      const metadata = await send(issuer, `${origin}/.well-known/oauth-authorization-server`);
      expect([metadata.status, json(metadata)["issuer"]]).toEqual([200, issuer]);
      expect((await send(issuer, `${origin}/api/protected/me`)).status).toBe(401);
      expect((await send(issuer, `${origin}/no/such`)).status).toBe(404);
      expect((await send(issuer, `${origin}?a=b`)).status).toBe(200);
    },
  );

  test("TK-10 a request target that is not a path is not found", async () => {
    expect((await send(issuer, "*", { method: "OPTIONS" })).status).toBe(404);
  });

  test.each(["/_next/x", "/_next/data/x/api/protected/me.json", "/_next/image?url=%2Fapi%2Fprotected%2Fme&w=64&q=75"])(
    "SD-02 Next's own paths do not bypass the guard: %s",
    async (path) => {
      const answer = await send(issuer, path);
      expect([answer.status, json(answer)["error"]]).toEqual([404, "not_found"]);
    },
  );

  test.each([
    "/_next/../api/protected/me",
    "/_next/%2e%2e/api/protected/me",
    "/_next/static/..%2f..%2fapi/protected/me",
  ])("N39 an ambiguous path below them is rejected: %s", async (path) =>
    expect((await send(issuer, path)).status).toBeGreaterThanOrEqual(400),
  );
});

test("SE-07 guesses from changing addresses of one /64 share a limit, and other networks are not affected", async () => {
  const { client_id, client_secret } = CLIENTS.exchanger;
  const ask = (secret: string, address: string) =>
    postForm(
      issuer,
      "/token",
      { grant_type: "client_credentials" },
      { ...basic(client_id, secret), "x-forwarded-for": address },
    );
  const guesses = Array.from({ length: 60 }, (_, at) => ask("a guess", `2001:db8:bad:1::${at.toString(16)}`));
  expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401]));
  const limited = await ask(client_secret, "2001:db8:bad:1::ffff");
  expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await ask(client_secret, "2001:db8:bad:2::1")).status).toBe(200);
});
