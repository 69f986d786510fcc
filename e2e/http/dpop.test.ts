import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import {
  type ActingClient,
  callApi,
  obtainCode,
  postAs,
  refusal,
  serviceToken,
  signIn,
  tokensOf,
} from "../harness/flow.ts";
import { type Answer, json, send, textOf } from "../harness/http.ts";
import { newProofKey, type ProofChange, proofFor } from "../harness/proof.ts";
import { expectJsonError } from "./expectations.ts";

const issuer = inject("issuer");
const { web, browser, service, resourceServer, bound, firstParty } = CLIENTS;
const TOKEN = `${issuer}/token`;
const API = `${issuer}/api/resource`;
const key = await newProofKey();
const other = await newProofKey();

let dee: Agent;
beforeAll(async () => {
  dee = await signIn(issuer, "dpop");
});

const forToken = (change: ProofChange = {}, by = key) => proofFor(by, "POST", TOKEN, change);

/** Requests a client credentials token with this `DPoP` header. */
const ask = (headers: Record<string, string>) =>
  postAs(issuer, "/token", service, { grant_type: "client_credentials" }, headers);

async function trade(
  client: ActingClient,
  headers?: Record<string, string>,
  change: Record<string, string> = {},
): Promise<Answer> {
  const { code, verifier, redirectUri } = await obtainCode(dee, client, change);
  return postAs(
    issuer,
    "/token",
    client,
    { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri },
    headers ?? (await forToken()),
  );
}

const renew = (client: ActingClient, refresh: string, headers: Record<string, string> = {}) =>
  postAs(issuer, "/token", client, { grant_type: "refresh_token", refresh_token: refresh }, headers);

/** Calls the API with a bound token. */
async function knock(token: string, change: ProofChange = {}, by = key, scheme = "DPoP"): Promise<Answer> {
  return send(issuer, "/api/resource", {
    headers: {
      authorization: `${scheme} ${token}`,
      ...(await proofFor(by, "GET", API, { accessToken: token, ...change })),
    },
  });
}

const challengeOf = (answer: Answer) => answer.headers.get("www-authenticate") ?? "";

describe("proofs at the token endpoint", () => {
  test.each<[string, () => ProofChange]>([
    ["as it should be", () => ({})],
    ["htu with a query and a fragment", () => ({ claims: { htu: `${TOKEN}?a=b#c` } })],
    ["htu in capitals", () => ({ claims: { htu: TOKEN.replace("http://localhost", "HTTP://LOCALHOST") } })],
    ["iat ten seconds ago", () => ({ claims: { iat: Math.floor(Date.now() / 1000) - 10 } })],
    ["iat ten seconds ahead", () => ({ claims: { iat: Math.floor(Date.now() / 1000) + 10 } })],
  ])("DP-01 DP-03 accepted, with token_type DPoP: %s", async (_, change) => {
    expect(json(await ask(await forToken(change())))).toMatchObject({
      token_type: "DPoP",
      expires_in: expect.any(Number),
    });
  });

  test.each<[string, ProofChange]>([
    ["another typ", { header: { typ: "JWT" } }],
    ["a private key inside", { header: { jwk: key.privateJwk } }],
    ["a key that did not sign", { header: { jwk: other.jwk } }],
    ["no jti", { claims: { jti: undefined } }],
    ["another method", { claims: { htm: "GET" } }],
    ["another URL", { claims: { htu: `${issuer}/par` } }],
    ["another host", { claims: { htu: "https://evil.example/token" } }],
    ["iat an hour ago", { claims: { iat: Math.floor(Date.now() / 1000) - 3600 } }],
    ["iat an hour ahead", { claims: { iat: Math.floor(Date.now() / 1000) + 3600 } }],
    ["no iat", { claims: { iat: undefined } }],
  ])("DP-01 DP-02 rejected with 400: %s", async (_, change) => {
    expectJsonError(await ask(await forToken(change)), 400, "invalid_dpop_proof");
  });

  test("DP-01 DP-02 rejected with 400: alg none", async () => {
    const [, payload = ""] = (await forToken()).dpop.split(".");
    const header = Buffer.from(JSON.stringify({ typ: "dpop+jwt", alg: "none", jwk: key.jwk })).toString("base64url");
    for (const signature of ["", "AA"]) {
      expectJsonError(await ask({ dpop: `${header}.${payload}.${signature}` }), 400, "invalid_dpop_proof");
    }
  });

  test("DP-01 two headers, a header that is not a JWT, and a replayed proof are rejected", async () => {
    const twice = { authorization: "", dpop: [(await forToken()).dpop, (await forToken()).dpop] };
    const { authorization: _, ...headers } = twice;
    const answer = await send(issuer, "/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: service.client_id,
        client_secret: service.client_secret,
      }).toString(),
    });
    expectJsonError(answer, 400, "invalid_dpop_proof");
    expectJsonError(await ask({ dpop: "proof" }), 400, "invalid_dpop_proof");
    const once = await forToken();
    expect((await ask(once)).status).toBe(200);
    expectJsonError(await ask(once), 400, "invalid_dpop_proof");
  });

  test("DP-01 SE-02 the Host header does not change the expected URL", async () => {
    const lured = await forToken({ claims: { htu: "http://evil.example/token" } });
    expectJsonError(await ask({ ...lured, "x-forwarded-host": "evil.example" }), 400, "invalid_dpop_proof");
  });

  test("the metadata lists the accepted algorithms, here and for the API", async () => {
    const algorithms = { dpop_signing_alg_values_supported: ["RS256", "ES256", "EdDSA", "Ed25519"] };
    expect(json(await send(issuer, "/.well-known/oauth-authorization-server"))).toMatchObject(algorithms);
    expect(json(await send(issuer, "/.well-known/oauth-protected-resource/api"))).toMatchObject(algorithms);
  });
});

