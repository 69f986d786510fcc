import { describe, expect, test } from "vitest";
import type { Environment } from "./client.ts";
import type { ClientType } from "./client-type.ts";
import { matchRedirectUri } from "./redirect-uri.ts";
import { nearestAcceptable, redirectUriExamples } from "./redirect-uri-advice.ts";
import { checkRedirectUri } from "./redirect-uri-rules.ts";

describe("CO-25 examples of what a redirect URI matches", () => {
  test.each<[ClientType, string, string, string]>([
    ["web", "https://app.example/cb", "https://app.example/cb", "with a slash at the end"],
    ["web", "https://app.example/", "https://app.example/", "without the slash at the end"],
    ["web", "https://app.example/cb?tenant=7", "https://app.example/cb?tenant=7", "with a slash at the end"],
    ["native", "http://127.0.0.1/cb", "http://127.0.0.1:51004/cb", "with a slash at the end"],
    ["native", "http://127.0.0.1/", "http://127.0.0.1:51004/", "with localhost instead of 127.0.0.1"],
    ["native", "http://localhost:4000", "http://localhost:51004", "with 127.0.0.1 instead of localhost"],
    ["native", "http://[::1]:4000/", "http://[::1]:51004/", "with another query"],
    ["native", "com.example.app:/callback", "com.example.app:/callback", "with a slash at the end"],
  ])("of a %s client: %s", (type, uri, matching, difference) => {
    const examples = redirectUriExamples(uri, type);
    expect(examples).toMatchObject({ matching, difference });
    const matches = (sent: string) => matchRedirectUri({ type, redirectUris: [uri] }, sent).ok;
    expect([matches(examples?.matching ?? ""), matches(examples?.refused ?? uri)]).toEqual([true, false]);
  });
});

describe("CO-25 the nearest URI that is accepted", () => {
  const nearest = (uri: string, type: ClientType = "web", environment: Environment = "production") =>
    nearestAcceptable({ uri, type, environment });

  test.each<[string, string]>([
    ["http://app.example/cb", "https://app.example/cb"],
    ["https://app.example", "https://app.example/"],
    ["https://App.Example:443/cb", "https://app.example/cb"],
    ["https://app.example/cb#top", "https://app.example/cb"],
    ["app.example/cb", "https://app.example/cb"],
    ["//app.example/cb", "https://app.example/cb"],
    ["https://user:pw@app.example/cb", "https://app.example/cb"],
    ["https://app.example/a/../cb", "https://app.example/cb"],
    ["https://app.example/cb?code=1&tenant=7", "https://app.example/cb?tenant=7"],
    ["https://app.example/cb?state=1", "https://app.example/cb"],
    [" https://app.example/cb ", "https://app.example/cb"],
    ["https://bücher.example/grüße", "https://xn--bcher-kva.example/gr%C3%BC%C3%9Fe"],
    ["http://APP.example#x", "https://app.example/"],
  ])("%j: %s", (uri, expected) => {
    expect(nearest(uri)).toBe(expected);
    expect(checkRedirectUri({ uri: expected, type: "web", environment: "production" })).toEqual({ ok: true });
  });

  test("of a host on this machine is http", () => {
    expect(nearest("localhost:4000/cb", "web", "development")).toBe("http://localhost:4000/cb");
  });

  test.each([
    "",
    "https://*.example/cb",
    "javascript:alert(1)",
    "http://localhost:4000/cb",
    "myapp:/cb",
    "https://app.example/cb",
  ])("%j: there is none to propose", (uri) => {
    expect(nearest(uri)).toBeNull();
  });

  test("of a client without redirect URIs is none", () => {
    expect(nearest("https://app.example/cb", "service")).toBeNull();
  });
});
