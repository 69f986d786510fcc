import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { CLIENTS, emailOf } from "../harness/fixture.ts";
import { authorize, authorizePath, callback, obtainCode, postAs, redeem, refusal, signIn } from "../harness/flow.ts";
import { gatehouse } from "../harness/gatehouse.ts";
import { json, send, textOf } from "../harness/http.ts";
import { ALGORITHMS, type Algorithm, listen, publishedKeys, registerOpenId } from "../harness/openid.ts";
import { expectNotAllowed, expectPageHeaders } from "./expectations.ts";

const issuer = inject("issuer");
const env = inject("env");
const PERSON = "openid";
const OPENID = "openid profile email offline_access api:read";
const jwksUrl = new URL(`${issuer}/.well-known/jwks.json`);
const keySet = async () => json(await send(issuer, jwksUrl.pathname)) as unknown as JSONWebKeySet;

let clientOf: Awaited<ReturnType<typeof registerOpenId>>;
let listener: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  listener = await listen();
  clientOf = await registerOpenId(env, listener.origin, [PERSON, "openid-other"]);
});
afterAll(() => listener.close());

const everyAlgorithm = test.each(ALGORITHMS.map((algorithm) => [algorithm] as [Algorithm]));

/** Signs a new browser in to the client; returns the browser and the tokens. */
async function signedIn(algorithm: Algorithm = "RS256", change: Record<string, string> = {}) {
  const agent = await signIn(issuer, PERSON);
  const registered = clientOf(algorithm);
  const answer = await redeem(
    issuer,
    registered,
    await obtainCode(agent, registered, { scope: OPENID, nonce: "n-1", ...change }),
  );
  expect(answer.status).toBe(200);
  return { agent, registered, answer, idToken: textOf(answer, "id_token"), access: textOf(answer, "access_token") };
}

const userinfo = (access: string | undefined, method = "GET") =>
  send(issuer, "/userinfo", { method, headers: access === undefined ? {} : { authorization: `Bearer ${access}` } });

describe("ID tokens as other libraries verify them", () => {
  everyAlgorithm("OI-01 OI-08 jose, with the published keys: %s", async (algorithm) => {
    const { idToken, registered } = await signedIn(algorithm);
    const verified = await jwtVerify(idToken, publishedKeys(jwksUrl), {
      issuer,
      audience: registered.client_id,
      algorithms: [algorithm],
      typ: "JWT",
    });
    expect(verified.payload).toMatchObject({
      nonce: "n-1",
      amr: ["pwd"],
      auth_time: expect.any(Number),
      sid: expect.any(String),
    });
    expect(verified.payload.sub).toMatch(/^[\x21-\x7E]{1,255}$/);
  });

  everyAlgorithm("openid-client 6 as it comes: discovery, nonce, max_age, userinfo, refresh: %s", async (algorithm) => {
    const { client_id, client_secret, redirect_uris } = clientOf(algorithm);
    const metadata = { client_secret, id_token_signed_response_alg: algorithm };
    const config = await client.discovery(new URL(issuer), client_id, metadata, undefined, {
      execute: [client.allowInsecureRequests],
    });
    const agent = await signIn(issuer, PERSON);
    const [pkceCodeVerifier, expectedState, expectedNonce] = [
      client.randomPKCECodeVerifier(),
      client.randomState(),
      client.randomNonce(),
    ];
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirect_uris[0] ?? "",
      scope: OPENID,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
      nonce: expectedNonce,
      max_age: "3600",
    });
    const page = await agent.open(url.pathname + url.search);
    const end = page.status === 200 ? await agent.submit(page, { button: "Allow" }) : page;
    const back = new URL(end.headers.get("location") ?? "about:blank");
    const tokens = await client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      maxAge: 3600,
    });
    const sub = tokens.claims()?.sub ?? "";
    expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      sub,
      email: emailOf(PERSON),
      name: `Test ${PERSON}`,
    });
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(renewed.claims()).toMatchObject({ sub, auth_time: tokens.claims()?.auth_time });
  });

  test("oauth4webapi 3: the ID token's signature, nonce and auth_time", async () => {
    const http = { [oauth.allowInsecureRequests]: true };
    const server = await oauth.processDiscoveryResponse(
      new URL(issuer),
      await oauth.discoveryRequest(new URL(issuer), http),
    );
    const registered = clientOf("RS256");
    const acting: oauth.Client = { client_id: registered.client_id, require_auth_time: true };
    const agent = await signIn(issuer, PERSON);
    const nonce = oauth.generateRandomNonce();
    const { code, verifier, redirectUri } = await obtainCode(agent, registered, { scope: "openid", nonce });
    const back = oauth.validateAuthResponse(
      server,
      acting,
      new URLSearchParams({ code, state: "the-state", iss: issuer }),
      "the-state",
    );
    const authentication = oauth.ClientSecretPost(registered.client_secret);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      acting,
      authentication,
      back,
      redirectUri,
      verifier,
      http,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, acting, answer, {
      expectedNonce: nonce,
      maxAge: 600,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, answer, http);
    expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ nonce });
  });

  test("OI-02 without openid there is no ID token", async () => {
    const agent = await signIn(issuer, PERSON);
    const answer = await redeem(
      issuer,
      clientOf("RS256"),
      await obtainCode(agent, clientOf("RS256"), { scope: "profile api:read", nonce: "n" }),
    );
    expect(json(answer)).not.toHaveProperty("id_token");
  });

  test("RT-11 a refreshed ID token describes the same sign-in", async () => {
    const { answer, registered, idToken } = await signedIn();
    const again = await postAs(issuer, "/token", registered, {
      grant_type: "refresh_token",
      refresh_token: textOf(answer, "refresh_token"),
    });
    const claims = async (token: string) => (await jwtVerify(token, publishedKeys(jwksUrl))).payload;
    const { iss, sub, aud, auth_time, sid } = await claims(idToken);
    const after = await claims(textOf(again, "id_token"));
    expect(after).toMatchObject({ iss, sub, aud, auth_time, sid });
    expect(after).not.toHaveProperty("nonce");
  });
});

