import { createOutbound, createSeal } from "@gatehouse/auth";
import { seededRandom } from "@gatehouse/auth/testing";
import { decodeJwt, decodeProtectedHeader, exportPKCS8, generateKeyPair } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { UpstreamAttempt } from "./attempt.ts";
import { connectUpstream } from "./client.ts";
import { authorizationUrl, exchangeCode } from "./exchange.ts";
import { type SignInProvider, secretPurpose } from "./provider.ts";
import { type Forgery, startUpstreamServer, type UpstreamServer } from "./testing/upstream-server.ts";
import { createUpstream } from "./upstream.ts";

const CLIENT = "gatehouse-at-upstream";
const config = { issuer: "http://localhost:3000" };
const random = seededRandom("upstream");
const seal = createSeal("0123456789012345678901234567890123456789", random);
const now = () => Math.floor(Date.now() / 1000); // openid-client reads the machine's clock
const loopback = createOutbound({ allowLoopback: true }).fetchBytes;
const deps = { outbound: { public: loopback, private: loopback }, seal, now };

let server: UpstreamServer;
beforeAll(async () => {
  server = await startUpstreamServer(CLIENT);
});
afterAll(() => server.close());
beforeEach(() => server.forge({ claims: { nonce: "the-nonce" } }));

function provider(change: Partial<SignInProvider> = {}): SignInProvider {
  const secret = seal.seal(secretPurpose("corp"), server.clientSecret);
  const row = {
    id: "corp",
    preset: "oidc" as const,
    name: "Corp",
    issuer: server.issuer,
    clientId: CLIENT,
    secret,
    settings: {},
  };
  return { ...row, position: 0, enabled: true, createdAt: 0, updatedAt: 0, ...change };
}

const ATTEMPT: UpstreamAttempt = {
  providerId: "corp",
  purpose: "sign_in",
  state: "the-state",
  nonce: "the-nonce",
  verifier: "v".repeat(43),
  request: undefined,
  next: undefined,
  keep: true,
  maxAgeSeconds: null,
  sessionId: null,
  issuedAt: now(),
};

async function exchange(forgery: Forgery = {}, { attempt = {}, callback = {}, settings = {} }: Changes = {}) {
  server.forge({ ...forgery, claims: { nonce: "the-nonce", ...forgery.claims } });
  const row = provider({ settings });
  const parameters = new URLSearchParams({ code: "c", state: "the-state", ...callback });
  return exchangeCode(
    await connectUpstream(row, deps),
    row,
    { ...ATTEMPT, ...attempt },
    { callback: parameters, config, now },
  );
}
type Changes = {
  attempt?: Partial<UpstreamAttempt>;
  callback?: Record<string, string>;
  settings?: SignInProvider["settings"];
};

describe("the request to the provider", () => {
  test("UP-03 carries S256, state, nonce and the callback of this provider", async () => {
    const client = await connectUpstream(provider(), deps);
    const url = new URL(await authorizationUrl(client, provider(), ATTEMPT, { config, loginHint: "ada@corp.example" }));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: CLIENT,
      response_type: "code",
      redirect_uri: "http://localhost:3000/sign-in/with/corp/callback",
      scope: "openid email profile",
      state: "the-state",
      nonce: "the-nonce",
      code_challenge_method: "S256",
      login_hint: "ada@corp.example",
    });
    expect(url.searchParams.has("max_age")).toBe(false);
  });

  test("UP-13 passes on max_age, and prompt=login for a forced sign-in", async () => {
    const client = await connectUpstream(provider(), deps);
    const url = new URL(await authorizationUrl(client, provider(), { ...ATTEMPT, maxAgeSeconds: 0 }, { config }));
    expect([url.searchParams.get("max_age"), url.searchParams.get("prompt")]).toEqual(["0", "login"]);
  });
});