describe("bound tokens", () => {
  test("DP-03 RT-09 a public client's refresh token is useless without the key", async () => {
    const first = tokensOf(await trade(browser));
    expect((await knock(first.access)).status).toBe(200);
    expect(refusal(await renew(browser, first.refresh))).toEqual([400, "invalid_dpop_proof"]);
    expect(refusal(await renew(browser, first.refresh, await forToken({}, other)))).toEqual([400, "invalid_grant"]);
    const second = await renew(browser, first.refresh, await forToken());
    expect(json(second)).toMatchObject({ token_type: "DPoP" });
    expect((await knock(tokensOf(second).access)).status).toBe(200);
  });

  test("DP-03 a confidential client's refresh token is bound to the client, not to the key", async () => {
    const first = tokensOf(await trade(web));
    const second = await renew(web, first.refresh, await forToken({}, other));
    expect(json(second)).toMatchObject({ token_type: "DPoP" });
    expect((await knock(tokensOf(second).access, {}, other)).status).toBe(200);
    expect(json(await renew(web, tokensOf(second).refresh))).toMatchObject({ token_type: "Bearer" });
  });

  test("DP-06 dpop_jkt binds the code", async () => {
    expect(refusal(await trade(web, await forToken({}, other), { dpop_jkt: key.jkt }))).toEqual([400, "invalid_grant"]);
    expect(refusal(await trade(web, {}, { dpop_jkt: key.jkt }))).toEqual([400, "invalid_dpop_proof"]);
    expect((await trade(web, await forToken(), { dpop_jkt: key.jkt })).status).toBe(200);
  });

  test("DP-02 DP-06 a client that requires both needs a proof with our nonce", async () => {
    expect(refusal(await trade(bound, {}))).toEqual([400, "invalid_dpop_proof"]);
    const asked = await trade(bound);
    expectJsonError(asked, 400, "use_dpop_nonce");
    expect(asked.headers.get("access-control-expose-headers")).toContain("DPoP-Nonce");
    const nonce = asked.headers.get("dpop-nonce") ?? "";
    const given = await trade(bound, await forToken({ claims: { nonce } }));
    expect(json(given)).toMatchObject({ token_type: "DPoP" });

    const { access } = tokensOf(given);
    const again = await knock(access);
    expect(refusal(again)).toEqual([401, "use_dpop_nonce"]);
    expect(challengeOf(again)).toMatch(/^DPoP .*error="use_dpop_nonce"/);
    const fresh = again.headers.get("dpop-nonce") ?? "";
    expect((await knock(access, { claims: { nonce: fresh } })).status).toBe(200);
  });

  test("IN-03 introspection returns the key's thumbprint", async () => {
    const { access } = tokensOf(await trade(web));
    const answer = await postAs(issuer, "/introspect", resourceServer, { token: access });
    expect(json(answer)).toMatchObject({ active: true, token_type: "DPoP", cnf: { jkt: key.jkt } });
  });
});

