import { cookieName } from "@gatehouse/auth";
import { describe, expect, inject, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { authorizePath, obtainTokens, signIn } from "../harness/flow.ts";
import { postForm, send } from "../harness/http.ts";

const issuer = inject("issuer");

describe("forms on other sites", () => {
  test("SE-09 cannot clear a browser's session cookie", async () => {
    const headers = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
    const answer = await postForm(issuer, "/sign-out", {}, headers);
    expect([answer.status, answer.setCookies]).toEqual([303, []]);
  });

  test("AZ-18 a posted authorization request that is too long for a URL is rejected at once", async () => {
    const answer = await postForm(issuer, "/authorize", {
      client_id: CLIENTS.web.client_id,
      state: "x".repeat(20_000),
    });
    expect([answer.status, answer.headers.has("location")]).toEqual([414, false]);
  });
});

describe("oversized bodies", () => {
  const INPUT = JSON.stringify({ clientId: "x" }).padEnd(600 * 1024);

  test("TK-10 /trpc rejects input above its limit, and chunked input", async () => {
    const { access } = await obtainTokens(await signIn(issuer, "trpc"), CLIENTS.web, { scope: "api:read api:write" });
    const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
    const announced = await send(issuer, "/trpc/me.revokeApp", { method: "POST", headers, body: INPUT });
    expect([announced.status, announced.text]).toEqual([413, expect.stringContaining("PAYLOAD_TOO_LARGE")]);

    const chunked = { ...headers, "transfer-encoding": "chunked" };
    expect((await send(issuer, "/trpc/me.revokeApp", { method: "POST", headers: chunked, body: INPUT })).status).toBe(
      411,
    );
  });
});

test("SE-13 a name with control characters is rejected", async () => {
  const agent = newAgent(issuer);
  const page = await agent.open("/sign-up");
  const fields = { Email: "bell@example.com", Password: "a long enough one" };
  const answer = await agent.post(page, { fields, override: { name: "Ada\u0000\u0007" } });
  expect([answer.status, agent.cookies.has(cookieName("session", { issuer }))]).toEqual([400, false]);
});

test("SE-09 a consent page opened by one user cannot be answered by another", async () => {
  const [ada, eve] = [await signIn(issuer, "consent"), await signIn(issuer, "authorize")];
  const asked = await ada.open(authorizePath(CLIENTS.web, { prompt: "consent" }));
  const own = await eve.open(authorizePath(CLIENTS.web, { prompt: "consent" }));
  const stolen = asked.document.querySelector("input[name=request]")?.getAttribute("value");
  const answer = await eve.post(own, { button: "Allow", override: { request: stolen } });
  expect([answer.status, answer.headers.has("location")]).toEqual([400, false]);
});
