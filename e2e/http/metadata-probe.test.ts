import { createHmac, randomUUID } from "node:crypto";
import { decodeProtectedHeader, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from "jose";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS, DEVICE_CODE, MAIL, TOKEN_EXCHANGE } from "../harness/fixture.ts";
import {
  type ActingClient,
  authorizePath,
  callback,
  obtainCode,
  obtainTokens,
  postAs,
  redeem,
  refresh,
  refusal,
  serviceToken,
  signIn,
} from "../harness/flow.ts";
import { type Answer, json, postForm, send, textOf } from "../harness/http.ts";
import { ALGORITHMS, publishedKeys, registerOpenId } from "../harness/openid.ts";
import { pushRequest } from "../harness/pushing.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";

// MD-06: the metadata lists what works and nothing else. Every advertised feature is used here; others are rejected.

const issuer = inject("issuer");
const { web, browser, service, resourceServer, device, exchanger, shopper } = CLIENTS;
const document = json(await send(issuer, "/.well-known/oauth-authorization-server"));
type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
const listOf = (name: string) => document[name] as string[];
const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

let person: Agent;
let openid: Awaited<ReturnType<typeof registerOpenId>>;
const keys = new Map<string, { privateKey: PrivateKey; jwk: JWK }>();
let keyed = "";

beforeAll(async () => {
  person = await signIn(issuer, "metadata");
  openid = await registerOpenId(inject("env"), "http://localhost:4998", ["probe"]);
  await signIn(issuer, "metadata", person);
  for (const alg of ["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"]) {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    keys.set(alg, { privateKey: privateKey, jwk: { ...(await exportJWK(publicKey)), kid: alg } });
  }
  const admin = await consoleToken(issuer, "admin");
  const application = dataOf<{ id: string }>(
    await mutate(issuer, "applications.create", { name: `Probe ${randomUUID()}` }, admin),
  );
  const supported = [...keys.entries()].filter(([alg]) => alg !== "ES384").map(([, { jwk }]) => jwk);
  const draft = {
    applicationId: application.id,
    environment: "production",
    type: "service",
    redirectUris: [],
    grantTypes: ["client_credentials"],
    scopes: ["api:read"],
    resourceServer: true,
    options: { authentication: "private_key_jwt", jwks: { keys: supported } },
  };
  keyed = dataOf<{ client: { clientId: string } }>(await mutate(issuer, "clients.register", draft, admin)).client
    .clientId;
});

const keyOf = (alg: string) => keys.get(alg) ?? expect.unreachable(`no key for ${alg}`);

async function assertion(alg: string): Promise<Record<string, string>> {
  const { privateKey, jwk } = keyOf(alg);
  const claims = { iss: keyed, sub: keyed, aud: issuer, jti: randomUUID() };
  const signed = await new SignJWT(claims)
    .setProtectedHeader({ alg, kid: String(jwk.kid) })
    .setIssuedAt()
    .setExpirationTime("60s")
    .sign(privateKey);
  return { client_assertion: signed, client_assertion_type: ASSERTION };
}

/** A valid request to each endpoint. */
const ENDPOINTS: Record<string, () => Promise<Answer>> = {
  authorization_endpoint: () => person.open(authorizePath(web)),
  token_endpoint: () => postAs(issuer, "/token", service, { grant_type: "client_credentials" }),
  device_authorization_endpoint: () => postAs(issuer, "/device_authorization", device, {}),
  revocation_endpoint: async () => postAs(issuer, "/revoke", service, { token: await serviceToken(issuer) }),
  introspection_endpoint: async () =>
    postAs(issuer, "/introspect", resourceServer, { token: await serviceToken(issuer) }),
  userinfo_endpoint: async () => {
    const { access } = await obtainTokens(person, web, { scope: "openid email offline_access" });
    return send(issuer, "/userinfo", { headers: { authorization: `Bearer ${access}` } });
  },
  end_session_endpoint: () => person.open("/logout"),
  pushed_authorization_request_endpoint: () => pushRequest(issuer, web),
  jwks_uri: () => send(issuer, "/.well-known/jwks.json"),
};

