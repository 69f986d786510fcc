import { describe, expect, inject, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { json, postForm, send } from "../harness/http.ts";

// What our server does before routing: it checks the request target and determines the caller.
const issuer = inject("issuer");

describe("request targets", () => {
  test.each(["http://evil.test", "https://user@evil.test:99999", "HTTP://[::1]"])("SE-02 the host in %s has no effect", async (origin) => {
    const metadata = await send(issuer, `${origin}/.well-known/oauth-authorization-server`);
    expect([metadata.status, json(metadata)["issuer"]]).toEqual([200, issuer]);
    expect((await send(issuer, `${origin}/api/protected/me`)).status).toBe(401);
    expect((await send(issuer, `${origin}/no/such`)).status).toBe(404);
    expect((await send(issuer, `${origin}?a=b`)).status).toBe(200);
  });

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

  test.each(["/_next/../api/protected/me", "/_next/%2e%2e/api/protected/me", "/_next/static/..%2f..%2fapi/protected/me"])(
    "N39 an ambiguous path below them is rejected: %s",
    async (path) => expect((await send(issuer, path)).status).toBeGreaterThanOrEqual(400),
  );
});

describe("guessing", () => {
  test("SE-07 guesses from changing addresses of one /64 share a limit", async () => {
    const agent = newAgent(issuer);
    const page = await agent.open("/sign-in");
    const guess = async (at: number) => {
      const headers = { "x-forwarded-for": `2001:db8:bad:1::${at.toString(16)}` };
      const fields = { Email: emailOf(`nobody-${at}`), Password: "wrong" };
      return (await agent.post(page, { fields, button: "Sign in", headers })).status;
    };
    const answers: number[] = [];
    for (let at = 1; at <= 61; at++) answers.push(await guess(at));
    expect(answers.at(-1)).toBe(429);

    // And it locks nobody out.
    const headers = { "x-forwarded-for": "2001:db8:bad:1::ffff" };
    for (let at = 0; at < 12; at++) {
      await agent.post(page, { fields: { Email: emailOf("bearer"), Password: "wrong" }, button: "Sign in", headers });
    }
    await signIn(issuer, "bearer");
  });
});

test("DF-11 device flows from changing addresses of one /64 share a limit", async () => {
  const start = (at: number) => {
    const headers = { "x-forwarded-for": `2001:db8:bad:2::${at.toString(16)}` };
    return postForm(issuer, "/device_authorization", { client_id: CLIENTS.device.client_id }, headers);
  };
  for (let at = 0; at < 300; at++) expect((await start(at)).status).toBe(200);
  const answer = await start(300);
  expect([answer.status, json(answer)["error"]]).toEqual([429, "temporarily_unavailable"]);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
});