describe("bound tokens at the API", () => {
  let token: string;
  beforeAll(async () => {
    token = textOf(await ask(await forToken()), "access_token");
  });

  test("DP-04 are accepted with a proof for this request", async () => {
    expect((await knock(token)).status).toBe(200);
  });

  test.each<[string, ProofChange]>([
    ["without ath", { claims: { ath: undefined } }],
    ["with the ath of another token", { accessToken: "gat_other" }],
    ["for another method", { claims: { htm: "POST" } }],
    ["for the token endpoint", { claims: { htu: TOKEN } }],
  ])("DP-04 a proof %s is 401 invalid_dpop_proof", async (_, change) => {
    const answer = await knock(token, change);
    expect(refusal(answer)).toEqual([401, "invalid_dpop_proof"]);
    expect(challengeOf(answer)).toMatch(/^DPoP .*error="invalid_dpop_proof".*algs="RS256 ES256 EdDSA Ed25519"/);
  });

  test("DP-04 another key, no proof and a replayed proof are rejected", async () => {
    expect(refusal(await knock(token, {}, other))).toEqual([401, "invalid_token"]);
    const bare = await send(issuer, "/api/resource", { headers: { authorization: `DPoP ${token}` } });
    expect(refusal(bare)).toEqual([401, "invalid_dpop_proof"]);
    const headers = { authorization: `DPoP ${token}`, ...(await proofFor(key, "GET", API, { accessToken: token })) };
    expect((await send(issuer, "/api/resource", { headers })).status).toBe(200);
    expect((await send(issuer, "/api/resource", { headers })).status).toBe(401);
  });

  test("DP-05 a bound token is not accepted as Bearer, nor a bearer token as DPoP", async () => {
    expect(refusal(await callApi(issuer, token))).toEqual([401, "invalid_token"]);
    expect(refusal(await knock(token, {}, key, "Bearer"))).toEqual([401, "invalid_token"]);
    expect(refusal(await knock(await serviceToken(issuer)))).toEqual([401, "invalid_token"]);
  });

  test("DP-07 without a token both schemes are offered, and no error is named", async () => {
    const challenge = challengeOf(await send(issuer, "/api/resource"));
    expect(challenge).toMatch(/^Bearer .*, DPoP algs="RS256 ES256 EdDSA Ed25519"$/);
    expect(challenge).not.toContain("error");
  });

  test("BR-07 both schemes in one request are 400", async () => {
    const answer = await send(issuer, "/api/resource", {
      headers: { authorization: [`Bearer ${token}`, `DPoP ${token}`] },
    });
    // Next's server passes on only the first; our server sees both.
    if (process.env["GATEHOUSE_TEST_MOUNT"] === "next") return expect(answer.status).toBe(401);
    expect(refusal(answer)).toEqual([400, "invalid_request"]);
  });

  test("DP-04 DP-05 procedures check a bound token in the same way", async () => {
    const { access } = tokensOf(await trade(firstParty, await forToken(), { scope: "api:read offline_access" }));
    const at = `${issuer}/trpc/me.get`;
    const call = (headers: Record<string, string>) => send(issuer, "/trpc/me.get", { headers });
    const good = await call({
      authorization: `DPoP ${access}`,
      ...(await proofFor(key, "GET", at, { accessToken: access })),
    });
    expect(good.status).toBe(200);
    const bare = await call({ authorization: `Bearer ${access}` });
    expect(bare.status).toBe(401);
    expect(challengeOf(bare)).toContain("DPoP algs=");
  });
});
