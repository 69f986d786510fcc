import { describe, expect, test } from "vitest";
import type { Config } from "../deps.ts";
import { type Answer, read, scene } from "../testing/index.ts";
import { authorizationServerMetadata } from "./metadata.ts";
import { protectedResourceMetadata } from "./protected-resource-metadata.ts";

const s = scene();
const get = async (
  endpoint: typeof authorizationServerMetadata,
  init: RequestInit = {},
  url = "https://gate.example/doc",
): Promise<Answer> => read(await endpoint(new Request(url, init), s.deps, s.caller));

describe("GET /.well-known/oauth-authorization-server, RFC 8414", () => {
  test("MD-01 MD-03 MD-05 MD-06 DF-13 AZ-20 MC-02 MC-11 PK-25 interop-12 interop-14: lists what is supported and nothing else", async () => {
    const answer = await get(authorizationServerMetadata);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toEqual({
      issuer: "https://gate.example",
      authorization_endpoint: "https://gate.example/authorize",
      token_endpoint: "https://gate.example/token",
      device_authorization_endpoint: "https://gate.example/device_authorization",
      revocation_endpoint: "https://gate.example/revoke",
      introspection_endpoint: "https://gate.example/introspect",
      userinfo_endpoint: "https://gate.example/userinfo",
      end_session_endpoint: "https://gate.example/logout",
      jwks_uri: "https://gate.example/.well-known/jwks.json",
      pushed_authorization_request_endpoint: "https://gate.example/par",
      require_pushed_authorization_requests: false,
      response_types_supported: ["code"],
      response_modes_supported: ["query", "form_post"],
      grant_types_supported: [
        "authorization_code",
        "refresh_token",
        "client_credentials",
        "urn:ietf:params:oauth:grant-type:device_code",
        "urn:ietf:params:oauth:grant-type:token-exchange",
      ],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"],
      token_endpoint_auth_signing_alg_values_supported: ["RS256", "ES256", "EdDSA", "PS256", "Ed25519"],
      revocation_endpoint_auth_methods_supported: [
        "client_secret_basic",
        "client_secret_post",
        "private_key_jwt",
        "none",
      ],
      revocation_endpoint_auth_signing_alg_values_supported: ["RS256", "ES256", "EdDSA", "PS256", "Ed25519"],
      introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
      introspection_endpoint_auth_signing_alg_values_supported: ["RS256", "ES256", "EdDSA", "PS256", "Ed25519"],
      scopes_supported: ["openid", "profile", "email", "offline_access", "api:read", "api:write"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256", "ES256", "EdDSA"],
      claims_supported: expect.arrayContaining(["sub", "auth_time", "sid", "name", "email"]),
      claims_parameter_supported: false,
      prompt_values_supported: ["none", "login", "consent", "select_account", "create"],
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      acr_values_supported: ["urn:gatehouse:acr:password"],
      dpop_signing_alg_values_supported: ["RS256", "ES256", "EdDSA", "Ed25519"],
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      protected_resources: ["https://gate.example/api"],
      gatehouse_api: 1,
    });
  });

  test("MD-04 CI-09: lists registration and metadata documents only when enabled", async () => {
    const named = async (change: Partial<Config>) => {
      const deps = { ...s.deps, config: { ...s.deps.config, ...change } };
      const { body } = await read(
        await authorizationServerMetadata(new Request("https://gate.example/doc"), deps, s.caller),
      );
      return [body["registration_endpoint"], body["client_id_metadata_document_supported"]];
    };
    expect(await named({ registration: "closed", clientMetadataDocuments: false })).toEqual([undefined, undefined]);
    expect(await named({ registration: "token", clientMetadataDocuments: true })).toEqual([
      "https://gate.example/register",
      true,
    ]);
    expect(await named({ registration: "open" })).toEqual(["https://gate.example/register", undefined]);
  });

  test("MD-02 SE-02 N39: the Host header changes nothing", async () => {
    const headers = { "x-forwarded-host": "evil.test", forwarded: "host=evil.test" };
    const answer = await get(
      authorizationServerMetadata,
      { headers },
      "http://evil.test/.well-known/oauth-authorization-server",
    );
    expect(answer.text).not.toContain("evil");
  });
});

describe("GET /.well-known/oauth-protected-resource/api, RFC 9728", () => {
  test("PM-01 PM-02 MC-08 MC-11: names the resource, its server and its scopes", async () => {
    expect((await get(protectedResourceMetadata)).body).toEqual({
      resource: "https://gate.example/api",
      authorization_servers: ["https://gate.example"],
      scopes_supported: ["api:read", "api:write"],
      bearer_methods_supported: ["header"],
      dpop_signing_alg_values_supported: ["RS256", "ES256", "EdDSA", "Ed25519"],
      resource_name: "Gatehouse API",
    });
  });
});

describe.each([
  ["authorization server", authorizationServerMetadata],
  ["protected resource", protectedResourceMetadata],
])("both documents: %s", (_, endpoint) => {
  test("MD-08 BB-02 PM-03: can be cached and read from any origin", async () => {
    const answer = await get(endpoint);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect((await get(endpoint, { method: "OPTIONS" })).status).toBe(204);
  });

  test("MD-08: an unchanged document is 304", async () => {
    const tag = (await get(endpoint)).headers.get("etag") ?? "";
    for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      expect(await get(endpoint, { headers: { "if-none-match": condition } })).toMatchObject({ status: 304, text: "" });
    }
    expect((await get(endpoint, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("MD-08: HEAD has no body, anything else is 405", async () => {
    expect(await get(endpoint, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    const answer = await get(endpoint, { method: "POST" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});