describe("the published keys", () => {
  test("MD-07 public members only, kid, alg and use, and RSA of 2048 bits", async () => {
    const answer = await send(issuer, jwksUrl.pathname);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const { keys } = await keySet();
    for (const key of keys) {
      expect(Object.keys(key).filter((member) => ["d", "p", "q", "dp", "dq", "qi", "k"].includes(member))).toEqual([]);
      expect(key).toMatchObject({
        use: "sig",
        kid: expect.any(String),
        alg: expect.stringMatching(/^(RS256|ES256|EdDSA)$/),
      });
      if (key.kty === "RSA") expect(Buffer.from(key.n ?? "", "base64url").length).toBeGreaterThanOrEqual(256);
    }
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    expectNotAllowed(await send(issuer, jwksUrl.pathname, { method: "POST" }), "GET");
  });

  test("MD-07 rotation: the next key is published before it signs, cached keys keep working, and earlier signatures stay valid", async () => {
    const before = await signedIn("ES256");
    const cached = createLocalJWKSet(await keySet());
    const next = (await gatehouse(["keys", "rotate", "--algorithm", "ES256"], env)) as {
      kid: string;
      state: string;
      algorithm: string;
    }[];
    expect(next.filter(({ algorithm }) => algorithm === "ES256").map(({ state }) => state)).toEqual([
      "current",
      "next",
    ]);
    const after = await signedIn("ES256");
    expect(decodeProtectedHeader(after.idToken).kid).toBe(decodeProtectedHeader(before.idToken).kid);
    await jwtVerify(after.idToken, cached);

    const forced = (await gatehouse(["keys", "rotate", "--algorithm", "EdDSA", "--now"], env)) as {
      kid: string;
      state: string;
      algorithm: string;
    }[];
    expect(forced.filter(({ algorithm }) => algorithm === "EdDSA").map(({ state }) => state)).toEqual([
      "previous",
      "current",
    ]);
    await jwtVerify((await signedIn("EdDSA")).idToken, publishedKeys(jwksUrl));
    await jwtVerify(before.idToken, publishedKeys(jwksUrl));
  });
});

