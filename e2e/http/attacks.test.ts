import { describe, expect, inject, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf } from "../harness/fixture.ts";
import { authorizePath, obtainTokens, signIn } from "../harness/flow.ts";
import { json, postForm, send } from "../harness/http.ts";

const issuer = inject("issuer");

describe("forms of other sites", () => {
  test("SE-09 cannot make a browser forget its session: without the cookie there is nothing to clear", async () => {
    const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
    const answer = await postForm(issuer, "/sign-out", {}, headers);
    expect([answer.status, answer.setCookies]).toEqual([303, []]);
  });

  test("AZ-18 a posted authorization request that no URL can carry is refused at once", async () => {
    const answer = await postForm(issuer, "/authorize", { client_id: CLIENTS.web.client_id, state: "x".repeat(20_000) });
    expect([answer.status, answer.headers.has("location")]).toEqual([414, false]);
  });
});

describe("request targets", () => {
  test.each(["http://evil.test", "https://user@evil.test:99999", "HTTP://[::1]"])(
    "SE-02 the host in %s decides nothing",
    async (origin) => {
      const metadata = await send(issuer, `${origin}/.well-known/oauth-authorization-server`);
      expect([metadata.status, json(metadata)["issuer"]]).toEqual([200, issuer]);
      expect((await send(issuer, `${origin}/api/protected/me`)).status).toBe(401);
      expect((await send(issuer, `${origin}/no/such`)).status).toBe(404);
      expect((await send(issuer, `${origin}?a=b`)).status).toBe(200);
    },
  );

  test("TK-10 a target that is no path is nowhere", async () => {
    expect((await send(issuer, "*", { method: "OPTIONS" })).status).toBe(404);
  });

  test.each(["/_next/x", "/_next/data/x/api/protected/me.json", "/_next/image?url=%2Fapi%2Fprotected%2Fme&w=64&q=75"])(
    "SD-02 the framework's own paths are no way in: %s",
    async (path) => {
      if (process.env["GATEHOUSE_TEST_MOUNT"] === "next") return;
      const answer = await send(issuer, path);
      expect([answer.status, json(answer)["error"]]).toEqual([404, "not_found"]);
    },
  );

  test.each(["/_next/../api/protected/me", "/_next/%2e%2e/api/protected/me", "/_next/static/..%2f..%2fapi/protected/me"])(
    "N39 a path with two readings is refused below them too: %s",
    async (path) => expect((await send(issuer, path)).status).toBeGreaterThanOrEqual(400),
  );
});

describe("bodies without end", () => {
  const INPUT = JSON.stringify({ clientId: "x" }).padEnd(300 * 1024);

  test("TK-10 /trpc reads no input larger than it could need, whoever sends it", async () => {
    const { access } = await obtainTokens(await signIn(issuer, "trpc"), CLIENTS.web, { scope: "api:read api:write" });
    const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
    const announced = await send(issuer, "/trpc/me.revokeApp", { method: "POST", headers, body: INPUT });
    expect([announced.status, announced.text]).toEqual([413, expect.stringContaining("PAYLOAD_TOO_LARGE")]);

    const chunked = { ...headers, "transfer-encoding": "chunked" };
    expect((await send(issuer, "/trpc/me.revokeApp", { method: "POST", headers: chunked, body: INPUT })).status).toBe(411);
  });
});

describe("guessing", () => {
  test("SE-07 a host that draws a new address from its own /64 for every guess is held up all the same", async () => {
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

    // Nor can it lock anybody out any more.
    const headers = { "x-forwarded-for": "2001:db8:bad:1::ffff" };
    for (let at = 0; at < 12; at++) {
      await agent.post(page, { fields: { Email: emailOf("bearer"), Password: "wrong" }, button: "Sign in", headers });
    }
    await signIn(issuer, "bearer");
  });
});

test("SE-13 nobody signs up under a name that reads differently from what it is", async () => {
  const agent = newAgent(issuer);
  const page = await agent.open("/sign-up");
  const fields = { Email: "bell@example.com", Password: "a long enough one" };
  const answer = await agent.post(page, { fields, override: { name: "Ada\u0000\u0007" } });
  expect([answer.status, agent.cookies.has("gatehouse_session")]).toEqual([400, false]);
});

test("SE-09 a consent page opened by one person cannot be answered by another", async () => {
  const [ada, eve] = [await signIn(issuer, "consent"), await signIn(issuer, "authorize")];
  const asked = await ada.open(authorizePath(CLIENTS.web, { prompt: "consent" }));
  const own = await eve.open(authorizePath(CLIENTS.web, { prompt: "consent" }));
  const stolen = asked.document.querySelector("input[name=request]")?.getAttribute("value");
  const answer = await eve.post(own, { button: "Allow", override: { request: stolen } });
  expect([answer.status, answer.headers.has("location")]).toEqual([400, false]);
});
