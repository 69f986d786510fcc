import { describe, expect, test } from "vitest";
import { matchRedirectUri } from "./redirect-uri.ts";
import { compareRedirectUris, readTestedUri, type UriDifferenceKind } from "./redirect-uri-diff.ts";

const REGISTERED = "https://shop.example.com/callback";
const web = (...redirectUris: string[]) => ({ type: "web" as const, redirectUris });

describe("CO-26 how a sent redirect URI differs", () => {
  test.each<[string, string, string, UriDifferenceKind, string]>([
    ["a slash more", "https://shop.example.com/callback/", REGISTERED, "slash", "a slash at the end"],
    ["a slash less", "https://shop.example.com/a", "https://shop.example.com/a/", "slash", "no slash at the end"],
    ["http", "http://shop.example.com/callback", REGISTERED, "scheme", "http instead of https"],
    ["another host", "https://www.shop.example.com/callback", REGISTERED, "host", "www.shop.example.com instead of"],
    ["upper case in the host", "https://Shop.example.com/callback", REGISTERED, "case", "Shop.example.com"],
    ["upper case in the path", "https://shop.example.com/Callback", REGISTERED, "case", "in the path"],
    ["a port more", "https://shop.example.com:8443/callback", REGISTERED, "port", "8443, and none"],
    ["another port", "http://localhost:3000/cb", "http://localhost:4000/cb", "port", "3000 instead of 4000"],
    ["a query more", `${REGISTERED}?next=1`, REGISTERED, "query", "none is registered"],
    ["parameters in another order", `${REGISTERED}?b=2&a=1`, `${REGISTERED}?a=1&b=2`, "query", "another order"],
    ["a fragment", `${REGISTERED}#top`, REGISTERED, "fragment", "no fragment"],
    ["another encoding", "https://shop.example.com/call%62ack", REGISTERED, "encoding", "percent-encoded"],
    ["a space at the end", `${REGISTERED} `, REGISTERED, "white_space", "U+0020"],
    ["a line break at the end", `${REGISTERED}\n`, REGISTERED, "white_space", "U+000A"],
    ["an invisible character", `https://shop.example.com/\u200bcallback`, REGISTERED, "characters", "U+200B"],
    ["a letter that looks the same", "https://shop.ex\u0430mple.com/callback", REGISTERED, "characters", "U+0430"],
    ["a user name", "https://evil@shop.example.com/callback", REGISTERED, "user_name", "before the host"],
    ["another loopback name", "http://localhost:4000/cb", "http://127.0.0.1:4000/cb", "host", "different hosts"],
    ["another path", "https://shop.example.com/cb", REGISTERED, "path", "/cb instead of /callback"],
  ])("%s", (_, sent, registered, kind, words) => {
    const { matched, nearest, differences } = compareRedirectUris(sent, web(registered));
    expect([matched, nearest, differences[0]?.kind]).toEqual([null, registered, kind]);
    expect(differences[0]?.text).toContain(words);
  });

  test.each([
    ["https://shop-eu.example/callback", ["https://shop-us.example/x", "https://eu.example/callback"], 8],
    ["https://shop-eu.example/callback\u200b", ["https://eu.example/callback", "https://shop-us.example/x"], 13],
    [
      `https://shop.example/callback?${"x".repeat(600)}`,
      ["https://shop.example/cb?x", "https://shop.example/callback"],
      29,
    ],
    ["http://localhost:3001/cb", [], 0],
  ])(
    "CO-26 CO-47 the ledger, which the command line prints, and the console name the same registered URI for %s",
    (sent, registered, at) => {
      const refused = matchRedirectUri(web(...registered), sent);
      if (refused.ok) throw new Error("matched");
      const { nearest, differsAt } = refused.difference;
      expect({ nearest, differsAt }).toEqual({ nearest: registered.at(-1) ?? null, differsAt: at });
      expect(compareRedirectUris(refused.difference.sent, web(...registered))).toMatchObject({ nearest, differsAt });
    },
  );

  test("names the environment in which the URI is registered", () => {
    const staging = { environment: "staging" as const, ...web("https://staging.shop.example.com/callback") };
    const { differences } = compareRedirectUris("https://staging.shop.example.com/callback", web(REGISTERED), [
      staging,
    ]);
    expect(differences[0]).toEqual({ kind: "other_environment", text: "it is registered for staging" });
  });

  test("says by which entry a URI matches, for a native app whatever the port", () => {
    expect(compareRedirectUris(REGISTERED, web("https://a.example/", REGISTERED)).matched).toBe(REGISTERED);
    const native = { type: "native" as const, redirectUris: ["http://127.0.0.1/cb", "com.example.app:/cb"] };
    expect(compareRedirectUris("http://127.0.0.1:5123/cb", native).matched).toBe("http://127.0.0.1/cb");
    expect(compareRedirectUris("https://a.example/", web()).nearest).toBeNull();
  });

  test("agrees with the matcher of /authorize on 10,000 random pairs, and always names a difference", () => {
    let state = 42;
    const pick = <Item>(items: readonly Item[]): Item => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return items[state % items.length] as Item;
    };
    const uri = () =>
      pick(["https://", "http://", "HTTPS://", "com.example.app:", ""]) +
      pick(["shop.example", "Shop.example", "localhost", "127.0.0.1", "[::1]", "a@shop.example", ""]) +
      pick(["", ":80", ":443", ":3000", ":"]) +
      pick(["", "/", "/cb", "/cb/", "/CB", "/c%62", "/\u200b", "/c b"]) +
      pick(["", "", "?", "?a=1&b=2", "?b=2&a=1"]) +
      pick(["", "", "#x", "\n"]);
    for (let round = 0; round < 10_000; round++) {
      const client = { type: pick(["web", "native"] as const), redirectUris: [uri(), uri()] };
      const sent = pick([uri, () => pick(client.redirectUris)])();
      const { matched, differences, differsAt, nearest } = compareRedirectUris(sent, client);
      expect([sent, client, matched !== null]).toEqual([sent, client, matchRedirectUri(client, sent).ok]);
      if (matched !== null) continue;
      expect([sent, client, differences.length > 0]).toEqual([sent, client, true]);
      expect(sent.slice(0, differsAt)).toBe(nearest?.slice(0, differsAt));
      expect(sent[differsAt] === nearest?.[differsAt] && sent.length === nearest?.length).toBe(false);
    }
  });
});

test("CO-26 takes a URI, its percent-encoded form and the address of an authorization request", () => {
  expect(readTestedUri(REGISTERED)).toEqual({ uri: REGISTERED, from: "uri" });
  expect(readTestedUri(`${REGISTERED} `)).toEqual({ uri: `${REGISTERED} `, from: "uri" });
  expect(readTestedUri(encodeURIComponent(REGISTERED))).toEqual({ uri: REGISTERED, from: "percent_encoded" });
  const address = `https://id.example/authorize?client_id=x&redirect_uri=${encodeURIComponent(`${REGISTERED}/?a=1&b=2`)}&scope=openid`;
  expect(readTestedUri(` ${address}\n`)).toEqual({ uri: `${REGISTERED}/?a=1&b=2`, from: "authorize_url" });
  expect(readTestedUri("https://id.example/authorize?redirect_uri=%E0%A4%A")).toEqual({
    uri: "%E0%A4%A",
    from: "authorize_url",
  });
});