describe("the userinfo endpoint", () => {
  test("OI-05 the claims of the scope, by GET and POST, with the subject of the ID token", async () => {
    const { access, idToken } = await signedIn();
    const { payload } = await jwtVerify(idToken, publishedKeys(jwksUrl));
    for (const method of ["GET", "POST"]) {
      const answer = await userinfo(access, method);
      const email = emailOf(PERSON);
      expect(json(answer)).toEqual({
        sub: payload.sub,
        name: `Test ${PERSON}`,
        preferred_username: email,
        email,
        email_verified: false,
      });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect(json(await userinfo((await signedIn("RS256", { scope: "openid" })).access))).toEqual({ sub: payload.sub });
  });

  test("OI-05 401 without a token or with an ID token, 403 without openid, 405 for other methods", async () => {
    const { idToken, agent, registered } = await signedIn();
    expect((await userinfo(undefined)).status).toBe(401);
    expect(refusal(await userinfo(idToken))).toEqual([401, "invalid_token"]);
    const poor = await redeem(issuer, registered, await obtainCode(agent, registered, { scope: "profile" }));
    expect(refusal(await userinfo(textOf(poor, "access_token")))).toEqual([403, "insufficient_scope"]);
    expectNotAllowed(await userinfo(undefined, "DELETE"), "GET");
    expect((await userinfo(undefined, "OPTIONS")).status).toBe(204);
  });
});

describe("OI-04 id_token_hint", () => {
  const silently = (hint: string) => ({ scope: "openid", prompt: "none", id_token_hint: hint });

  test("OI-04 of the signed-in user: no page; of another: login_required", async () => {
    const { agent, registered, idToken } = await signedIn();
    expect(callback(await authorize(agent, registered, silently(idToken))).params.has("code")).toBe(true);
    const other = await signIn(issuer, "openid-other");
    expect(callback(await authorize(other, registered, silently(idToken))).params.get("error")).toBe("login_required");
    const page = await other.open(authorizePath(registered, { scope: "openid", id_token_hint: idToken }));
    expect(new URL(page.url).pathname).toBe("/sign-in");
  });
});

describe("logout", () => {
  const logout = (params: Record<string, string>) => `/logout?${new URLSearchParams(params)}`;
  const BYE = "http://localhost:4999/bye?from=gatehouse";
  const isSignedIn = async (agent: Awaited<ReturnType<typeof signIn>>) =>
    (await agent.request("/account")).status === 200;

  test("LO-01 LO-02 with a valid hint the browser returns to the client with its state, and silent sign-in fails afterwards", async () => {
    const { agent, registered, idToken } = await signedIn();
    const page = await agent.request(logout({ id_token_hint: idToken, post_logout_redirect_uri: BYE, state: "s/1" }));
    expect([page.status, page.headers.get("location")]).toEqual([303, `${BYE}&state=s%2F1`]);
    expectPageHeaders(page);
    expect(await isSignedIn(agent)).toBe(false);
    expect(callback(await authorize(agent, registered, { scope: "openid", prompt: "none" })).params.get("error")).toBe(
      "login_required",
    );
  });

  test("LO-01 works by POST from the client's page, without cookies", async () => {
    const { agent, idToken } = await signedIn();
    const body = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: BYE }).toString();
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      origin: "http://localhost:4999",
      "sec-fetch-site": "cross-site",
    };
    const posted = await newAgent(issuer).request("/logout", { method: "POST", headers, body });
    expect(posted.status).toBe(303);
    const end = await agent.request(posted.headers.get("location") ?? "");
    expect(end.headers.get("location")).toBe(BYE);
    expect(await isSignedIn(agent)).toBe(false);
  });

  test("LO-02 without a hint the user is asked, and no other session can answer", async () => {
    const { agent, registered } = await signedIn();
    const asked = await agent.open(logout({ client_id: registered.client_id, post_logout_redirect_uri: BYE }));
    expectPageHeaders(asked);
    expect(await isSignedIn(agent)).toBe(true);
    const forged = await agent.post(asked, {
      button: "Sign out",
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    });
    expect(forged.status).toBe(403);
    expect((await agent.post(asked, { button: "Sign out", override: { csrf: "x" } })).status).toBe(403);
    expect(await isSignedIn(agent)).toBe(true);
    const done = await agent.post(asked, { button: "Sign out" });
    expect([done.status, done.headers.get("location")]).toEqual([303, BYE]);
    expect(await isSignedIn(agent)).toBe(false);
  });

  test("LO-02 without parameters it ends on our own page", async () => {
    const { agent } = await signedIn();
    const done = await agent.submit(await agent.open("/logout"), { button: "Sign out" });
    expect([done.status, done.text.includes("signed out</h1>")]).toEqual([200, true]);
    expect((await newAgent(issuer).open("/logout")).text).toContain("signed out</h1>");
  });

  test("LO-02 a request that cannot return asks whether to sign out, ends no session by itself, and returns nowhere", async () => {
    const { agent, idToken, registered } = await signedIn();
    const [head = "", body = ""] = idToken.split(".");
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
    for (const params of [
      { id_token_hint: `${none}.${body}.`, post_logout_redirect_uri: BYE },
      { id_token_hint: `${head}.${body}.${"A".repeat(342)}`, post_logout_redirect_uri: BYE },
      { id_token_hint: idToken, post_logout_redirect_uri: `${BYE}&x=1` },
      { id_token_hint: idToken, post_logout_redirect_uri: "https://evil.example/" },
      { id_token_hint: idToken, client_id: "web", post_logout_redirect_uri: BYE },
      { post_logout_redirect_uri: BYE },
      { client_id: registered.client_id, post_logout_redirect_uri: registered.redirect_uris[0] ?? "" },
    ]) {
      const page = await agent.request(logout(params));
      expect([page.status, page.headers.get("location")]).toEqual([200, null]);
      expectPageHeaders(page);
    }
    expect(await isSignedIn(agent)).toBe(true);
    expect((await agent.request("/logout", { method: "HEAD" })).status).toBe(405);
    expect(await isSignedIn(agent)).toBe(true);
    const evil = logout({ id_token_hint: idToken, post_logout_redirect_uri: "https://evil.example/" });
    const done = await agent.submit(await agent.open(evil), { button: "Sign out" });
    expect([done.status, done.text.includes("signed out</h1>"), await isSignedIn(agent)]).toEqual([200, true, false]);
    expect((await newAgent(issuer).request(evil)).headers.get("location")).toBeNull();
  });
});

