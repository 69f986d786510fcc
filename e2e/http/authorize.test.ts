import { createHash } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, PASSWORD } from "../harness/fixture.ts";
import { authorize, authorizePath, callback, newProof, obtainCode, redeem, signIn } from "../harness/flow.ts";
import { encodeForm, type Fields, json, send } from "../harness/http.ts";
import { expectErrorPage, expectErrorRedirect, expectNotAllowed, expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const { web, noCode, disabled } = CLIENTS;
const atWeb = { to: "https://app.example/cb", iss: issuer, state: "the-state" };

let ada: Agent;
beforeAll(async () => {
  ada = await signIn(issuer, "authorize");
});

const ask = (change: Fields) => ada.request(authorizePath(web, change));

describe("authorization endpoint: no redirect to an unproven redirect URI", () => {
  test.each<[string, Fields]>([
    ["N01 AZ-06 an unknown client", { client_id: "nobody" }],
    ["AZ-06 no client", { client_id: undefined }],
    ["AZ-03 an empty client", { client_id: "" }],
    ["AZ-07 no redirect URI", { redirect_uri: undefined }],
    ["AZ-03 an empty redirect URI", { redirect_uri: "" }],
    ["AZ-08 no redirect URI, although only one is registered", { client_id: "other-web", redirect_uri: undefined }],
    ["N04 two redirect URIs, the good one first", { redirect_uri: [atWeb.to, "https://evil.example/cb"] }],
    ["N04 the same redirect URI twice", { redirect_uri: [atWeb.to, atWeb.to] }],
    ["N04 AZ-04 two clients", { client_id: ["web", "web"] }],
    ["AZ-05 names are case sensitive", { client_id: undefined, Client_Id: "web" }],
  ])("%s gets an error page", async (_, change) => {
    expectErrorPage(await ask(change));
  });

  test("AZ-06 a disabled client gets an error page", async () => {
    expectErrorPage(await ada.request(authorizePath(disabled)));
  });

  test("D13 the error page shows an error id", async () => {
    const page = await ask({ client_id: "nobody" });
    const id = page.headers.get("gatehouse-error-id");
    expect(id).toMatch(/\S{6,}/);
    expect(page.text).toContain(id);
  });
});

describe("AZ-21 response_mode=form_post", () => {
  const fieldsOf = (page: Page) =>
    Object.fromEntries(
      page.document.querySelectorAll("input").map((one) => [one.getAttribute("name"), one.getAttribute("value")]),
    );

  test("AZ-21 a page posts the code to the client: a form that works without scripts, and one script, by its hash", async () => {
    const proof = newProof();
    const consent = await ada.open(
      authorizePath(web, { response_mode: "form_post", code_challenge: proof.challenge, prompt: "consent" }),
    );
    const page = await ada.submit(consent, { button: "Allow" });
    expect([
      page.status,
      page.headers.get("location"),
      page.document.querySelector("form")?.getAttribute("action"),
    ]).toEqual([200, null, atWeb.to]);
    expectPageHeaders(page);
    const script = createHash("sha256")
      .update(page.document.querySelector("script")?.text ?? "")
      .digest("base64");
    expect(page.headers.get("content-security-policy")).toContain(`script-src 'sha256-${script}'`);
    expect(page.headers.get("content-security-policy")).not.toContain("form-action");
    const { code = "", ...others } = fieldsOf(page);
    expect(others).toEqual({ state: atWeb.state, iss: atWeb.iss });
    const redeemed = await redeem(issuer, web, { code, verifier: proof.verifier, redirectUri: atWeb.to });
    expect(redeemed.status).toBe(200);
  });

  test("AZ-21 AZ-25 an error is posted too, and is text on the page", async () => {
    const page = await ask({ response_mode: "form_post", prompt: "dance", state: '"><script>' });
    expect(page.status).toBe(200);
    expect(fieldsOf(page)).toMatchObject({ error: "invalid_request", state: '"><script>', iss: issuer });
    expect(page.text).not.toContain('"><script>"');
  });
});

describe("authorization endpoint: errors redirect to the client", () => {
  test.each<[string, Fields, string]>([
    ["AZ-10 no response_type", { response_type: undefined }, "invalid_request"],
    ["N07 response_type=token", { response_type: "token" }, "unsupported_response_type"],
    ["N07 response_type=id_token", { response_type: "id_token" }, "unsupported_response_type"],
    ["N07 response_type=code token", { response_type: "code token" }, "unsupported_response_type"],
    ["AZ-10 response_type=code id_token", { response_type: "code id_token" }, "unsupported_response_type"],
    ["AZ-10 response_type=none", { response_type: "none" }, "unsupported_response_type"],
    ["N07 AZ-05 response_type=CODE", { response_type: "CODE" }, "unsupported_response_type"],
    [
      "N08 AZ-11 no challenge, from a confidential client with a nonce",
      { code_challenge: undefined, nonce: "n" },
      "invalid_request",
    ],
    ["N09 AZ-12 the plain method", { code_challenge_method: "plain" }, "invalid_request"],
    ["N09 AZ-12 no method", { code_challenge_method: undefined }, "invalid_request"],
    ["N09 AZ-05 s256 in lower case", { code_challenge_method: "s256" }, "invalid_request"],
    ["N10 AZ-13 a challenge of 42 characters", { code_challenge: "a".repeat(42) }, "invalid_request"],
    ["AZ-13 a challenge of 44 characters", { code_challenge: "a".repeat(44) }, "invalid_request"],
    ["N10 AZ-13 a padded challenge", { code_challenge: `${newProof().challenge}=` }, "invalid_request"],
    ["N11 AZ-04 two scopes", { scope: ["api:read", "api:read"] }, "invalid_request"],
    ["AZ-04 two challenges", { code_challenge: [newProof().challenge, newProof().challenge] }, "invalid_request"],
    ["N12 AZ-16 an unknown scope", { scope: "admin:all" }, "invalid_scope"],
    ["AZ-16 a scope the client is not allowed", { scope: "console:read" }, "invalid_scope"],
    ["N12 AZ-15 a scope with a quote", { scope: 'api:read "x' }, "invalid_scope"],
    ["AZ-15 a scope with a control character", { scope: "api:read\u0001" }, "invalid_scope"],
    ["AZ-15 a scope beyond ASCII", { scope: "api:réad" }, "invalid_scope"],
    ["N13 AZ-21 response_mode=fragment", { response_mode: "fragment" }, "invalid_request"],
    ["AZ-21 response_mode=web_message", { response_mode: "web_message" }, "invalid_request"],
    ["AZ-27 a request object", { request: "eyJ" }, "request_not_supported"],
    ["AZ-27 a request object by reference", { request_uri: "https://app.example/r" }, "request_uri_not_supported"],
    ["AZ-38 the request object before PKCE", { request: "eyJ", code_challenge: undefined }, "request_not_supported"],
    [
      "AZ-38 the response type before PKCE",
      { response_type: "token", code_challenge: undefined },
      "unsupported_response_type",
    ],
    ["AZ-38 PKCE before scope", { code_challenge: undefined, scope: "admin:all" }, "invalid_request"],
    ["RI-01 another resource", { resource: "https://other.example/api" }, "invalid_target"],
    ["N14 AZ-26 prompt=none login", { prompt: "none login" }, "invalid_request"],
    ["AZ-26 an unknown prompt", { prompt: "dance" }, "invalid_request"],
  ])("%s", async (_, change, error) => {
    expectErrorRedirect(await ask(change), error, atWeb);
  });

  test("N11 AZ-04 a repeated state is rejected without a state", async () => {
    expectErrorRedirect(await ask({ state: ["a", "b"] }), "invalid_request", { ...atWeb, state: null });
  });

  test("AZ-24 a client that is not registered for the grant", async () => {
    const page = await ada.request(authorizePath(noCode));
    expectErrorRedirect(page, "unauthorized_client", { ...atWeb, to: noCode.redirect_uris[0] });
  });

  test("N14 AZ-26 prompt=none without a session", async () => {
    const page = await newAgent(issuer).request(authorizePath(web, { prompt: "none" }));
    expectErrorRedirect(page, "login_required", atWeb);
  });

  test.each(["x\r\nSet-Cookie:a=b", '"><script>alert(1)</script>', 'a b+c&d=e%20#é"<>'])(
    "N15 AZ-17 the state %j comes back unchanged and escaped",
    async (state) => {
      const page = await ask({ response_type: "token", state });
      expectErrorRedirect(page, "unsupported_response_type", { ...atWeb, state });
      expect(page.setCookies.join()).not.toContain("a=b");
      expect(page.text).not.toContain("<script>alert");
    },
  );

  test("D13 the description ends with the error id", async () => {
    const { params } = callback(await ask({ response_type: "token" }));
    expect(params.get("error_description")).toMatch(/\(error_id: \S+\)$/);
  });
});

describe("authorization endpoint: success", () => {
  test("AZ-19 AZ-20 a 303 with code, state and iss once each, in the query", async () => {
    const page = await authorize(ada, web);
    const { uri, params } = callback(page);
    expect(page.status).toBe(303);
    expect(uri).toBe("https://app.example/cb");
    expect([...params.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect(params.get("iss")).toBe(issuer);
    expect(page.headers.get("location")).not.toContain("#");
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  });

  test("AZ-19 RU-09 the registered query is kept, and our parameters are appended", async () => {
    const page = await authorize(ada, web, { redirect_uri: "https://app.example/cb?tenant=7" });
    expect(page.headers.get("location")).toMatch(/^https:\/\/app\.example\/cb\?tenant=7&/);
  });

  test.each<[string, string]>([
    ["punctuation and accents", 'a b+c&d=e%20#é"<>'],
    ["128 characters", "s".repeat(128)],
    ["2000 characters", "s".repeat(2000)],
  ])("AZ-17 a state of %s survives sign-in and consent", async (_, state) => {
    expect(callback(await authorize(ada, web, { state })).params.get("state")).toBe(state);
  });

  test.each<[string, Fields]>([
    ["AZ-17 without a state none is returned", { state: undefined }],
    ["AZ-03 an empty state is ignored", { state: "" }],
  ])("%s", async (_, change) => {
    expect(callback(await authorize(ada, web, change)).params.has("state")).toBe(false);
  });

  test.each<[string, Fields]>([
    ["AZ-02 unknown parameters, even repeated", { colour: ["red", "blue"] }],
    ["AZ-02 a nonce without openid", { nonce: "n-0S6" }],
    ["AZ-15 a repeated scope token", { scope: "api:read api:read" }],
    ["AZ-16 openid names that the client is registered for", { scope: "openid profile email api:read" }],
    ["CF-13 openid names that it is not registered for", { scope: "api:read address phone" }],
    ["AZ-21 response_mode=query", { response_mode: "query" }],
    ["MC-07 our own resource", { resource: `${issuer}/api` }],
    ["RI-04 our own resource with a slash", { resource: `${issuer}/api/` }],
    ["OI-04 hints", { display: "page", ui_locales: "de", login_hint: "a@example.com", acr_values: "1" }],
    ["AZ-05 a known name in another case", { SCOPE: "admin:all" }],
  ])("%s have no effect", async (_, change) => {
    expect(callback(await authorize(ada, web, change)).params.get("code")).toMatch(/^[A-Za-z0-9._~-]{43,}$/);
  });

  test("AZ-14 AZ-03 without a scope the client's default scope is granted and returned", async () => {
    const answer = await redeem(issuer, web, await obtainCode(ada, web, { scope: "" }));
    expect(json(answer)["scope"]).toBe("api:read api:write");
  });

  test("AZ-18 a request line of 8000 octets is served", async () => {
    const path = authorizePath(web, { state: "s" });
    const padded = path.replace("state=s", `state=${"s".repeat(8000 - path.length - "GET  HTTP/1.1".length)}`);
    const page = await ada.request(padded);
    expect([200, 303]).toContain(page.status);
  });

  test("AZ-18 a request far beyond the limit is rejected, not truncated", async () => {
    const page = await ada.request(authorizePath(web, { state: "s".repeat(9000) }));
    expect([400, 414]).toContain(page.status);
    expect(page.headers.get("location")).toBeNull();
  });

  test("AZ-32 a confidential client needs consent once; then prompt=none succeeds", async () => {
    await authorize(ada, web);
    expect(callback(await ask({ prompt: "none" })).params.has("code")).toBe(true);
  });

  test("AZ-26 prompt=consent asks again", async () => {
    await authorize(ada, web);
    const page = await ada.open(authorizePath(web, { prompt: "consent" }));
    expect(page.status).toBe(200);
    expect(page.url).toContain("/consent");
  });

  test("AZ-26 interop-22 prompt=login asks a signed-in user for the password alone, and is kept through sign-in", async () => {
    await authorize(ada, web);
    const page = await ada.open(authorizePath(web, { prompt: "login", login_hint: "authorize@example.com" }));
    expect(page.url).toContain("/sign-in/confirm?request=");
    expect(page.document.querySelector("input[type=email]")).toBeNull();
    const done = await ada.submit(page, { fields: { Password: PASSWORD }, button: "Continue" });
    expect(callback(done).params.has("code")).toBe(true);
  });

  test("AZ-26 a hint at another address leads to the sign-in page with that address", async () => {
    const page = await ada.open(authorizePath(web, { prompt: "login", login_hint: "other@example.com" }));
    expect(page.url).toContain("/sign-in?request=");
    expect(page.document.querySelector("input[type=email]")?.getAttribute("value")).toBe("other@example.com");
  });
});

describe("authorization endpoint: methods, sessions and headers", () => {
  test("AZ-22 without a session it redirects to sign-in, never 401", async () => {
    const page = await newAgent(issuer).open(authorizePath(web));
    expect(page.status).toBe(200);
    expect(page.url).toContain("/sign-in?request=");
    expectPageHeaders(page);
  });

  test.each(["HEAD", "PUT", "PATCH", "DELETE"])("AZ-30 %s is not allowed and issues no code", async (method) => {
    const page = await ada.request(authorizePath(web), { method });
    expectNotAllowed(page, "GET");
    expect(page.headers.get("location")).toBeNull();
  });

  test("AZ-01 a POST is redirected to a GET of our own", async () => {
    const path = authorizePath(web);
    const page = await ada.request("/authorize", {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://app.example",
        "sec-fetch-site": "cross-site",
      },
      body: path.slice(path.indexOf("?") + 1),
    });
    expect(page.status).toBe(303);
    expect(callback(await ada.follow(page)).uri).toBe("https://app.example/cb");
  });

  test.each(["GET", "POST", "OPTIONS"])("AZ-28 BB-03 no CORS on %s", async (method) => {
    const answer = await send(issuer, authorizePath(web), { method, headers: { origin: "https://app.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("N18 the error page cannot be framed or cached", async () => {
    expectPageHeaders(await ask({ client_id: "nobody" }));
  });

  test("SE-13 the error page reflects nothing of the request unescaped", async () => {
    const page = await ask({
      client_id: "<script>alert(1)</script>",
      redirect_uri: "https://evil.example/<img src=x>",
    });
    expect(page.text).not.toContain("<script>alert");
    expect(page.text).not.toContain("<img src=x");
  });

  test("AZ-31 an altered pending request shows an error page", async () => {
    const page = await newAgent(issuer).open(authorizePath(web));
    const altered = await ada.open(
      `/consent?${encodeForm({ request: `${new URL(page.url).searchParams.get("request")}x` })}`,
    );
    expectErrorPage(altered);
  });
});
