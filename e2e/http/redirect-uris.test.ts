import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { authorize, authorizePath, callback, newProof, redeem, signIn } from "../harness/flow.ts";
import { expectErrorPage } from "./expectations.ts";

const issuer = inject("issuer");
const { web, localWeb, native } = CLIENTS;

let bo: Agent;
beforeAll(async () => {
  bo = await signIn(issuer, "redirects");
});

describe("redirect URIs are compared character by character", () => {
  test.each([
    ["N02 a trailing slash", "https://app.example/cb/"],
    ["RU-02 a longer path", "https://app.example/cb/more"],
    ["RU-02 dot segments", "https://app.example/cb/../cb"],
    ["N02 an added query", "https://app.example/cb?a=1"],
    ["RU-02 a longer query", "https://app.example/cb?tenant=7&a=1"],
    ["RU-02 another value in the query", "https://app.example/cb?tenant=8"],
    ["N02 another case of the path", "https://app.example/CB"],
    ["N02 another case of the host", "https://App.example/cb"],
    ["RU-02 another case of the scheme", "HTTPS://app.example/cb"],
    ["N02 the default port", "https://app.example:443/cb"],
    ["N02 an escaped letter", "https://app.example/%63b"],
    ["N02 escaped dots", "https://app.example/%2e/cb"],
    ["RU-02 http", "http://app.example/cb"],
    ["N03 a host that begins alike", "https://app.example.evil/cb"],
    ["N03 user information", "https://app.example@evil/cb"],
    ["RU-02 user information in front", "https://me@app.example/cb"],
    ["N03 no scheme", "//evil/cb"],
    ["RU-02 backslashes", "https:\\\\app.example\\cb"],
    ["RU-02 a leading space", " https://app.example/cb"],
    ["RU-02 a trailing space", "https://app.example/cb "],
    ["RU-02 a look-alike letter", "https://аpp.example/cb"],
    ["RU-02 a sub-domain", "https://x.app.example/cb"],
    ["RU-02 a fragment", "https://app.example/cb#x"],
    ["RU-02 an empty fragment", "https://app.example/cb#"],
    ["RU-02 a script", "javascript:alert(1)"],
  ])("%s", async (_, redirect_uri) => {
    const page = await bo.request(authorizePath(web, { redirect_uri }));
    expectErrorPage(page);
    // AZ-07: an unproven URI never becomes a link, a script or a refresh.
    for (const link of page.document.querySelectorAll("a, form, script, meta[http-equiv]"))
      expect(link.toString()).not.toContain("evil");
  });

  test("N05 RU-07 the port of localhost must match for a web client", async () => {
    expectErrorPage(await bo.request(authorizePath(localWeb, { redirect_uri: "http://localhost:3001/cb" })));
    expect(callback(await authorize(bo, localWeb)).uri).toBe("http://localhost:3000/cb");
  });
});

describe("native apps on loopback", () => {
  test.each([
    ["N06 NA-02 RU-06 any port of 127.0.0.1", "http://127.0.0.1:5999/cb"],
    ["NA-02 RU-06 no port", "http://127.0.0.1/cb"],
    ["RU-06 any port of [::1]", "http://[::1]:61023/cb"],
    ["CF-15 any port of the name localhost", "http://localhost:40123/callback"],
    ["interop-10 an address with no path at all", "http://127.0.0.1:40999"],
    ["NA-01 RU-05 a private-use scheme", "com.example.app:/cb"],
  ])("%s works end to end", async (_, redirect_uri) => {
    const { verifier, challenge } = newProof();
    const page = await authorize(bo, native, { redirect_uri, code_challenge: challenge });
    const { uri, params } = callback(page);
    expect(uri).toBe(redirect_uri);
    const obtained = { code: params.get("code") ?? "", verifier, redirectUri: redirect_uri };
    expect((await redeem(issuer, native, obtained)).status).toBe(200);
  });

  test.each([
    ["N06 NA-02 another path", "http://127.0.0.1:5999/other"],
    ["NA-02 https", "https://127.0.0.1:5999/cb"],
    ["NA-02 another loopback address", "http://127.0.0.2:5999/cb"],
    ["RU-06 the path of localhost on 127.0.0.1", "http://127.0.0.1:5999/callback"],
    ["RU-06 the path of 127.0.0.1 on localhost", "http://localhost:5999/cb"],
    ["NA-02 a host that begins alike", "http://127.0.0.1.evil/cb"],
    ["NA-02 user information", "http://127.0.0.1@evil/cb"],
    ["NA-02 another spelling of the address", "http://0x7f.1/cb"],
    ["RU-06 an added query", "http://127.0.0.1:5999/cb?x=1"],
    ["RU-06 a port that is none", "http://127.0.0.1:99999/cb"],
    ["RU-06 a port that is no number", "http://127.0.0.1:5999x/cb"],
  ])("%s is refused", async (_, redirect_uri) => {
    expectErrorPage(await bo.request(authorizePath(native, { redirect_uri })));
  });

  test("AZ-32 NA-04 its identity is unproven, so every consent page asks again and says so; for a registered single-page app it does not", async () => {
    const uri = { redirect_uri: "http://127.0.0.1:5999/cb" };
    await authorize(bo, native, uri);
    const page = await bo.open(authorizePath(native, uri));
    expect(page.url).toContain("/consent");
    expect(page.text.toLowerCase()).toMatch(/verify that this is really/);
    const claimed = await bo.open(authorizePath(CLIENTS.localBrowser));
    expect(claimed.url).toContain("/consent");
    expect(claimed.text.toLowerCase()).not.toMatch(/verify that this is really/);
    const silent = await bo.request(authorizePath(native, { ...uri, prompt: "none" }));
    expect(callback(silent).params.get("error")).toMatch(/^(consent_required|interaction_required)$/);
  });
});
