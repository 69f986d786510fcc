import { describe, expect, test } from "vitest";
import type { Environment } from "./client.ts";
import type { ClientType } from "./client-type.ts";
import { checkRedirectUri, MAX_REDIRECT_URI_LENGTH, type RedirectUriProblem } from "./redirect-uri-rules.ts";

const check = (uri: string, type: ClientType = "web", environment: Environment = "development") => {
  const result = checkRedirectUri({ uri, type, environment });
  return result.ok ? "fine" : result.problem;
};

describe("registration of redirect URIs", () => {
  test.each<[string, ClientType, Environment]>([
    ["https://app.example/cb", "web", "production"],
    ["https://app.example/cb?tenant=1", "web", "production"],
    ["https://app.example:8443/cb", "browser", "production"],
    ["https://app.example/", "native", "production"],
    ["com.example.app:/cb", "native", "production"],
    ["http://127.0.0.1/cb", "native", "production"],
    ["http://[::1]:4711/cb", "native", "production"],
    ["http://localhost/callback", "native", "production"],
    ["http://localhost:3000/cb", "web", "development"],
    ["http://127.0.0.1:3000/cb", "browser", "staging"],
    ["http://[::1]/cb", "native", "development"],
    ["http://127.0.0.1", "native", "development"],
    ["https://localhost:3000/cb", "web", "development"],
    ["https://xn--bcher-kva.example/cb", "web", "production"],
    ["https://app.example/cb%20x", "web", "production"],
  ])("RU-04 RU-05 accepts %s for a %s client in %s", (uri, type, environment) => {
    expect(check(uri, type, environment)).toBe("fine");
  });

  test.each<[string, RedirectUriProblem]>([
    ["", "empty"],
    ["https://app.example/cb#x", "fragment"],
    ["https://app.example/cb#", "fragment"],
    ["https://*.app.example/cb", "wildcard"],
    ["https://app.example/*", "wildcard"],
    ["/cb", "not_absolute"],
    ["app.example/cb", "not_absolute"],
    ["//app.example/cb", "not_absolute"],
    ["https:///cb", "not_absolute"],
    ["https:app.example/cb", "not_absolute"],
    ["https://app.example:99999/cb", "not_absolute"],
    ["https://user@app.example/cb", "userinfo"],
    ["javascript:alert(1)", "forbidden_scheme"],
    ["JavaScript:alert(1)", "forbidden_scheme"],
    ["data:text/html,x", "forbidden_scheme"],
    ["file:///etc/passwd", "forbidden_scheme"],
    ["blob:https://app.example/x", "forbidden_scheme"],
    ["https://app.example", "no_path"],
    ["https://app.example?a=1", "no_path"],
    ["http://app.example/cb", "http_not_loopback"],
    ["http://127.0.0.2/cb", "http_not_loopback"],
    ["http://localhost.evil/cb", "http_not_loopback"],
    ["http://0x7f.1/cb", "host_not_canonical"],
    ["https://App.example/cb", "host_not_canonical"],
    ["HTTPS://app.example/cb", "host_not_canonical"],
    ["https://app.example:443/cb", "host_not_canonical"],
    ["https://app.example/a/../cb", "dot_segments"],
    ["https://app.example/%2e%2e/cb", "dot_segments"],
    ["https://app.example/c b", "not_plain_ascii"],
    ["https://app.example/cb\n", "not_plain_ascii"],
    [" https://app.example/cb", "not_plain_ascii"],
    ["https://app.example\\cb", "not_plain_ascii"],
    ["https://аpp.example/cb", "not_plain_ascii"],
    ["https://{tenant}.app.example/cb", "not_plain_ascii"],
    ["https://app.example/%zz", "not_plain_ascii"],
    [`https://app.example/${"x".repeat(MAX_REDIRECT_URI_LENGTH)}`, "too_long"],
    ["https://app.example/cb?code=1", "reserved_parameter"],
    ["https://app.example/cb?iss=1", "reserved_parameter"],
    ["com.example.app:/cb", "scheme_needs_native"],
  ])("RU-03 RU-12 rejects %s: %s", (uri, problem) => {
    expect(check(uri)).toBe(problem);
  });

  test.each<[string, RedirectUriProblem]>([
    ["intent://app.example/cb#Intent;end", "fragment"],
    ["intent://app.example/cb", "forbidden_scheme"],
    ["vbscript:msgbox", "forbidden_scheme"],
    ["view-source:https://app.example/", "forbidden_scheme"],
    ["ms-msdt:/id", "forbidden_scheme"],
    ["chrome://settings/", "forbidden_scheme"],
    ["mailto:a@app.example", "forbidden_scheme"],
    ["ws://app.example/cb", "forbidden_scheme"],
    ["urn:ietf:wg:oauth:2.0:oob", "forbidden_scheme"],
    ["Cursor://anysphere.cursor-mcp/oauth/callback", "host_not_canonical"],
    ["localhost:3000/cb", "not_absolute"],
    ["app.example:8443/cb", "not_absolute"],
    ["cursor://", "no_path"],
    ["cursor://x/cb?code=1", "reserved_parameter"],
    ["Com.Example.app:/cb", "host_not_canonical"],
    ["com.example.app:", "no_path"],
    ["http://app.example/cb", "http_not_loopback"],
    ["https://app.example", "no_path"],
  ])("RU-05 rejects %s for a native app: %s", (uri, problem) => {
    expect(check(uri, "native")).toBe(problem);
  });

  test.each(["cursor://anysphere.cursor-mcp/oauth/callback", "vscode://publisher.extension/cb", "myapp:/cb"])(
    "RU-05 CF-14 accepts %s for a native app alone, with a warning because other apps can claim the scheme",
    (uri) => {
      const result = checkRedirectUri({ uri, type: "native", environment: "production" });
      expect(result).toMatchObject({ ok: true, warning: expect.stringContaining("Any other app can claim") });
      expect([check(uri, "web"), check(uri, "browser")]).toEqual(["scheme_needs_native", "scheme_needs_native"]);
      expect(checkRedirectUri({ uri: "com.example.app:/cb", type: "native", environment: "production" })).toEqual({
        ok: true,
      });
    },
  );

  test.each<[string, RedirectUriProblem]>([
    ["http://localhost:3000/cb", "http_in_production"],
    ["http://app.example/cb", "http_in_production"],
    ["https://localhost/cb", "loopback_in_production"],
    ["https://LOCALHOST/cb", "host_not_canonical"],
    ["https://localhost./cb", "loopback_in_production"],
    ["https://app.localhost/cb", "loopback_in_production"],
    ["https://127.0.0.1/cb", "loopback_in_production"],
    ["https://127.9.9.9/cb", "loopback_in_production"],
    ["https://[::1]/cb", "loopback_in_production"],
    ["https://[::ffff:7f00:1]/cb", "loopback_in_production"],
  ])("SD-06 RU-08 production rejects %s: %s", (uri, problem) => {
    expect([check(uri, "web", "production"), check(uri, "browser", "production")]).toEqual([problem, problem]);
  });

  test.each(["service", "device"] as const)("a %s client cannot have redirect URIs", (type) => {
    expect(check("https://app.example/cb", type)).toBe("type_has_none");
  });

  test("the message says what to change, in a sentence", () => {
    const result = checkRedirectUri({ uri: "https://app.example", type: "web", environment: "production" });
    expect(result).toEqual({
      ok: false,
      problem: "no_path",
      message: "Add the path, even if it is only a slash, for example https://app.example.com/.",
    });
  });
});