describe("the answer of the provider", () => {
  test("UP-04 a correct answer gives the user, with the code's verifier and the client's secret sent", async () => {
    const user = await exchange({
      claims: { email: "ada@corp.example", email_verified: true, name: "Ada", amr: ["pwd"], auth_time: 5 },
    });
    expect(user).toMatchObject({
      issuer: server.issuer,
      subject: "upstream-user",
      email: "ada@corp.example",
      emailVerified: false,
      name: "Ada",
      amr: ["pwd"],
      authTime: 5,
    });
    expect(server.tokenRequests.at(-1)?.form.get("code_verifier")).toBe("v".repeat(43));
  });

  test.each([
    ["basic", {}, {}],
    ["post", {}, { token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"] }],
    ["post", { clientAuthentication: "client_secret_post" as const }, {}],
  ])("the client's secret is sent by %s with settings %j and metadata %j", async (method, settings, metadata) => {
    await exchange({ metadata }, { settings });
    const { form, authorization } = server.tokenRequests.at(-1) ?? {};
    expect(authorization?.startsWith("Basic ") ?? false).toBe(method === "basic");
    expect(form?.get("client_secret")).toBe(method === "post" ? server.clientSecret : null);
  });

  test("address and proof come from one place: the ID token, or the userinfo endpoint", async () => {
    const userInfo = { email: "info@corp.example", email_verified: true, name: "Info" };
    const settings = { trustEmail: true };
    expect(await exchange({ userInfo }, { settings })).toMatchObject({
      email: "info@corp.example",
      emailVerified: true,
      name: "Info",
    });
    const mixed = await exchange({ userInfo, claims: { email: "token@corp.example" } }, { settings });
    expect(mixed).toMatchObject({ email: "token@corp.example", emailVerified: false, name: "Info" });
  });

  test.each([401, 403, 404])(
    "UP-07 a userinfo endpoint that answers %i leaves what the ID token says",
    async (userInfoStatus) => {
      const settings = { trustEmail: true };
      expect(await exchange({ userInfoStatus }, { settings })).toMatchObject({
        subject: "upstream-user",
        email: null,
        emailVerified: false,
      });
      const claims = { email: "token@corp.example", email_verified: true };
      expect(await exchange({ userInfoStatus, claims }, { settings })).toMatchObject({
        email: claims.email,
        emailVerified: true,
        name: null,
      });
    },
  );

  test("UP-04 a userinfo endpoint that fails, or names another user, refuses the sign-in", async () => {
    await expect(exchange({ userInfoStatus: 500 })).rejects.toMatchObject({ problem: "unreachable" });
    await expect(exchange({ userInfo: { sub: "another" } })).rejects.toMatchObject({ problem: "answer_invalid" });
  });

  test.each<[string, Forgery, Changes]>([
    ["wrong iss", { claims: { iss: "https://evil.example" } }, {}],
    ["wrong iss, by a slash", { claims: { iss: "ISSUER/" } }, {}],
    ["wrong aud", { claims: { aud: "another-client" } }, {}],
    ["a second audience without azp", { claims: { aud: [CLIENT, "another-client"] } }, {}],
    ["azp of another client", { claims: { azp: "another-client" } }, {}],
    ["expired", { claims: { iat: 1000, exp: 2000 } }, {}],
    ["wrong nonce", { claims: { nonce: "another" } }, {}],
    ["no nonce", { without: ["nonce"] }, {}],
    ["no sub", { without: ["sub"] }, {}],
    ["alg none", { signing: "none" }, {}],
    ["HS256 with the client secret", { signing: "HS256" }, {}],
    ["another key", { signing: "other key" }, {}],
    ["state of another attempt", {}, { attempt: { state: "another" } }],
    ["iss parameter of another provider", {}, { callback: { iss: "https://evil.example" } }],
    [
      "missing iss parameter, although announced",
      { metadata: { authorization_response_iss_parameter_supported: true } },
      {},
    ],
  ])("N65 UP-04 refuses %s", async (_, forgery, changes) => {
    const iss = forgery.claims?.iss?.replace("ISSUER", server.issuer);
    const forged = iss === undefined ? forgery : { ...forgery, claims: { ...forgery.claims, iss } };
    await expect(exchange(forged, changes)).rejects.toMatchObject({ name: "UpstreamError", problem: "answer_invalid" });
  });

  test("UP-04 refuses a repeated parameter", async () => {
    const row = provider();
    const callback = new URLSearchParams("code=a&code=b&state=the-state");
    const client = await connectUpstream(row, deps);
    await expect(exchangeCode(client, row, ATTEMPT, { callback, config, now })).rejects.toMatchObject({
      problem: "answer_invalid",
    });
  });

  test("UP-13 checks auth_time", async () => {
    const attempt = { maxAgeSeconds: 60, issuedAt: now() };
    await expect(exchange({}, { attempt })).rejects.toMatchObject({ problem: "sign_in_too_old" });
    await expect(exchange({ claims: { auth_time: now() - 600 } }, { attempt })).rejects.toMatchObject({
      problem: "sign_in_too_old",
    });
    expect(await exchange({ claims: { auth_time: now() } }, { attempt })).toMatchObject({ subject: "upstream-user" });
    const forced = { maxAgeSeconds: 0, issuedAt: now() - 300 };
    expect(await exchange({ claims: { auth_time: now() - 200 } }, { attempt: forced })).toMatchObject({
      subject: "upstream-user",
    });
  });

  test("UP-05 a provider that fails is unreachable, refused or denied, and the secret is in no message", async () => {
    const failed = async (forgery: Forgery, changes?: Changes) => {
      const error = await exchange(forgery, changes).catch((thrown: unknown) => thrown);
      expect(String(error)).not.toContain(server.clientSecret);
      return (error as { problem?: string }).problem;
    };
    expect(await failed({}, { callback: { error: "access_denied" } })).toBe("denied");
    expect(await failed({ tokenError: { status: 400, body: '{"error":"invalid_grant"}' } })).toBe("exchange_refused");
    expect(await failed({ tokenError: { status: 500, body: "<html>", type: "text/html" } })).toBe("unreachable");
    expect(await failed({ tokenError: { status: 200, body: " ".repeat(2 ** 20 + 1) } })).toBe("unreachable");
    expect(await failed({ tokenError: { status: 302, body: "" } })).toBe("unreachable");
  });
});

describe("the provider's metadata", () => {
  test.each([
    ["another issuer", { issuer: "http://127.0.0.1:1/" }],
    ["no issuer", { issuer: 5 }],
  ])("UP-04 refuses %s", async (_, metadata) => {
    server.forge({ metadata });
    await expect(connectUpstream(provider(), deps)).rejects.toMatchObject({ problem: "answer_invalid" });
  });

  test("UP-04 refuses an issuer that differs by a slash", async () => {
    await expect(connectUpstream(provider({ issuer: `${server.issuer}/` }), deps)).rejects.toMatchObject({
      problem: "misconfigured",
    });
  });

  test("N69 UP-05 an issuer in the link-local network is not called, even where private networks are allowed", async () => {
    const asked: string[] = [];
    const lookup = async (name: string) => {
      asked.push(name);
      return [{ address: "169.254.169.254", family: 4 }];
    };
    const outbound = {
      public: createOutbound({ allowLoopback: false, lookup }).fetchBytes,
      private: createOutbound({ allowLoopback: false, allowPrivateNetwork: true, lookup }).fetchBytes,
    };
    for (const allowPrivateNetwork of [false, true]) {
      const row = provider({ issuer: "https://metadata.example", settings: { allowPrivateNetwork } });
      await expect(connectUpstream(row, { ...deps, outbound })).rejects.toMatchObject({ problem: "unreachable" });
    }
    expect(asked).toEqual(["metadata.example", "metadata.example"]);
  });

  test("UP-05 plain http leads nowhere but to loopback", async () => {
    const row = provider({ issuer: "http://upstream.example" });
    await expect(connectUpstream(row, deps)).rejects.toMatchObject({ problem: "unreachable" });
  });

  test("is read once an hour, again after a change of the provider, and five seconds after a failure", async () => {
    let clock = 1000;
    const { clientOf } = createUpstream({ ...deps, config, now: () => clock });
    const reads = () => server.requests.filter((path) => path.endsWith("openid-configuration")).length;
    const row = provider();
    const before = reads();
    await Promise.all([clientOf(row), clientOf(row)]);
    await clientOf(row);
    expect(reads() - before).toBe(1);
    await clientOf({ ...row, updatedAt: 7 });
    expect(reads() - before).toBe(2);
    clock += 3600;
    server.forge({ metadata: { issuer: "http://127.0.0.1:1" } });
    await expect(clientOf(row)).rejects.toMatchObject({ name: "UpstreamError" });
    server.forge({});
    await expect(clientOf(row)).rejects.toMatchObject({ name: "UpstreamError" });
    expect(reads() - before).toBe(3);
    clock += 5;
    await clientOf(row);
    expect(reads() - before).toBe(4);
  });

  test("a secret of another installation is reported, not sent", async () => {
    const row = provider({
      secret: createSeal("another-secret-another-secret-another", random).seal(secretPurpose("corp"), "x"),
    });
    const client = await connectUpstream(row, deps);
    const callback = new URLSearchParams({ code: "c", state: "the-state" });
    await expect(exchangeCode(client, row, ATTEMPT, { callback, config, now })).rejects.toMatchObject({
      problem: "misconfigured",
    });
  });
});

describe("UP-11", () => {
  test("github: OAuth without an ID token, and the numeric id as subject", async () => {
    const row = provider({ preset: "github" });
    const documents = {
      "/api/v3/user": { id: 7, login: "ada", name: null },
      "/api/v3/user/emails": [{ email: "ada@corp.example", primary: true, verified: true }],
    };
    const token = JSON.stringify({ access_token: "t", token_type: "bearer", scope: "user:email" });
    server.forge({ documents: { ...documents, "/login/oauth/access_token": JSON.parse(token) } });
    const client = await connectUpstream(row, deps);
    const url = new URL(await authorizationUrl(client, row, ATTEMPT, { config }));
    expect([url.pathname, url.searchParams.get("scope"), url.searchParams.has("nonce")]).toEqual([
      "/login/oauth/authorize",
      "read:user user:email",
      false,
    ]);
    const callback = new URLSearchParams({ code: "c", state: "the-state" });
    expect(await exchangeCode(client, row, ATTEMPT, { callback, config, now })).toMatchObject({
      issuer: `${server.issuer}/login/oauth`,
      subject: "7",
      email: "ada@corp.example",
      emailVerified: true,
      name: "ada",
      idToken: null,
    });
  });

  test("UP-07 github: the user of an app that must not read addresses has none", async () => {
    const row = provider({ preset: "github" });
    const token = { access_token: "t", token_type: "bearer", scope: "" };
    server.forge({
      documents: { "/api/v3/user": { id: 7, login: "ada", name: null }, "/login/oauth/access_token": token },
    });
    const client = await connectUpstream(row, deps);
    const callback = new URLSearchParams({ code: "c", state: "the-state" });
    const user = await exchangeCode(client, row, ATTEMPT, { callback, config, now });
    expect(user).toMatchObject({ subject: "7", email: null, emailVerified: false });
    server.forge({ documents: { "/api/v3/user/emails": [], "/login/oauth/access_token": token } });
    await expect(exchangeCode(client, row, ATTEMPT, { callback, config, now })).rejects.toMatchObject({
      problem: "exchange_refused",
    });
  });

  test("apple: the client secret is signed for each request and lives for minutes", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const secret = seal.seal(secretPurpose("corp"), await exportPKCS8(privateKey));
    const row = provider({ preset: "apple", secret, settings: { teamId: "TEAM", keyId: "KEY" } });
    const apple = "https://appleid.apple.com";
    const sent: URLSearchParams[] = [];
    const documents: Record<string, object> = {
      [`${apple}/.well-known/openid-configuration`]: {
        issuer: apple,
        authorization_endpoint: `${apple}/auth/authorize`,
        token_endpoint: `${apple}/auth/token`,
        jwks_uri: `${apple}/auth/keys`,
      },
    };
    const fetchBytes: typeof loopback = async (url, { body }) => {
      if (body) sent.push(new URLSearchParams(body));
      const document = documents[url] ?? { error: "invalid_grant" };
      const bytes = Buffer.from(JSON.stringify(document));
      return { status: documents[url] ? 200 : 400, headers: { "content-type": "application/json" }, bytes };
    };
    const client = await connectUpstream(row, { ...deps, outbound: { public: fetchBytes, private: fetchBytes } });
    const url = new URL(await authorizationUrl(client, row, ATTEMPT, { config }));
    expect(url.searchParams.get("response_mode")).toBe("form_post");
    const callback = new URLSearchParams({ code: "c", state: "the-state" });
    for (const _ of [1, 2]) {
      await expect(exchangeCode(client, row, ATTEMPT, { callback, config, now })).rejects.toMatchObject({
        problem: "exchange_refused",
      });
    }
    const [first = "", second = ""] = sent.map((form) => form.get("client_secret") ?? "");
    expect(first).not.toBe(second);
    expect(decodeProtectedHeader(first)).toEqual({ alg: "ES256", kid: "KEY" });
    const { iat = 0, exp = 0, ...claims } = decodeJwt(first);
    expect(claims).toEqual({ iss: "TEAM", sub: CLIENT, aud: apple });
    expect(exp - iat).toBeLessThanOrEqual(600);
  });
});
