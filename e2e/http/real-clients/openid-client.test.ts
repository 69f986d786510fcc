import * as client from "openid-client";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../../harness/agent.ts";
import { CLIENTS } from "../../harness/fixture.ts";
import { redirectUriOf, signIn } from "../../harness/flow.ts";

const issuer = inject("issuer");
const { web, quietWeb, browser, service, device, pushing, bound } = CLIENTS;
const resource = new URL(`${issuer}/api/resource`);

let nia: Agent;
beforeAll(async () => {
  nia = await signIn(issuer, "openid-client");
});

function discover(clientId: string, secret?: string, authentication?: client.ClientAuth) {
  return client.discovery(
    new URL(issuer),
    clientId,
    secret,
    authentication ?? (secret === undefined ? client.None() : undefined),
    {
      algorithm: "oauth2",
      execute: [client.allowInsecureRequests],
    },
  );
}

/** What the browser does between the client's two steps. */
async function throughBrowser(url: URL): Promise<URL> {
  const page = await nia.open(url.pathname + url.search);
  const end = page.status === 200 ? await nia.submit(page, { button: "Allow" }) : page;
  return new URL(end.headers.get("location") ?? "about:blank");
}

async function codeFlow(config: client.Configuration, redirectUri: string) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "api:read offline_access",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
  });
  return client.authorizationCodeGrant(config, await throughBrowser(url), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
}

describe("openid-client 6", () => {
  test.each<[string, Parameters<typeof discover>, string]>([
    ["a confidential client by its default, post", [web.client_id, web.client_secret], redirectUriOf(web)],
    [
      "a confidential client by Basic",
      [web.client_id, web.client_secret, client.ClientSecretBasic(web.client_secret)],
      redirectUriOf(web),
    ],
    ["a public client", [browser.client_id], redirectUriOf(browser)],
  ])("code with PKCE, the API, refresh, revocation: %s", async (_, [id, secret, authentication], redirectUri) => {
    const config = await discover(id, secret, authentication);
    const tokens = await codeFlow(config, redirectUri);
    expect((await client.fetchProtectedResource(config, tokens.access_token, resource, "GET")).status).toBe(200);

    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(renewed.access_token).not.toBe(tokens.access_token);

    await client.tokenRevocation(config, renewed.refresh_token ?? "");
    await expect(client.fetchProtectedResource(config, renewed.access_token, resource, "GET")).rejects.toThrow();
  });

  test.each([
    [
      "has the name and address of the scopes that were granted",
      web,
      { name: "Test openid-client", email: "openid-client@example.com" },
    ],
    ["has neither, where the client is set to minimal", quietWeb, { name: undefined, email: undefined }],
  ])(
    "OI-01 an application that reads only the id token %s",
    async (_, { client_id, client_secret, redirect_uris }, expected) => {
      const config = await client.discovery(new URL(issuer), client_id, client_secret, undefined, {
        execute: [client.allowInsecureRequests],
      });
      const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()];
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirect_uris[0],
        scope: "openid profile email",
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        nonce,
      });
      const tokens = await client.authorizationCodeGrant(config, await throughBrowser(url), {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
      });
      const claims = tokens.claims();
      expect({ name: claims?.["name"], email: claims?.["email"] }).toEqual(expected);
      for (const claim of Object.keys(claims ?? {})) expect(config.serverMetadata().claims_supported).toContain(claim);
    },
  );

  test("PA-01 PA-05 pushed authorization requests", async () => {
    const config = await discover(pushing.client_id, pushing.client_secret);
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const url = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: redirectUriOf(pushing),
      scope: "api:read offline_access",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
    });
    expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);
    const tokens = await client.authorizationCodeGrant(config, await throughBrowser(url), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect((await client.fetchProtectedResource(config, tokens.access_token, resource, "GET")).status).toBe(200);
  });

  test.each<[string, { client_id: string; client_secret?: string; redirect_uris: readonly string[] }]>([
    ["a confidential client that has to, with our nonces", bound],
    ["a public client that chooses to", browser],
  ])(
    "DP-02 DP-03 DP-04 RT-09 DPoP with PAR, the API and refresh: %s",
    async (_, { client_id: id, client_secret: secret, redirect_uris }) => {
      const config = await discover(id, secret);
      const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
      const verifier = client.randomPKCECodeVerifier();
      const parameters = {
        redirect_uri: redirect_uris[0] ?? "",
        scope: "api:read offline_access",
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      };
      const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
      const tokens = await client.authorizationCodeGrant(
        config,
        await throughBrowser(url),
        { pkceCodeVerifier: verifier },
        undefined,
        {
          DPoP,
        },
      );
      expect(tokens.token_type).toBe("dpop");
      const call = (token: string) =>
        client.fetchProtectedResource(config, token, resource, "GET", null, undefined, { DPoP });
      expect((await call(tokens.access_token)).status).toBe(200);
      const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP });
      expect(renewed.token_type).toBe("dpop");
      expect((await call(renewed.access_token)).status).toBe(200);
    },
  );

  test("client credentials and introspection", async () => {
    const config = await discover(service.client_id, service.client_secret);
    const tokens = await client.clientCredentialsGrant(config, { scope: "api:read" });
    expect((await client.fetchProtectedResource(config, tokens.access_token, resource, "GET")).status).toBe(200);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      client_id: "service",
    });
  });

  test("the device flow: the user decides while the device polls", async () => {
    const config = await discover(device.client_id);
    const started = await client.initiateDeviceAuthorization(config, { scope: "api:read" });
    const complete = new URL(started.verification_uri_complete ?? "");
    let page = await nia.open(complete.pathname + complete.search);
    if (!page.text.includes("Allow")) page = await nia.submit(page, { button: "Continue" });
    await nia.submit(page, { button: "Allow" });
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...started, interval: 1 });
    expect((await client.fetchProtectedResource(config, tokens.access_token, resource, "GET")).status).toBe(200);
  });

  test("it understands an error at the redirect URI", async () => {
    const config = await discover(web.client_id, web.client_secret);
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUriOf(web),
      scope: "admin:all",
      state: "s",
      code_challenge: "a".repeat(43),
      code_challenge_method: "S256",
    });
    const back = await throughBrowser(url);
    await expect(client.authorizationCodeGrant(config, back, { expectedState: "s" })).rejects.toMatchObject({
      error: "invalid_scope",
    });
  });
});
