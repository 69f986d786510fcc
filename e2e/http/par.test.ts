import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { authorizePath, basic, callback, newProof, redeem, redirectUriOf, refusal, signIn } from "../harness/flow.ts";
import { json, postForm, send, textOf } from "../harness/http.ts";
import { newProofKey, proofFor } from "../harness/proof.ts";
import { pushedPath, pushRequest } from "../harness/pushing.ts";
import { expectErrorPage, expectErrorRedirect, expectJsonError, expectNotAllowed } from "./expectations.ts";

const issuer = inject("issuer");
const { web, otherWeb, pushing, browser } = CLIENTS;
const PAR = `${issuer}/par`;

let pia: Agent;
beforeAll(async () => {
  pia = await signIn(issuer, "par");
});

/** Opens the pushed request and presses Allow if asked. */
async function complete(
  requestUri: string,
  client: { client_id: string } = web,
  more: Record<string, string> = {},
  agent = pia,
) {
  const page = await agent.open(pushedPath(client, requestUri, more));
  return page.status === 200 ? agent.submit(page, { button: "Allow" }) : page;
}

describe("POST /par", () => {
  test("PA-01 returns a reference that is valid for a minute, not cacheable, and readable from other origins", async () => {
    const answer = await pushRequest(issuer, web);
    expect(answer.status).toBe(201);
    expect(json(answer)).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
      expires_in: 60,
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("PA-01 the metadata lists it, and says that it is not required", async () => {
    expect(json(await send(issuer, "/.well-known/oauth-authorization-server"))).toMatchObject({
      pushed_authorization_request_endpoint: PAR,
      require_pushed_authorization_requests: false,
      request_uri_parameter_supported: false,
    });
  });

  test("PA-01 a preflight, other methods and a body above the limit", async () => {
    const preflight = await send(issuer, "/par", { method: "OPTIONS", headers: { origin: "https://spa.example" } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("dpop");
    for (const method of ["GET", "PUT", "DELETE"]) expectNotAllowed(await send(issuer, "/par", { method }), "POST");
    expectJsonError(await pushRequest(issuer, web, { state: "x".repeat(9000) }), 413, "invalid_request");
    expectJsonError(await pushRequest(issuer, web, { state: "x".repeat(200_000) }), 413, "invalid_request");
  });

  test("PA-01 rejects missing and wrong client authentication", async () => {
    expectJsonError(await postForm(issuer, "/par", { client_id: web.client_id }), 401, "invalid_client");
    expectJsonError(await postForm(issuer, "/par", {}, basic(web.client_id, "wrong")), 401, "invalid_client");
  });

  test.each<[string, Record<string, string | string[] | undefined>, string]>([
    ["request_uri inside", { request_uri: "urn:ietf:params:oauth:request_uri:x" }, "invalid_request"],
    ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
    ["PA-06 an unregistered redirect_uri", { redirect_uri: "https://evil.example/cb" }, "invalid_request"],
    ["no redirect_uri", { redirect_uri: undefined }, "invalid_request"],
    ["no PKCE", { code_challenge: undefined }, "invalid_request"],
    ["an unknown scope", { scope: "admin:all" }, "invalid_scope"],
    ["response_type token", { response_type: "token" }, "unsupported_response_type"],
    ["a repeated parameter", { state: ["a", "b"] }, "invalid_request"],
    ["a foreign resource", { resource: "https://elsewhere.example/api" }, "invalid_target"],
  ])("PA-02 refuses what the authorization endpoint would: %s", async (_, change, error) => {
    expectJsonError(await pushRequest(issuer, web, change), 400, error);
  });
});

describe("a pushed request in the browser", () => {
  test("PA-03 client_id and request_uri are enough, and the rest of the query is ignored", async () => {
    const { verifier, challenge } = newProof();
    const pushed = textOf(await pushRequest(issuer, web, { code_challenge: challenge }), "request_uri");
    const { uri, params } = callback(
      await complete(pushed, web, { state: "other", redirect_uri: "https://evil.example/cb", scope: "x" }),
    );
    expect([uri, params.get("state"), params.get("iss")]).toEqual([redirectUriOf(web), "the-state", issuer]);
    const answer = await redeem(issuer, web, { code: params.get("code") ?? "", verifier, redirectUri: uri });
    expect(answer.status).toBe(200);
  });

  test("PA-01 a public client can push too", async () => {
    const pushed = textOf(await pushRequest(issuer, browser), "request_uri");
    expect(callback(await complete(pushed, browser)).params.has("code")).toBe(true);
  });

  test("PA-03 another client's, unknown and anonymous references show an error page without a link", async () => {
    const pushed = textOf(await pushRequest(issuer, web), "request_uri");
    expectErrorPage(await pia.request(pushedPath(otherWeb, pushed)));
    expectErrorPage(await pia.request(pushedPath(web, `${pushed}x`)));
    expectErrorPage(await pia.request(`/authorize?${new URLSearchParams({ request_uri: pushed })}`));
  });

  test("AZ-27 foreign request_uri values are rejected with their own error", async () => {
    const page = await pia.request(authorizePath(web, { request_uri: "https://app.example/request" }));
    expectErrorRedirect(page, "request_uri_not_supported", { to: redirectUriOf(web), iss: issuer, state: "the-state" });
  });

  test("PA-04 the sign-in page can be reloaded; a decision spends the reference", async () => {
    const visitor = newAgent(issuer);
    const pushed = textOf(await pushRequest(issuer, web), "request_uri");
    await visitor.open(pushedPath(web, pushed));
    const again = await visitor.open(pushedPath(web, pushed));
    expect(again.status).toBe(200);
    const asked = await visitor.submit(await visitor.open(new URL(again.url).pathname + new URL(again.url).search), {
      fields: { Email: "par@example.com", Password: "correct horse battery" },
      button: "Sign in",
    });
    const end = asked.status === 200 ? await visitor.submit(asked, { button: "Allow" }) : asked;
    expect(callback(end).params.has("code")).toBe(true);
    expectErrorPage(await visitor.open(pushedPath(web, pushed)));
  });

  test("PA-04 a second page of the same reference gets nothing, whatever the first decision was", async () => {
    const pushed = textOf(await pushRequest(issuer, web, { prompt: "consent" }), "request_uri");
    const pages = [await pia.open(pushedPath(web, pushed)), await pia.open(pushedPath(web, pushed))] as const;
    const denied = await pia.submit(pages[0], { button: "Deny" });
    expect(callback(denied).params.get("error")).toBe("access_denied");
    expectErrorPage(await pia.submit(pages[1], { button: "Allow" }));
  });

  test("PA-05 a client that must push is rejected with a plain request and accepted with a pushed one", async () => {
    const plain = await pia.request(authorizePath(pushing));
    expectErrorRedirect(plain, "invalid_request", { to: redirectUriOf(pushing), iss: issuer, state: "the-state" });
    const pushed = textOf(await pushRequest(issuer, pushing), "request_uri");
    expect(callback(await complete(pushed, pushing)).params.has("code")).toBe(true);
  });
});

describe("DPoP at /par", () => {
  test("PA-07 a proof at /par binds the code to its key", async () => {
    const key = await newProofKey();
    const { verifier, challenge } = newProof();
    const pushed = await pushRequest(issuer, web, { code_challenge: challenge }, await proofFor(key, "POST", PAR));
    const { params } = callback(await complete(textOf(pushed, "request_uri")));
    const fields = { grant_type: "authorization_code", code: params.get("code") ?? "", code_verifier: verifier };
    const trade = (headers: Record<string, string>) =>
      postForm(issuer, "/token", fields, { ...basic(web.client_id, web.client_secret), ...headers });
    expect(refusal(await trade({}))).toEqual([400, "invalid_dpop_proof"]);
    expect(refusal(await trade(await proofFor(await newProofKey(), "POST", `${issuer}/token`)))).toEqual([
      400,
      "invalid_grant",
    ]);
    expect(json(await trade(await proofFor(key, "POST", `${issuer}/token`)))).toMatchObject({ token_type: "DPoP" });
  });

  test("PA-07 dpop_jkt must match the key of the proof", async () => {
    const [key, other] = [await newProofKey(), await newProofKey()];
    expectJsonError(
      await pushRequest(issuer, web, { dpop_jkt: other.jkt }, await proofFor(key, "POST", PAR)),
      400,
      "invalid_request",
    );
    expectJsonError(
      await pushRequest(issuer, web, {}, await proofFor(key, "POST", `${issuer}/token`)),
      400,
      "invalid_dpop_proof",
    );
    expect((await pushRequest(issuer, web, { dpop_jkt: key.jkt }, await proofFor(key, "POST", PAR))).status).toBe(201);
  });
});