describe("MD-06 every advertised endpoint", () => {
  test("is probed here", () => {
    const advertised = Object.keys(document).filter((name) => /_endpoint$|_uri$/.test(name));
    expect(advertised.toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted());
  });

  test.each(Object.keys(ENDPOINTS))("%s answers whom it is for", async (name) => {
    expect(String(document[name]).startsWith(`${issuer}/`)).toBe(true);
    const answer = await (ENDPOINTS[name] ?? expect.unreachable())();
    expect(answer.status).toBe(name === "pushed_authorization_request_endpoint" ? 201 : 200);
    if (name === "introspection_endpoint") expect(json(answer)["active"]).toBe(true);
  });

  test("MD-02 a disabled feature is not advertised, and its endpoint says so", async () => {
    expect(document).not.toHaveProperty("registration_endpoint");
    const answer = await send(issuer, "/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(refusal(answer)).toEqual([403, "access_denied"]);
  });
});

const GRANTS: Record<string, () => Promise<Answer>> = {
  authorization_code: async () => redeem(issuer, web, await obtainCode(person, web)),
  refresh_token: async () => refresh(issuer, web, (await obtainTokens(person, web)).refresh),
  client_credentials: () => postAs(issuer, "/token", service, { grant_type: "client_credentials" }),
  [DEVICE_CODE]: async () => {
    const started = await postAs(issuer, "/device_authorization", device, {});
    const page = await person.open(`/device?user_code=${textOf(started, "user_code")}`);
    await person.submit(page, { button: "Allow" });
    return postAs(issuer, "/token", device, { grant_type: DEVICE_CODE, device_code: textOf(started, "device_code") });
  },
  [TOKEN_EXCHANGE]: async () =>
    postAs(issuer, "/token", exchanger, {
      grant_type: TOKEN_EXCHANGE,
      subject_token: (await obtainTokens(person, web)).access,
      subject_token_type: ACCESS_TOKEN,
    }),
};

describe("MD-06 grant types", () => {
  test("are probed here", () =>
    expect(listOf("grant_types_supported").toSorted()).toEqual(Object.keys(GRANTS).toSorted()));

  test.each(Object.keys(GRANTS))("%s gets a token", async (name) => {
    const answer = await (GRANTS[name] ?? expect.unreachable())();
    expect([answer.status, typeof json(answer)["access_token"]]).toEqual([200, "string"]);
  });

  test.each([
    "password",
    "implicit",
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "urn:openid:params:grant-type:ciba",
    "urn:ietf:params:oauth:grant-type:saml2-bearer",
  ])("%s is not advertised, and is rejected", async (grant_type) => {
    expect(listOf("grant_types_supported")).not.toContain(grant_type);
    expect(refusal(await postAs(issuer, "/token", service, { grant_type }))).toEqual([400, "unsupported_grant_type"]);
  });
});

/** Each client authentication method, with a client that can use it at every endpoint. */
const METHODS: Record<string, (fields: Record<string, string>, path: string) => Promise<Answer>> = {
  client_secret_basic: (fields, path) => postAs(issuer, path, resourceServer, fields),
  client_secret_post: (fields, path) =>
    postForm(issuer, path, {
      ...fields,
      client_id: resourceServer.client_id,
      client_secret: resourceServer.client_secret,
    }),
  private_key_jwt: async (fields, path) => postForm(issuer, path, { ...fields, ...(await assertion("ES256")) }),
  none: (fields, path) => postForm(issuer, path, { ...fields, client_id: browser.client_id }),
};

describe("MD-04 MD-06 client authentication", () => {
  const cases = ["token", "revocation", "introspection"].flatMap((endpoint) =>
    listOf(`${endpoint}_endpoint_auth_methods_supported`).map((method) => [endpoint, method] as const),
  );

  test.each(cases)("at the %s endpoint by %s", async (endpoint, method) => {
    const authenticate = METHODS[method] ?? expect.unreachable(`no probe for ${method}`);
    const path = endpoint === "introspection" ? "/introspect" : endpoint === "revocation" ? "/revoke" : "/token";
    const grant =
      method === "none"
        ? { grant_type: "refresh_token", refresh_token: "grt_nothing" }
        : { grant_type: "client_credentials" };
    const answer = await authenticate(endpoint === "token" ? grant : { token: "gat_nothing" }, path);
    // For a public client, an invalid token shows that authentication succeeded.
    expect(refusal(answer)).toEqual(
      endpoint === "token" && method === "none" ? [400, "invalid_grant"] : [200, undefined],
    );
  });

  test.each(Object.keys(METHODS))(
    "%s works at the introspection endpoint exactly if it is advertised",
    async (method) => {
      const answer = await (METHODS[method] ?? expect.unreachable())({ token: "gat_nothing" }, "/introspect");
      expect(answer.status).toBe(listOf("introspection_endpoint_auth_methods_supported").includes(method) ? 200 : 401);
    },
  );

  test("no other method is advertised, and an assertion signed with a secret is rejected", async () => {
    expect(Object.keys(METHODS)).toEqual(expect.arrayContaining(listOf("token_endpoint_auth_methods_supported")));
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: service.client_id,
      sub: service.client_id,
      aud: issuer,
      jti: randomUUID(),
      iat: now,
      exp: now + 60,
    };
    const signed = `${part({ alg: "HS256" })}.${part(claims)}`;
    const signature = createHmac("sha256", service.client_secret).update(signed).digest("base64url");
    const fields = {
      grant_type: "client_credentials",
      client_assertion: `${signed}.${signature}`,
      client_assertion_type: ASSERTION,
    };
    expect((await postForm(issuer, "/token", fields)).status).toBe(401);
  });
});

