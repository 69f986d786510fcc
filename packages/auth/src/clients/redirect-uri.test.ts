import { describe, expect, test } from "vitest";
import { matchExemptUri, matchRedirectUri, redirectTo } from "./redirect-uri.ts";

const web = {
  type: "web" as const,
  redirectUris: ["https://app.example/cb", "https://app.example/cb?tenant=1&a=2", "http://localhost:3000/cb"],
};
const native = {
  type: "native" as const,
  redirectUris: [
    "http://127.0.0.1/cb",
    "http://[::1]:8080/cb?x=1",
    "com.example.app:/cb",
    "https://app.example/native",
  ],
};

describe("CO-38 the redirect URI of an exemption", () => {
  const callback = "https://console.example/try/callback";
  const exemption = { clientId: "shop", redirectUri: callback };
  const client = { clientId: "shop" };

  test("is accepted for its client, and nothing else is", () => {
    expect(matchExemptUri(exemption, client, callback)).toEqual({ ok: true, uri: callback });
    for (const sent of [`${callback}/`, `${callback}?a=1`, "https://app.example/cb", ""])
      expect(matchExemptUri(exemption, client, sent)).toMatchObject({ ok: false, difference: { nearest: callback } });
  });

  test("is refused for another client, and without a console", () => {
    expect(matchExemptUri(exemption, { clientId: "other" }, callback).ok).toBe(false);
    for (const sent of [callback, "undefined"])
      expect(matchExemptUri({ ...exemption, redirectUri: "" }, client, sent).ok).toBe(false);
  });
});

describe("exact matching, OAuth 2.1 §2.3.1", () => {
  test.each(web.redirectUris)("RU-01 accepts the registered %s", (uri) => {
    expect(matchRedirectUri(web, uri)).toEqual({ ok: true, uri });
  });

  test.each([
    ["a trailing slash", "https://app.example/cb/"],
    ["an extra path", "https://app.example/cb/more"],
    ["dot segments", "https://app.example/cb/../cb"],
    ["an added query", "https://app.example/cb?a=1"],
    ["an empty query", "https://app.example/cb?"],
    ["a reordered query", "https://app.example/cb?a=2&tenant=1"],
    ["another case of the host", "https://App.example/cb"],
    ["another case of the path", "https://app.example/CB"],
    ["the default port", "https://app.example:443/cb"],
    ["an escaped letter", "https://app.example/%63b"],
    ["an escaped dot", "https://app%2eexample/cb"],
    ["http", "http://app.example/cb"],
    ["the host as a prefix", "https://app.example.evil/cb"],
    ["the host as a user name", "https://app.example@evil/cb"],
    ["a backslash", "https://app.example\\cb"],
    ["user information", "https://u:p@app.example/cb"],
    ["a leading space", " https://app.example/cb"],
    ["a trailing space", "https://app.example/cb "],
    ["a trailing newline", "https://app.example/cb\n"],
    ["a look-alike host", "https://аpp.example/cb"],
    ["a sub-domain", "https://www.app.example/cb"],
    ["a fragment", "https://app.example/cb#x"],
    ["an empty fragment", "https://app.example/cb#"],
    ["a relative reference", "//app.example/cb"],
    ["a bare evil host", "//evil"],
    ["script", "javascript:alert(1)"],
    ["another port for a web client", "http://localhost:3001/cb"],
    ["nothing", ""],
  ])("RU-02 MC-05 N02 N03 N05 rejects %s", (_, uri) => {
    expect(matchRedirectUri(web, uri).ok).toBe(false);
  });

  test("RU-08 D11 a redirect URI of one environment does not match in another", () => {
    const uriOf = {
      development: "http://localhost:3000/cb",
      staging: "https://staging.app.example/cb",
      production: "https://app.example/cb",
    };
    for (const [own, uri] of Object.entries(uriOf)) {
      for (const asked of Object.values(uriOf)) {
        expect([own, asked, matchRedirectUri({ type: "web", redirectUris: [uri] }, asked).ok]).toEqual([
          own,
          asked,
          asked === uri,
        ]);
      }
    }
  });

  test("a client without redirect URIs matches nothing", () => {
    expect(matchRedirectUri({ type: "device", redirectUris: [] }, "https://app.example/cb")).toEqual({
      ok: false,
      difference: { sent: "https://app.example/cb", nearest: null, differsAt: 0 },
    });
  });

  test("a refusal names the nearest registered URI and the first differing character", () => {
    expect(matchRedirectUri(web, "http://localhost:3001/cb")).toEqual({
      ok: false,
      difference: { sent: "http://localhost:3001/cb", nearest: "http://localhost:3000/cb", differsAt: 20 },
    });
  });

  test("a refusal shows look-alikes and control characters escaped", () => {
    const match = matchRedirectUri(web, "https://аpp.example/cb\n");
    expect(match).toMatchObject({ difference: { sent: "https://\\u0430pp.example/cb\\u000a", differsAt: 8 } });
  });
});

