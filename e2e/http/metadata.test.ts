import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { CLIENTS } from "../harness/fixture.ts";
import { basic } from "../harness/flow.ts";
import { ROOT } from "../harness/gatehouse.ts";
import { type Answer, json, postForm, send } from "../harness/http.ts";
import { expectNotAllowed } from "./expectations.ts";

const issuer = inject("issuer");
const SERVER = "/.well-known/oauth-authorization-server";
const RESOURCE = "/.well-known/oauth-protected-resource/api";

describe("authorization server metadata", () => {
  test("MD-01 interop-11 the same document is served for OpenID libraries", async () => {
    const [server, openid] = [await send(issuer, SERVER), await send(issuer, "/.well-known/openid-configuration")];
    expect(openid.status).toBe(200);
    expect(json(openid)).toEqual(json(server));
  });

  test("docs/point-a-client.md says the same", async () => {
    const body = json(await send(issuer, SERVER));
    const page = await readFile(join(ROOT, "docs/point-a-client.md"), "utf8");
    const rows = [...page.matchAll(/^\| `([a-z_]+(?:_endpoint|_uri|_supported))` \| (.+) \|$/gm)];
    const described = rows.map(([, field = "", cell = ""]) => [
      field,
      [...cell.matchAll(/`([^`]+)`/g)].map(([, value = ""]) => value).sort(),
    ]);
    const advertised = rows.map(([, field = ""]) => [
      field,
      [body[field]]
        .flat()
        .map((value) => String(value).replace(issuer, ""))
        .sort(),
    ]);
    expect(rows.length).toBeGreaterThan(12);
    expect(described).toEqual(advertised);
  });

  test("MD-01 MD-02 MD-03 MD-04 the content", async () => {
    const answer = await send(issuer, SERVER);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    const body = json(answer);
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      introspection_endpoint: `${issuer}/introspect`,
      device_authorization_endpoint: `${issuer}/device_authorization`,
      response_types_supported: ["code"],
      response_modes_supported: ["query", "form_post"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: [
        "openid",
        "profile",
        "email",
        "offline_access",
        "api:read",
        "api:write",
        "subscriptions:read",
        "notes:read",
        "notes:write",
      ],
    });
    expect(sorted(body["grant_types_supported"])).toEqual([
      "authorization_code",
      "client_credentials",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
      "urn:ietf:params:oauth:grant-type:token-exchange",
    ]);
    expect(sorted(body["token_endpoint_auth_methods_supported"])).toEqual([
      "client_secret_basic",
      "client_secret_post",
      "none",
      "private_key_jwt",
    ]);
    // Public clients can revoke, but not introspect.
    expect(sorted(body["introspection_endpoint_auth_methods_supported"])).toEqual([
      "client_secret_basic",
      "client_secret_post",
      "private_key_jwt",
    ]);
  });

  test("MD-05 the members of OpenID Connect", async () => {
    expect(json(await send(issuer, SERVER))).toMatchObject({
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      end_session_endpoint: `${issuer}/logout`,
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256", "ES256", "EdDSA"],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      prompt_values_supported: ["none", "login", "consent", "select_account", "create"],
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
  });

  test("MD-06 no empty member, and every advertised endpoint responds", async () => {
    const body = json(await send(issuer, SERVER));
    for (const value of Object.values(body)) expect(value).not.toEqual([]);
    for (const [name, value] of Object.entries(body).filter(
      ([key]) => key.endsWith("_endpoint") || key.endsWith("_uri"),
    )) {
      const { pathname } = new URL(String(value));
      expect([name, (await send(issuer, pathname)).status]).not.toEqual([name, 404]);
    }
    for (const absent of ["registration_endpoint", "check_session_iframe", "frontchannel_logout_supported"]) {
      expect(body).not.toHaveProperty(absent);
    }
  });

  test("N39 SE-02 request headers do not change it", async () => {
    const answer = await send(issuer, SERVER, {
      headers: {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        forwarded: "host=evil.example",
      },
    });
    expect(answer.text).not.toContain("evil.example");
    expect(json(answer)["issuer"]).toBe(issuer);
  });
});

describe("protected resource metadata", () => {
  test("PM-01 PM-02 PM-03 the content", async () => {
    const body = json(await send(issuer, RESOURCE));
    expect(body).toMatchObject({
      resource: `${issuer}/api`,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
    });
    expect(body["scopes_supported"]).toEqual([
      "api:read",
      "api:write",
      "subscriptions:read",
      "notes:read",
      "notes:write",
    ]);
  });
});

describe.each([SERVER, RESOURCE])("%s", (path) => {
  test("MD-08 BB-02 is cacheable and readable by any page", async () => {
    const answer = await send(issuer, path, { headers: { origin: "https://spa.example" } });
    expect(answer.headers.get("cache-control")).toMatch(/public.*max-age=\d+/);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const tag = answer.headers.get("etag") ?? "";
    expect((await send(issuer, path, { headers: { "if-none-match": tag } })).status).toBe(304);
  });

  test("MD-08 GET only", async () => expectNotAllowed(await send(issuer, path, { method: "POST" }), "GET"));
});

describe("CORS", () => {
  const { service } = CLIENTS;
  const origin = { origin: "https://spa.example" };
  const preflight = (path: string) =>
    send(issuer, path, {
      method: "OPTIONS",
      headers: {
        ...origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
  const open = (answer: Answer) => {
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  };

  test.each(["/token", "/revoke", "/api/resource", SERVER, RESOURCE])(
    "BB-02 BB-07 the preflight of %s passes",
    async (path) => {
      const answer = await preflight(path);
      expect(answer.status).toBe(204);
      open(answer);
      const allowed = (answer.headers.get("access-control-allow-headers") ?? "").toLowerCase();
      for (const header of ["authorization", "content-type"]) expect(allowed).toContain(header);
    },
  );

  test("BB-05 errors have the headers too, and expose the diagnostic ones", async () => {
    for (const answer of [
      await postForm(issuer, "/token", {}, origin),
      await postForm(
        issuer,
        "/token",
        { grant_type: "refresh_token", refresh_token: "x" },
        { ...origin, ...basic("nobody", "x") },
      ),
      await postForm(issuer, "/revoke", {}, origin),
      await send(issuer, "/api/resource", { headers: origin }),
      await send(issuer, "/api/resource", { headers: { ...origin, authorization: "Bearer garbage" } }),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      open(answer);
      const exposed = (answer.headers.get("access-control-expose-headers") ?? "").toLowerCase();
      for (const header of ["www-authenticate", "gatehouse-error-id"]) expect(exposed).toContain(header);
    }
  });

  test("BB-02 a success has them", async () => {
    const asService = basic(service.client_id, service.client_secret);
    open(await postForm(issuer, "/token", { grant_type: "client_credentials" }, { ...origin, ...asService }));
  });

  test.each(["/introspect", "/sign-in", "/consent", "/device", "/account", "/api/protected/me", "/authorize"])(
    "BB-03 BB-04 none on %s",
    async (path) => {
      for (const from of ["https://spa.example", "null"]) {
        for (const answer of [await send(issuer, path, { headers: { origin: from } }), await preflight(path)]) {
          expect(answer.headers.get("access-control-allow-origin")).toBeNull();
        }
      }
    },
  );
});

describe("operations", () => {
  test.each(["/healthz", "/readyz"])("%s answers", async (path) => {
    expect((await send(issuer, path)).status).toBe(200);
  });
});

function sorted(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value.toSorted();
}
