import * as client from "openid-client";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../../harness/agent.ts";
import { CLIENTS } from "../../harness/fixture.ts";
import { redirectUriOf, signIn } from "../../harness/flow.ts";

const issuer = inject("issuer");
const { web, browser, service, device } = CLIENTS;
const resource = new URL(`${issuer}/api/resource`);

let nia: Agent;
beforeAll(async () => {
  nia = await signIn(issuer, "openid-client");
});

function discover(clientId: string, secret?: string, authentication?: client.ClientAuth) {
  return client.discovery(new URL(issuer), clientId, secret, authentication ?? (secret === undefined ? client.None() : undefined), {
    algorithm: "oauth2",
    execute: [client.allowInsecureRequests],
  });
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
  return client.authorizationCodeGrant(config, await throughBrowser(url), { pkceCodeVerifier: verifier, expectedState: state });
}

describe("openid-client 6", () => {
  test.each<[string, Parameters<typeof discover>, string]>([
    ["a confidential client by its default, post", [web.client_id, web.client_secret], redirectUriOf(web)],
    ["a confidential client by Basic", [web.client_id, web.client_secret, client.ClientSecretBasic(web.client_secret)], redirectUriOf(web)],
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

  test("client credentials and introspection", async () => {
    const config = await discover(service.client_id, service.client_secret);
    const tokens = await client.clientCredentialsGrant(config, { scope: "api:read" });
    expect((await client.fetchProtectedResource(config, tokens.access_token, resource, "GET")).status).toBe(200);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true, client_id: "service" });
  });

  test("the device flow: the person decides while the device waits", async () => {
    const config = await discover(device.client_id);
    const started = await client.initiateDeviceAuthorization(config, { scope: "api:read" });
    const complete = new URL(started.verification_uri_complete ?? "");
    let page = await nia.open(complete.pathname + complete.search);
    if (!page.text.includes("Allow")) page = await nia.submit(page, { button: "Continue" });
    await nia.submit(page, { button: "Allow" });
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...started, interval: 1 });
    expect((await client.fetchProtectedResource(config, tokens.access_token, resource, "GET")).status).toBe(200);
  });

  test("an error at the redirect URI is understood", async () => {
    const config = await discover(web.client_id, web.client_secret);
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUriOf(web),
      scope: "admin:all",
      state: "s",
      code_challenge: "a".repeat(43),
      code_challenge_method: "S256",
    });
    const back = await throughBrowser(url);
    await expect(client.authorizationCodeGrant(config, back, { expectedState: "s" })).rejects.toMatchObject({ error: "invalid_scope" });
  });
});