describe("loopback port exception, RFC 8252 §7.3", () => {
  test.each([
    ["any port", "http://127.0.0.1:5999/cb"],
    ["no port", "http://127.0.0.1/cb"],
    ["IPv6, another port", "http://[::1]:5999/cb?x=1"],
    ["IPv6, no port", "http://[::1]/cb?x=1"],
    ["a private-use scheme as it is", "com.example.app:/cb"],
    ["claimed https as it is", "https://app.example/native"],
  ])("RU-06 NA-01 NA-02 accepts %s", (_, uri) => {
    expect(matchRedirectUri(native, uri).ok).toBe(true);
  });

  test.each([
    ["another path", "http://127.0.0.1:5999/other"],
    ["an added query", "http://127.0.0.1:5999/cb?x=1"],
    ["a missing query", "http://[::1]:5999/cb"],
    ["https", "https://127.0.0.1:5999/cb"],
    ["another loopback address", "http://127.0.0.2:5999/cb"],
    ["localhost for 127.0.0.1", "http://localhost:5999/cb"],
    ["a longer host", "http://127.0.0.1.evil/cb"],
    ["user information", "http://127.0.0.1@evil/cb"],
    ["user information with a port", "http://127.0.0.1:80@evil/cb"],
    ["another spelling of the address", "http://0x7f.1/cb"],
    ["a port out of range", "http://127.0.0.1:65536/cb"],
    ["port zero", "http://127.0.0.1:0/cb"],
    ["an empty port", "http://127.0.0.1:/cb"],
    ["a fragment", "http://127.0.0.1:5999/cb#"],
    ["upper case", "HTTP://127.0.0.1:5999/cb"],
    ["a port on claimed https", "https://app.example:444/native"],
    ["a newline", "http://127.0.0.1:5999/cb\n"],
  ])("RU-06 N06 NA-02 rejects %s", (_, uri) => {
    expect(matchRedirectUri(native, uri).ok).toBe(false);
  });

  test("CF-15 localhost allows any port for native clients too, and differs from 127.0.0.1", () => {
    const client = { type: "native" as const, redirectUris: ["http://localhost/callback"] };
    expect(matchRedirectUri(client, "http://localhost:49152/callback").ok).toBe(true);
    expect(matchRedirectUri(client, "http://127.0.0.1:49152/callback").ok).toBe(false);
  });

  test.each(["http://127.0.0.1", "http://127.0.0.1/"])(
    "RU-06 a registered %s is matched with and without the slash",
    (uri) => {
      const client = { type: "native" as const, redirectUris: [uri] };
      expect(matchRedirectUri(client, "http://127.0.0.1:5999").ok).toBe(true);
      expect(matchRedirectUri(client, "http://127.0.0.1:5999/").ok).toBe(true);
      expect(matchRedirectUri(client, "http://127.0.0.1:5999/cb").ok).toBe(false);
    },
  );

  test.each(["web", "browser"] as const)("RU-07 the exception does not apply to a %s client", (type) => {
    expect(matchRedirectUri({ type, redirectUris: ["http://127.0.0.1/cb"] }, "http://127.0.0.1:5999/cb").ok).toBe(
      false,
    );
  });
});

describe("redirectTo", () => {
  const location = (uri: string, params: Record<string, string | undefined>) => {
    const match = matchRedirectUri({ type: "web", redirectUris: [uri] }, uri);
    if (!match.ok) throw new Error("not matched");
    return redirectTo(match.uri, params);
  };

  test.each([
    ["https://app.example/cb", "https://app.example/cb?code=x"],
    ["https://App.example:443/a/../cb", "https://App.example:443/a/../cb?code=x"],
    ["https://app.example/cb?a=%7e", "https://app.example/cb?a=%7e&code=x"],
    ["https://app.example/cb?", "https://app.example/cb?code=x"],
    ["https://app.example/cb?a&", "https://app.example/cb?a&code=x"],
    ["com.example.app:/cb", "com.example.app:/cb?code=x"],
    ["http://127.0.0.1:5999", "http://127.0.0.1:5999?code=x"],
  ])("RU-09 %s is kept byte for byte", (uri, expected) => {
    expect(location(uri, { code: "x", state: undefined })).toBe(expected);
  });

  test.each(['a b+c&d=e%20#é"<>', "x".repeat(128), "x".repeat(2000), "x\r\nSet-Cookie:a=b", '"><script>', "'()*!~"])(
    "AZ-17 N15 the state %j comes back as sent, and cannot break out",
    (state) => {
      const to = location("https://app.example/cb?a=1", { code: "c", state });
      expect(new URL(to).searchParams.getAll("state")).toEqual([state]);
      expect(to).toMatch(/^[\x21-\x7E]+$/);
      expect(to).not.toMatch(/[<>"#]/);
    },
  );
});
