import { callerKey } from "@gatehouse/runtime";
import { describe, expect, test } from "vitest";
import { mintSecret } from "../crypto/secret.ts";
import type { Config } from "../deps.ts";
import {
  type Answer,
  MAIL,
  post,
  read,
  registerResources,
  type Scene,
  STOCK,
  scene,
  textAt,
} from "../testing/index.ts";
import { manageRegistration, register } from "./register.ts";
import { token } from "./token.ts";

/** As the Model Context Protocol's SDK sends it. */
const MCP = {
  client_name: "Inspector",
  redirect_uris: ["http://localhost:6274/oauth/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};
const WEB = { client_name: "Shop", redirect_uris: ["https://shop.example/cb"] };
/** As Visual Studio Code sends it. */
const VSCODE = {
  client_name: "Visual Studio Code",
  client_uri: "https://code.visualstudio.com",
  grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
  response_types: ["code"],
  redirect_uris: [
    "https://insiders.vscode.dev/redirect",
    "https://vscode.dev/redirect",
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
  ],
  token_endpoint_auth_method: "none",
  application_type: "native",
};
/** As Cursor sends it. */
const CURSOR = {
  client_name: "Cursor",
  redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};
const RSA_8192 = { kty: "RSA", e: "AQAB", n: "_".repeat(1366) };
const URL_OF = "https://gate.example/register";

function setting(registration: Config["registration"]): Scene {
  const s = scene();
  s.deps.config = { ...s.deps.config, ...(registration && { registration }) };
  return s;
}

async function send(s: Scene, body: unknown, headers: Record<string, string> = {}, method = "POST"): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" && { body: text }),
  };
  return read(await register(new Request(URL_OF, init), s.deps, s.caller));
}