describe("MD-06 JA-01 algorithms of assertions", () => {
  test.each(listOf("token_endpoint_auth_signing_alg_values_supported"))("%s is accepted", async (alg) => {
    expect(
      refusal(await postForm(issuer, "/token", { grant_type: "client_credentials", ...(await assertion(alg)) })),
    ).toEqual([200, undefined]);
  });

  test("ES384 is not advertised, and is rejected", async () => {
    expect(listOf("token_endpoint_auth_signing_alg_values_supported")).not.toContain("ES384");
    expect(
      (await postForm(issuer, "/token", { grant_type: "client_credentials", ...(await assertion("ES384")) })).status,
    ).toBe(401);
  });
});

async function proof(alg: string): Promise<{ dpop: string }> {
  const { privateKey, jwk } = keyOf(alg);
  const { kid: _, ...publicKey } = jwk;
  const claims = { jti: randomUUID(), htm: "POST", htu: `${issuer}/token` };
  return {
    dpop: await new SignJWT(claims)
      .setProtectedHeader({ typ: "dpop+jwt", alg, jwk: publicKey })
      .setIssuedAt()
      .sign(privateKey),
  };
}

describe("MD-06 DP-06 algorithms of proofs", () => {
  test.each(listOf("dpop_signing_alg_values_supported"))("%s is accepted", async (alg) => {
    const answer = await postAs(issuer, "/token", service, { grant_type: "client_credentials" }, await proof(alg));
    expect([answer.status, json(answer)["token_type"]]).toEqual([200, "DPoP"]);
  });

  test.each(["ES384"])("%s is not advertised, and is rejected", async (alg) => {
    expect(listOf("dpop_signing_alg_values_supported")).not.toContain(alg);
    const answer = await postAs(issuer, "/token", service, { grant_type: "client_credentials" }, await proof(alg));
    expect(refusal(answer)).toEqual([400, "invalid_dpop_proof"]);
  });
});