describe("back-channel logout", () => {
  everyAlgorithm("the client is told of a sign-out at ours, by a token that jose accepts: %s", async (algorithm) => {
    const { agent, registered, idToken } = await signedIn(algorithm);
    const { payload: id } = await jwtVerify(idToken, publishedKeys(jwksUrl));
    const told = listener.told(({ path, token }) => path === `/${algorithm}` && decodeJwt(token)["sid"] === id["sid"]);
    await agent.submit(await agent.open("/account"), { button: "Sign out" });
    const options = { issuer, audience: registered.client_id, algorithms: [algorithm], typ: "logout+jwt" };
    const { payload } = await jwtVerify((await told).token, publishedKeys(jwksUrl), options);
    expect(payload).toMatchObject({
      sub: id.sub,
      sid: id["sid"],
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
    expect(payload).not.toHaveProperty("nonce");
  });

  test("RT-08 a grant for this session ends with it, an offline grant does not", async () => {
    const brief = await signedIn("RS256", { scope: "openid api:read" });
    const lasting = await redeem(
      issuer,
      brief.registered,
      await obtainCode(brief.agent, brief.registered, { scope: OPENID }),
    );
    await brief.agent.submit(await brief.agent.open("/account"), { button: "Sign out" });
    expect(refusal(await userinfo(brief.access))).toEqual([401, "invalid_token"]);
    expect((await userinfo(textOf(lasting, "access_token"))).status).toBe(200);
  });
});

describe("clients without a user", () => {
  test("OI-08 a service client has no user, so it gets no ID token and no userinfo", async () => {
    const answer = await postAs(issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" });
    expect(json(answer)).not.toHaveProperty("id_token");
    expect(refusal(await userinfo(textOf(answer, "access_token")))).toEqual([403, "insufficient_scope"]);
  });
});