async function manage(s: Scene, method: string, clientId: string, bearer?: string, body?: object): Promise<Answer> {
  const headers = {
    "content-type": "application/json",
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  };
  const request = new Request(`${URL_OF}/${clientId}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return read(await manageRegistration(request, clientId, s.deps, s.caller));
}

async function registered(s: Scene, body: object = WEB) {
  const answer = await send(s, body);
  return { answer, id: textAt(answer, "client_id"), bearer: textAt(answer, "registration_access_token") };
}

describe("POST /register, RFC 7591", () => {
  test("DC-01 DC-03: returns all registered metadata, including defaults, and the secrets", async () => {
    const s = setting("open");
    const answer = await send(s, {
      ...WEB,
      client_id: "mine",
      client_secret: "chosen",
      unknown_member: 1,
      contacts: ["a@shop.example"],
    });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const { client_id, client_secret, registration_access_token, ...rest } = answer.body;
    expect(client_id).toMatch(/^[\w-]{22}$/);
    expect(client_secret).toMatch(/^gcs_/);
    expect(registration_access_token).toMatch(/^grg_/);
    expect(rest).toEqual({
      client_id_issued_at: s.clock.now,
      client_secret_expires_at: 0,
      registration_client_uri: `${URL_OF}/${client_id}`,
      client_name: "Shop",
      redirect_uris: ["https://shop.example/cb"],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      scope: "openid profile email address phone offline_access api:read api:write",
      contacts: ["a@shop.example"],
    });
    expect(JSON.stringify([...s.tables.clients.values()])).not.toContain(String(client_secret));
  });

  test.each([
    ["null", null],
    ["empty", ""],
  ])(
    "DC-03: optional members that are %s count as absent, at registration and at a change of it",
    async (_, nothing) => {
      const s = setting("open");
      const names = [
        "token_endpoint_auth_method",
        "grant_types",
        "response_types",
        "scope",
        "application_type",
        "jwks",
        "jwks_uri",
      ];
      const more = [
        "client_uri",
        "logo_uri",
        "tos_uri",
        "policy_uri",
        "contacts",
        "software_id",
        "software_version",
        "dpop_bound_access_tokens",
      ];
      const unset = Object.fromEntries([...names, ...more].map((name) => [name, nothing]));
      const { answer, id, bearer } = await registered(s, { ...unset, ...WEB });
      const plain = await send(s, WEB);
      expect(Object.keys(answer.body)).toEqual(Object.keys(plain.body));
      const change = { ...unset, ...WEB, client_id: id, client_secret: nothing, client_secret_expires_at: nothing };
      expect(await manage(s, "PUT", id, bearer, change)).toMatchObject({ status: 200, body: { client_name: "Shop" } });
    },
  );

  test("interop 9 DC-04: without application_type, on http loopback and without a secret it is a native app", async () => {
    const s = setting("open");
    const { answer, id } = await registered(s, MCP);
    expect(answer.body).toMatchObject({ token_endpoint_auth_method: "none", redirect_uris: MCP.redirect_uris });
    expect(answer.body).not.toHaveProperty("client_secret");
    expect(s.tables.clients.get(id)).toMatchObject({
      type: "native",
      origin: "dynamic",
      environment: "production",
      firstParty: false,
    });
  });

  test.each([
    ["none for the web", { token_endpoint_auth_method: "none", application_type: "web" }, "browser"],
    ["none, https, nothing said", { token_endpoint_auth_method: "none" }, "native"],
    ["a secret in the body", { token_endpoint_auth_method: "client_secret_post" }, "web"],
    ["keys by URL", { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://shop.example/jwks" }, "web"],
  ])("DC-04: %s", async (_, change, type) => {
    const s = setting("open");
    const { id, answer } = await registered(s, { ...WEB, ...change });
    expect(s.tables.clients.get(id)?.type).toBe(type);
    expect(answer.body).toMatchObject(change);
  });

  test("DC-05 RFC 7591 §2: registers what is available of optional extras, and says so: an editor that asks for the device grant too", async () => {
    const s = setting("open");
    const { id, answer } = await registered(s, VSCODE);
    expect(answer).toMatchObject({
      status: 201,
      body: { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] },
    });
    expect(answer.body["redirect_uris"]).toEqual(VSCODE.redirect_uris);
    expect(s.tables.clients.get(id)).toMatchObject({
      type: "native",
      grantTypes: ["authorization_code", "refresh_token"],
    });
  });

  test.each<[string, object, object]>([
    [
      "implicit and password beside code",
      { grant_types: ["implicit", "password", "authorization_code"] },
      { grant_types: ["authorization_code"] },
    ],
    [
      "hybrid response types beside code",
      { response_types: ["code id_token", "code", "token"] },
      { response_types: ["code"] },
    ],
    ["scopes that exist nowhere", { scope: " groups openid  roles" }, { scope: "openid" }],
    [
      "nothing but spaces as scope",
      { scope: " " },
      { scope: "openid profile email address phone offline_access api:read api:write" },
    ],
    [
      "an unknown method beside a known one",
      {
        token_endpoint_auth_method: "client_secret_jwt",
        token_endpoint_auth_methods_supported: ["client_secret_jwt", "client_secret_post"],
      },
      { token_endpoint_auth_method: "client_secret_post" },
    ],
    [
      "a list of methods",
      { token_endpoint_auth_method: ["tls_client_auth", "none"] },
      { token_endpoint_auth_method: "none" },
    ],
    [
      "redirect URIs that are not allowed beside one that is",
      { redirect_uris: ["javascript:alert(1)", "https://shop.example/cb", "https://shop.example/#x", "myapp:/cb"] },
      { redirect_uris: ["https://shop.example/cb"] },
    ],
    [
      "post-logout URIs that are not allowed beside one that is",
      { post_logout_redirect_uris: ["http://shop.example/bye", "https://shop.example/bye"] },
      { post_logout_redirect_uris: ["https://shop.example/bye"] },
    ],
  ])("DC-05 CF-14: %s are left out of the registration, and of its changes", async (_, change, kept) => {
    const s = setting("open");
    const { answer, id, bearer } = await registered(s, { ...WEB, ...change });
    expect(answer).toMatchObject({ status: 201, body: kept });
    const secret = answer.body["client_secret"];
    const again = { ...WEB, ...change, client_id: id, ...(secret !== undefined && { client_secret: secret }) };
    expect(await manage(s, "PUT", id, bearer, again)).toMatchObject({ status: 200, body: kept });
    expect(await manage(s, "GET", id, bearer)).toMatchObject({ status: 200, body: kept });
  });

  test("CF-14 RU-05: an editor registers the scheme that the configuration lists, and no other", async () => {
    const s = setting("open");
    const { id, answer } = await registered(s, CURSOR);
    expect(answer).toMatchObject({ status: 201, body: { redirect_uris: CURSOR.redirect_uris } });
    expect(s.tables.clients.get(id)).toMatchObject({ type: "native", redirectUris: CURSOR.redirect_uris });
    s.deps.config = { ...s.deps.config, registrationSchemes: ["zed"] };
    expect(await send(s, CURSOR)).toMatchObject({ status: 400, body: { error: "invalid_redirect_uri" } });
    s.deps.config = { ...s.deps.config, registrationSchemes: [] };
    expect(await send(s, CURSOR)).toMatchObject({ status: 400, body: { error: "invalid_redirect_uri" } });
  });

  test("CF-14: without a name of its own, it is called after its scheme, not after the host that it chose", async () => {
    const { answer } = await registered(setting("open"), {
      ...CURSOR,
      client_name: undefined,
      redirect_uris: ["cursor://shop.example/cb"],
    });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(answer.body)).not.toContain('"client_name":"shop.example"');
  });

  test("CF-13: naming everything that the server advertises registers for every API, as naming nothing does", async () => {
    const s = setting("open");
    registerResources(s);
    s.tables.resources.set(STOCK.id, { ...STOCK, strangers: "asked" });
    const all = (await registered(s, MCP)).answer.body["scope"];
    const { answer } = await registered(s, { ...MCP, scope: "openid profile email offline_access api:read api:write" });
    expect(answer.body["scope"]).toBe(all);
    expect(all).toContain(STOCK.scopes[0]?.name);
  });

  test.each<[string, object, string]>([
    ["no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["no list of them", { redirect_uris: "https://shop.example/cb" }, "invalid_redirect_uri"],
    ["DC-04 plain http", { redirect_uris: ["http://shop.example/cb"] }, "invalid_redirect_uri"],
    [
      "DC-04 loopback for a web application",
      { redirect_uris: MCP.redirect_uris, application_type: "web" },
      "invalid_redirect_uri",
    ],
    ["a fragment", { redirect_uris: ["https://shop.example/cb#x"] }, "invalid_redirect_uri"],
    ["a wildcard", { redirect_uris: ["https://*.shop.example/cb"] }, "invalid_redirect_uri"],
    [
      "CF-14 a scheme of its own",
      { redirect_uris: ["com.example.app:/cb"], application_type: "native" },
      "invalid_redirect_uri",
    ],
    ["javascript", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["an https loopback", { redirect_uris: ["https://127.0.0.1/cb"] }, "invalid_redirect_uri"],
    ["DC-05 password", { grant_types: ["password"] }, "invalid_client_metadata"],
    ["DC-05 implicit", { grant_types: ["implicit"] }, "invalid_client_metadata"],
    ["an unlisted scheme", { ...MCP, redirect_uris: ["myapp://cb"] }, "invalid_redirect_uri"],
    ["another case of a listed scheme", { ...MCP, redirect_uris: ["Cursor://cb/x"] }, "invalid_redirect_uri"],
    ["a listed scheme for a confidential client", { redirect_uris: CURSOR.redirect_uris }, "invalid_redirect_uri"],
    ["a listed scheme for the web", { ...CURSOR, application_type: "web" }, "invalid_redirect_uri"],
    [
      "only URIs that are not allowed",
      { redirect_uris: ["javascript:alert(1)", "http://shop.example/cb"] },
      "invalid_redirect_uri",
    ],
    ["only unknown methods", { token_endpoint_auth_methods_supported: ["tls_client_auth"] }, "invalid_client_metadata"],
    ["DC-05 response_type token", { response_types: ["token"] }, "invalid_client_metadata"],
    ["CC-05 client_credentials", { grant_types: ["client_credentials"] }, "invalid_client_metadata"],
    ["refresh tokens without codes", { grant_types: ["refresh_token"] }, "invalid_client_metadata"],
    ["an unknown method", { token_endpoint_auth_method: "client_secret_jwt" }, "invalid_client_metadata"],
    ["private_key_jwt without keys", { token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
    ["DC-05 http jwks_uri", { jwks_uri: "http://shop.example/jwks" }, "invalid_client_metadata"],
    [
      "DC-05 both kinds of keys",
      { jwks_uri: "https://shop.example/jwks", jwks: { keys: [{ kty: "EC" }] } },
      "invalid_client_metadata",
    ],
    ["DC-05 an RSA key of 8192 bits", { jwks: { keys: [RSA_8192] } }, "invalid_client_metadata"],
    [
      "DC-05 an RSA key of 1024 bits",
      { jwks: { keys: [{ ...RSA_8192, n: "_".repeat(171) }] } },
      "invalid_client_metadata",
    ],
    [
      "DC-05 a private key",
      { jwks: { keys: [{ kty: "EC", crv: "P-256", x: "a", y: "b", d: "c" }] } },
      "invalid_client_metadata",
    ],
    ["a shared key", { jwks: { keys: [{ kty: "oct", k: "a" }] } }, "invalid_client_metadata"],
    ["DC-06 the console's scopes", { scope: "console:write" }, "invalid_client_metadata"],
    ["a name that is no text", { client_name: 1 }, "invalid_client_metadata"],
    ["an endless name", { client_name: "x".repeat(501) }, "invalid_client_metadata"],
    ["a script for a home page", { client_uri: "javascript:alert(1)" }, "invalid_client_metadata"],
    ["HS256 for its assertions", { token_endpoint_auth_signing_alg: "HS256" }, "invalid_client_metadata"],
  ])("DC-02 rejects %s", async (_, change, error) => {
    const s = setting("open");
    const answer = await send(s, { ...WEB, ...change });
    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect(s.tables.strangers.size).toBe(0);
  });

  test.each([
    ["text", "text/plain", JSON.stringify(WEB)],
    ["a form", "application/x-www-form-urlencoded", "client_name=Shop"],
    ["broken JSON", "application/json", "{"],
    ["a list", "application/json", "[]"],
    ["null", "application/json", "null"],
  ])("DC-02: %s is 400", async (_, type, body) => {
    expect(await send(setting("open"), body, { "content-type": type })).toMatchObject({
      status: 400,
      body: { error: "invalid_client_metadata" },
    });
  });

  test("a huge body is 413, another method 405, and preflight works", async () => {
    const s = setting("open");
    expect((await send(s, JSON.stringify({ ...WEB, x: "y".repeat(70_000) }))).status).toBe(413);
    const got = await send(s, "", {}, "GET");
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect((await send(s, "", {}, "OPTIONS")).status).toBe(204);
  });

  test("DC-06: scopes are limited to those of self-described clients; names lose deceptive characters", async () => {
    const s = setting("open");
    const { answer, id } = await registered(s, {
      ...WEB,
      scope: "api:read console:write other",
      client_name: "  A\u202Eb\u0000\n  c ",
    });
    expect(answer.body).toMatchObject({ scope: "api:read", client_name: "Ab c" });
    expect(s.tables.clients.get(id)?.applicationName).toBe(`Ab c (${id.slice(0, 6)})`);
  });

  test("MC-09 DC-06: registering one scope of an API allows its other scopes, but none of another API", async () => {
    const s = setting("open");
    registerResources(s);
    for (const resource of [STOCK, MAIL]) s.tables.resources.set(resource.id, { ...resource, strangers: "asked" });
    const { answer } = await registered(s, { ...WEB, scope: "stock:read" });
    expect(String(answer.body["scope"]).split(" ").toSorted()).toEqual(["stock:read", "stock:write"]);
  });

  test("DC-06: a blocked software_id is rejected while the block lasts, without spending an initial access token", async () => {
    const s = setting("token");
    const initial = mintSecret("initialAccessToken", s.deps.random);
    const row = { hash: initial.hash, name: "CI", remaining: 1, expiresAt: null, createdAt: s.clock.now };
    s.tables.initialAccessTokens.set(initial.hash, row);
    const block = {
      kind: "software_id",
      value: "spam-bot",
      reason: "",
      createdAt: s.clock.now,
      expiresAt: s.clock.now + 60,
    } as const;
    s.tables.clientBlocks.push(block);
    const headers = { authorization: `Bearer ${initial.secret}` };
    const tried = await send(s, { ...WEB, software_id: "spam-bot" }, headers);
    expect(tried).toMatchObject({ status: 403, body: { error: "access_denied" } });
    expect(s.tables.refusals.at(-1)?.cause).toBe("registration_blocked");
    s.clock.now += 60;
    expect((await send(s, { ...WEB, software_id: "spam-bot" }, headers)).status).toBe(201);
  });

  test("D21: an API that does not allow self-described clients has no scopes for them", async () => {
    const s = setting("open");
    registerResources(s);
    s.tables.resources.set(MAIL.id, { ...MAIL, strangers: "asked" });
    expect((await send(s, { ...WEB, scope: "stock:read" })).body).toMatchObject({ error: "invalid_client_metadata" });
    const { answer } = await registered(s);
    expect(String(answer.body["scope"])).toContain("mail:send");
    expect(String(answer.body["scope"])).not.toContain("stock");
  });

  test("CF-18: registration is closed by default, with its own error", async () => {
    expect(await send(setting(undefined), WEB)).toMatchObject({ status: 403, body: { error: "access_denied" } });
  });

  test("DC-06 SE-07: callers of one /64 count as one, and so do all with an unknown address", async () => {
    const s = setting("open");
    const keys: string[] = [];
    s.deps.quota = async (_, key) => keys.push(key) && 0;
    for (const address of ["2001:db8:1:2::7", "2001:db8:1:2:ffff::8", null, null]) {
      s.caller.address = address;
      await send(s, WEB);
    }
    expect([keys.length, new Set(keys).size]).toEqual([4, 2]);
  });

  test("DC-06: each address has a quota", async () => {
    const s = setting("open");
    s.deps.quota = async (of, key) => (of === "registration" && key === callerKey(s.caller) ? 120 : 0);
    const answer = await send(s, WEB);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "120"]);
  });

  test("DC-06: strangers who register as many as may wait lock out nobody: every other network still has its share", async () => {
    const s = setting("open");
    const shares = new Map<string, number>();
    s.deps.quota = async (of, key) => {
      if (of !== "registration in a crowd") return 0;
      shares.set(key, (shares.get(key) ?? 0) + 1);
      return (shares.get(key) ?? 0) > 5 ? 1800 : 0;
    };
    s.store.countUnconfirmedClients = async () => 999;
    expect((await send(s, WEB)).status).toBe(201);
    expect(shares.size).toBe(0);
    s.store.countUnconfirmedClients = async () => 1000;
    const statuses: number[] = [];
    for (let at = 0; at < 7; at++) {
      s.caller.address = `2001:db8:7:${at}::1`; // networks of one customer
      statuses.push((await send(s, WEB)).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
    s.caller.address = "2001:db8:8::1";
    expect((await send(s, WEB)).status).toBe(201);
  });
});

describe("initial access tokens, RFC 7591 §3", () => {
  function withToken(change: { remaining?: number | null; expiresAt?: number | null } = {}) {
    const s = setting("token");
    const { secret, hash } = mintSecret("initialAccessToken", s.deps.random);
    s.tables.initialAccessTokens.set(hash, {
      hash,
      name: "CI",
      remaining: 1,
      expiresAt: null,
      createdAt: s.clock.now,
      ...change,
    });
    return { s, headers: { authorization: `Bearer ${secret}` } };
  }

  test("DC-02: one is required, and a challenge says so", async () => {
    const { s } = withToken();
    for (const headers of [{}, { authorization: "Bearer gia_guess" }, { authorization: "Basic YTpi" }] as Record<
      string,
      string
    >[]) {
      const answer = await send(s, WEB, headers);
      expect(answer).toMatchObject({ status: 401, body: { error: "invalid_token" } });
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
    }
  });

  test("DC-06: each registration uses one, but invalid metadata uses none", async () => {
    const { s, headers } = withToken();
    expect((await send(s, { ...WEB, redirect_uris: [] }, headers)).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(s, WEB, headers)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
  });

  test("one without a limit keeps working; an expired one does not", async () => {
    const unlimited = withToken({ remaining: null });
    for (let at = 0; at < 3; at++) expect((await send(unlimited.s, WEB, unlimited.headers)).status).toBe(201);
    const expired = withToken({ expiresAt: unlimited.s.clock.now });
    expect((await send(expired.s, WEB, expired.headers)).status).toBe(401);
  });
});

describe("/register/<client_id>, RFC 7592", () => {
  test("DC-07: GET returns the registered metadata, whatever the current setting", async () => {
    const s = setting("open");
    const { id, bearer } = await registered(s);
    s.deps.config = { ...s.deps.config, registration: "closed" };
    const answer = await manage(s, "GET", id, bearer);
    expect(answer).toMatchObject({
      status: 200,
      body: { client_id: id, client_name: "Shop", registration_access_token: bearer },
    });
    expect(answer.body).not.toHaveProperty("client_secret");
  });

  test("DC-07: a missing, a wrong and an unknown client's token get the same 401", async () => {
    const s = setting("open");
    const { id, bearer } = await registered(s);
    const other = await registered(s, MCP);
    for (const [clientId, sent] of [
      [id, undefined],
      [id, other.bearer],
      [other.id, bearer],
      ["nobody", bearer],
      ["shop-web", bearer],
    ] as const) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await manage(
          s,
          method,
          clientId,
          sent,
          method === "PUT" ? { ...WEB, client_id: clientId } : undefined,
        );
        expect(answer).toMatchObject({ status: 401, body: { error: "invalid_token" } });
        expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
      }
    }
    expect((await manage(s, "POST", id, bearer, WEB)).status).toBe(405);
  });

  test("DC-07: PUT replaces all metadata", async () => {
    const s = setting("open");
    const { id, bearer, answer } = await registered(s, { ...WEB, contacts: ["a@shop.example"] });
    const secret = textAt(answer, "client_secret");
    const put = { ...WEB, client_id: id, client_secret: secret, client_name: "Shop 2", scope: "api:read" };
    const renamed = await manage(s, "PUT", id, bearer, put);
    expect(renamed).toMatchObject({ status: 200, body: { client_name: "Shop 2", scope: "api:read" } });
    expect(renamed.body).not.toHaveProperty("contacts");
    await manage(s, "PUT", id, bearer, { ...put, redirect_uris: ["https://shop.example/other"] });
    expect(s.tables.clients.get(id)?.redirectUris).toEqual(["https://shop.example/other"]);
  });

  test("DC-06 DC-08: changes are limited by registration and by address; a wrong token uses up nothing", async () => {
    const s = setting("open");
    const { id, bearer } = await registered(s);
    const counted: string[] = [];
    s.deps.quota = async (of, key) => (counted.push(`${of}: ${key}`) > 2 ? 900 : 0);
    const put = (sent: string, method = "PUT") =>
      manage(s, method, id, sent, method === "PUT" ? { ...WEB, client_id: id } : undefined);
    expect((await put("wrong")).status).toBe(401);
    expect((await put(bearer, "GET")).status).toBe(200);
    expect(counted).toEqual([]);
    expect((await put(bearer)).status).toBe(200);
    expect(counted).toEqual([`registration change: client ${id}`, `registration changes: ${callerKey(s.caller)}`]);
    const answer = await put(bearer);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "900"]);
  });

  test.each<[string, object]>([
    ["no client_id", { client_id: undefined }],
    ["another client_id", { client_id: "shop-web" }],
    ["registration_access_token", { registration_access_token: "x" }],
    ["registration_client_uri", { registration_client_uri: "x" }],
    ["client_secret_expires_at", { client_secret_expires_at: 0 }],
    ["client_id_issued_at", { client_id_issued_at: 0 }],
    ["a secret of its choice", { client_secret: "chosen" }],
    ["another kind of authentication", { token_endpoint_auth_method: "none" }],
  ])("DC-07: PUT rejects %s", async (_, change) => {
    const s = setting("open");
    const { id, bearer } = await registered(s);
    expect(await manage(s, "PUT", id, bearer, { ...WEB, client_id: id, ...change })).toMatchObject({
      status: 400,
      body: { error: "invalid_client_metadata" },
    });
  });

  test.each(["GET", "PUT", "DELETE"])(
    "DC-07: %s of a client that an admin blocked is 403, and nothing changes",
    async (method) => {
      const s = setting("open");
      const { id, bearer } = await registered(s);
      s.changeClient(id, { enabled: false });
      const body = method === "PUT" ? { ...WEB, client_id: id, client_name: "Changed" } : undefined;
      expect(await manage(s, method, id, bearer, body)).toMatchObject({
        status: 403,
        body: { error: "access_denied" },
      });
      expect(s.tables.refusals.at(-1)?.cause).toBe("registration_blocked");
      expect(await manage(s, method, id, "grg_guess", body)).toMatchObject({ status: 401 });
      expect(s.tables.clients.get(id)?.options.clientName).toBe("Shop");
    },
  );

  test("DC-07: a change to a software_id that is blocked is 403", async () => {
    const s = setting("open");
    const { id, bearer, answer } = await registered(s);
    s.tables.clientBlocks.push({
      kind: "software_id",
      value: "spam-bot",
      reason: "",
      createdAt: s.clock.now,
      expiresAt: null,
    });
    const put = { ...WEB, client_id: id, client_secret: textAt(answer, "client_secret"), software_id: "spam-bot" };
    expect(await manage(s, "PUT", id, bearer, put)).toMatchObject({ status: 403, body: { error: "access_denied" } });
    expect(s.tables.clients.get(id)?.enabled).toBe(false);
  });

  test("DC-07: DELETE is 204 and deletes the client", async () => {
    const s = setting("open");
    const { id, bearer, answer } = await registered(s);
    expect(await manage(s, "DELETE", id, bearer)).toMatchObject({ status: 204, text: "" });
    const form = {
      grant_type: "authorization_code",
      code: "x",
      client_id: id,
      client_secret: textAt(answer, "client_secret"),
    };
    expect((await post(s, token, form)).status).toBe(401);
    expect((await manage(s, "GET", id, bearer)).status).toBe(401);
  });
});