describe("MD-06 our signatures verify with the published keys", () => {
  // Other tests add keys
  const published = publishedKeys(String(document["jwks_uri"]), { cooldownDuration: 0 });

  test("OI-08 the algorithms of ID tokens are probed here", () => {
    expect(listOf("id_token_signing_alg_values_supported").toSorted()).toEqual([...ALGORITHMS].toSorted());
  });

  test.each(ALGORITHMS)("OI-08 an ID token with %s", async (algorithm) => {
    const client = openid(algorithm);
    const answer = await redeem(issuer, client, await obtainCode(person, client, { scope: "openid profile email" }));
    const token = textOf(answer, "id_token");
    expect(decodeProtectedHeader(token).alg).toBe(algorithm);
    const { payload } = await jwtVerify(token, published, { issuer, audience: client.client_id });
    const userinfo = json(
      await send(issuer, "/userinfo", { headers: { authorization: `Bearer ${textOf(answer, "access_token")}` } }),
    );
    const said = new Set([...Object.keys(payload), ...Object.keys(userinfo)]);
    // Claims that depend on the request, or that not every account has, have their own tests.
    const conditional = ["nonce", "act", "picture", "locale", "updated_at"];
    for (const claim of listOf("claims_supported").filter((name) => !conditional.includes(name)))
      expect(said).toContain(claim);
    expect(listOf("acr_values_supported")).toContain(payload["acr"]);
  });

  test("JT-01 a JWT access token", async () => {
    const { access } = await obtainTokens(person, shopper, { scope: "mail:send", resource: MAIL.id });
    await jwtVerify(access, published, { issuer, audience: MAIL.id, typ: "at+jwt" });
  });
});

describe("MD-06 parameters of the authorization endpoint", () => {
  const errorOf = async (change: Record<string, string | undefined>, client: ActingClient = web) => {
    const page = await person.open(authorizePath(client, change));
    return page.status === 200 ? undefined : (callback(page).params.get("error") ?? undefined);
  };

  test.each([
    [
      "response_type",
      "response_types_supported",
      ["code"],
      ["token", "id_token", "code id_token", "none"],
      "unsupported_response_type",
    ],
    [
      "response_mode",
      "response_modes_supported",
      ["query", "form_post"],
      ["fragment", "web_message"],
      "invalid_request",
    ],
    ["code_challenge_method", "code_challenge_methods_supported", ["S256"], ["plain"], "invalid_request"],
  ])("%s", async (parameter, list, right, wrong, error) => {
    expect(listOf(list)).toEqual(right);
    for (const value of right) expect(await errorOf({ [parameter]: value })).toBeUndefined();
    for (const value of wrong) expect([value, await errorOf({ [parameter]: value })]).toEqual([value, error]);
  });

  test("AZ-26 prompts", async () => {
    for (const prompt of listOf("prompt_values_supported"))
      expect([prompt, await errorOf({ prompt })]).not.toContain("invalid_request");
    expect(await errorOf({ prompt: "register" })).toBe("invalid_request");
  });

  test("scopes", async () => {
    for (const scope of listOf("scopes_supported")) {
      const holder = [web, CLIENTS.firstParty].find(({ scopes }) => scopes.some((name) => name === scope)) ?? web;
      expect([scope, await errorOf({ scope }, holder)]).toEqual([scope, undefined]);
    }
    expect(await errorOf({ scope: "console:read" })).toBe("invalid_scope");
  });

  test.each([
    ["request", "request_parameter_supported", "eyJhbGciOiJub25lIn0.e30."],
    ["request_uri", "request_uri_parameter_supported", "https://app.example/request.jwt"],
  ])("%s is declared unsupported, and is rejected", async (parameter, flag, value) => {
    expect(document[flag]).toBe(false);
    const page = await person.open(authorizePath(web, { [parameter]: value }));
    expect(page.status === 400 || callback(page).params.get("error") !== null).toBe(true);
  });

  test("MC-03 every response has the issuer", async () => {
    expect(document["authorization_response_iss_parameter_supported"]).toBe(true);
    expect(callback(await person.open(authorizePath(web, { response_type: "token" }))).params.get("iss")).toBe(issuer);
  });

  test("PA-01 pushed requests are supported, and not required", async () => {
    expect(document["require_pushed_authorization_requests"]).toBe(false);
    expect(await errorOf({})).toBeUndefined();
  });
});

test("MD-06 PM-01 each listed protected resource has metadata that names this server", async () => {
  for (const resource of listOf("protected_resources")) {
    const { pathname } = new URL(resource);
    const description = json(await send(issuer, `/.well-known/oauth-protected-resource${pathname}`));
    expect(description).toMatchObject({
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
    });
  }
});
