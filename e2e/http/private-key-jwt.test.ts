import { createServer, type Server } from "node:http";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { refusal, signIn } from "../harness/flow.ts";
import { type Answer, json, postForm, send } from "../harness/http.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";

const issuer = inject("issuer");
const resource = new URL(`${issuer}/api/resource`);
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const REDIRECT = "https://keys.example/cb";
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;

type Pair = { privateKey: client.CryptoKey; jwk: JWK };
const pairs = new Map<string, Pair>();
let host: Server;
let published: JWK[] = [];
let jwksUri = "";
let fetches = 0;
let admin = "";
let kim: Agent;

async function newPair(algorithm: string, kid = algorithm): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm } };
}

beforeAll(async () => {
  for (const algorithm of ALGORITHMS) pairs.set(algorithm, await newPair(algorithm));
  host = createServer((_, response) => {
    fetches += 1;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const address = host.address();
  jwksUri = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/jwks`;
  admin = await consoleToken(issuer, "admin");
  kim = await signIn(issuer, "private-key-jwt");
});
afterAll(() => void host.close());

const pairOf = (algorithm: string): Pair => pairs.get(algorithm) ?? expect.unreachable();
const allKeys = () => ({ keys: [...pairs.values()].map(({ jwk }) => jwk) });

/** Registers a client as the console does. */
async function registering(options: object, change: object = {}): Promise<Answer> {
  const application = await mutate(issuer, "applications.create", { name: `Keys ${Math.random()}` }, admin);
  const draft = {
    applicationId: dataOf<{ id: string }>(application).id,
    environment: "development",
    type: "web",
    redirectUris: [REDIRECT],
    grantTypes: ["authorization_code", "refresh_token", "client_credentials"],
    scopes: ["api:read", "offline_access"],
    options,
    ...change,
  };
  return mutate(issuer, "clients.register", draft, admin);
}

async function registered(options: object): Promise<string> {
  const made = dataOf<{ client: { clientId: string }; secret: string | null }>(
    await registering({ authentication: "private_key_jwt", ...options }),
  );
  expect(made.secret).toBeNull();
  return made.client.clientId;
}

function assertion(clientId: string, change: JWTPayload = {}, pair = pairOf("ES256")): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: issuer,
    iat: now,
    exp: now + 60,
    jti: `id ${Math.random()}`,
    ...change,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: pair.jwk.alg ?? "", ...(pair.jwk.kid !== undefined && { kid: pair.jwk.kid }) })
    .sign(pair.privateKey);
}

const ask = (
  client_assertion: string,
  path = "/token",
  fields: Record<string, string> = { grant_type: "client_credentials" },
) => postForm(issuer, path, { ...fields, client_assertion, client_assertion_type: TYPE });

describe("private_key_jwt", () => {
  test.each(ALGORITHMS)(
    "JA-01 CA-09: openid-client signs with %s: code, refresh, introspection, revocation",
    async (algorithm) => {
      const { privateKey, jwk } = pairOf(algorithm);
      const id = await registered({ jwks: allKeys() });
      const config = await client.discovery(
        new URL(issuer),
        id,
        undefined,
        client.PrivateKeyJwt({ key: privateKey, kid: jwk.kid ?? "" }),
        {
          algorithm: "oauth2",
          execute: [client.allowInsecureRequests],
        },
      );
      const verifier = client.randomPKCECodeVerifier();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT,
        scope: "api:read offline_access",
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      const page = await kim.open(url.pathname + url.search);
      const end = await kim.submit(page, { button: "Allow" });
      const back = new URL(end.headers.get("location") ?? "about:blank");
      const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier });
      expect((await client.fetchProtectedResource(config, tokens.access_token, resource, "GET")).status).toBe(200);
      const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
      expect(await client.tokenIntrospection(config, renewed.access_token)).toMatchObject({
        active: true,
        client_id: id,
      });
      await client.tokenRevocation(config, renewed.refresh_token ?? "");
      expect(await client.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: false });
    },
  );

  test("MD-04: methods and algorithms are advertised for each endpoint", async () => {
    const metadata = json(await send(issuer, "/.well-known/oauth-authorization-server"));
    for (const endpoint of ["token", "revocation", "introspection"]) {
      expect(metadata[`${endpoint}_endpoint_auth_methods_supported`]).toContain("private_key_jwt");
      expect([...(metadata[`${endpoint}_endpoint_auth_signing_alg_values_supported`] as string[])].sort()).toEqual(
        [...ALGORITHMS, "Ed25519"].sort(),
      );
    }
  });

  test.each<[string, JWTPayload]>([
    ["JA-02 CF-16 aud is the token endpoint", { aud: `${issuer}/token` }],
    ["JA-02 aud has more than us", { aud: [issuer, "https://other.example"] }],
    ["JA-03 no aud", { aud: undefined }],
    ["JA-03 no sub", { sub: undefined }],
    ["JA-03 no exp", { exp: undefined }],
    ["JA-03 expired five minutes ago", { exp: Math.floor(Date.now() / 1000) - 300 }],
    ["JA-03 issued an hour from now", { iat: Math.floor(Date.now() / 1000) + 3600 }],
    ["JA-01 no jti", { jti: undefined }],
    ["JA-01 another iss", { iss: "web" }],
  ] as [string, JWTPayload][])("refuses %s", async (_, change) => {
    const id = await registered({ jwks: allKeys() });
    expect(refusal(await ask(await assertion(id, change)))).toEqual([401, "invalid_client"]);
  });

  test("JA-03: another client's key, another client_id and a replayed assertion are rejected, at every endpoint and concurrently", async () => {
    const id = await registered({ jwks: allKeys() });
    expect(refusal(await ask(await assertion(id, {}, await newPair("ES256"))))).toEqual([401, "invalid_client"]);
    expect(
      refusal(await ask(await assertion(id), "/token", { grant_type: "client_credentials", client_id: "web" })),
    ).toEqual([401, "invalid_client"]);
    const once = await assertion(id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(once)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refusal(await ask(once, "/introspect", { token: "x" }))).toEqual([401, "invalid_client"]);
  });

  test("CA-04 CA-09: a secret is rejected from such a client, and an assertion from a client with a secret", async () => {
    const id = await registered({ jwks: allKeys() });
    const withSecret = { grant_type: "client_credentials", client_id: id, client_secret: "x".repeat(30) };
    expect(refusal(await postForm(issuer, "/token", withSecret))).toEqual([401, "invalid_client"]);
    expect(refusal(await ask(await assertion(id), "/token", withSecret))).toEqual([400, "invalid_request"]);
    expect(refusal(await ask(await assertion("service")))).toEqual([401, "invalid_client"]);
    expect((await mutate(issuer, "clients.addSecret", { clientId: id }, admin)).status).toBe(409);
  });

  test("JA-01 DC-08: keys from a URL are fetched when needed, not for every request", async () => {
    published = [pairOf("ES256").jwk];
    const id = await registered({ jwksUri });
    expect(fetches).toBe(0);
    const answers = [];
    for (let at = 0; at < 3; at++) answers.push(await ask(await assertion(id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (let at = 0; at < 3; at++)
      expect((await ask(await assertion(id, {}, await newPair("ES256", "guess")))).status).toBe(401);
    expect(fetches).toBe(1);
  });

  test.each<[string, object, object]>([
    ["JA-01 no keys", { authentication: "private_key_jwt" }, {}],
    [
      "DC-05 both kinds of keys",
      { authentication: "private_key_jwt", jwks: { keys: [{ kty: "EC" }] }, jwksUri: "https://keys.example/jwks" },
      {},
    ],
    ["DC-05 a private key", { authentication: "private_key_jwt", jwks: { keys: [{ kty: "EC", d: "x" }] } }, {}],
    ["DC-05 http", { authentication: "private_key_jwt", jwksUri: "http://keys.example/jwks" }, {}],
    [
      "DC-08 loopback in production",
      { authentication: "private_key_jwt", jwksUri: "http://127.0.0.1/jwks" },
      { environment: "production" },
    ],
    [
      "a public client",
      { authentication: "private_key_jwt", jwksUri: "https://keys.example/jwks" },
      { type: "browser", grantTypes: ["authorization_code"] },
    ],
  ])("registration refuses %s", async (_, options, change) => {
    expect((await registering(options, change)).status).toBe(400);
  });
});
