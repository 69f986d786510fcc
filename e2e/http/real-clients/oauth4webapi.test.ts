import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../../harness/agent.ts";
import { CLIENTS } from "../../harness/fixture.ts";
import { redirectUriOf, signIn } from "../../harness/flow.ts";

const issuer = inject("issuer");
const { web, service, device } = CLIENTS;
const http = { [oauth.allowInsecureRequests]: true };
const confidential: oauth.Client = { client_id: web.client_id };
const authentication = oauth.ClientSecretBasic(web.client_secret);

let server: oauth.AuthorizationServer;
let oli: Agent;
beforeAll(async () => {
  const answer = await oauth.discoveryRequest(new URL(issuer), { algorithm: "oauth2", ...http });
  server = await oauth.processDiscoveryResponse(new URL(issuer), answer);
  oli = await signIn(issuer, "oauth4webapi");
});

async function callApi(token: string): Promise<number> {
  const answer = await oauth.protectedResourceRequest(
    token,
    "GET",
    new URL(`${issuer}/api/resource`),
    undefined,
    undefined,
    http,
  );
  return answer.status;
}

/** The browser's part: from the authorization URL to the redirect, parameters validated with state and iss. */
async function authorized(parameters: Record<string, string>): Promise<URLSearchParams> {
  const page = await oli.open(`/authorize?${new URLSearchParams(parameters)}`);
  const end = page.status === 200 ? await oli.submit(page, { button: "Allow" }) : page;
  return oauth.validateAuthResponse(
    server,
    confidential,
    new URL(end.headers.get("location") ?? "about:blank"),
    parameters["state"],
  );
}

async function codeFlow(): Promise<oauth.TokenEndpointResponse> {
  const verifier = oauth.generateRandomCodeVerifier();
  const parameters = {
    client_id: web.client_id,
    response_type: "code",
    redirect_uri: redirectUriOf(web),
    scope: "api:read",
    state: oauth.generateRandomState(),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  const back = await authorized(parameters);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    confidential,
    authentication,
    back,
    redirectUriOf(web),
    verifier,
    http,
  );
  return oauth.processAuthorizationCodeResponse(server, confidential, answer);
}

describe("oauth4webapi 3", () => {
  test("AZ-20 it requires iss, because the metadata promises it", () => {
    expect(server.authorization_response_iss_parameter_supported).toBe(true);
    const foreign = new URLSearchParams({ code: "x", state: "s", iss: "https://evil.example" });
    expect(() => oauth.validateAuthResponse(server, confidential, foreign, "s")).toThrow();
  });

  test("code with PKCE, iss and state validated, then the API, refresh, revocation", async () => {
    const tokens = await codeFlow();
    expect(await callApi(tokens.access_token)).toBe(200);

    const renewing = await oauth.refreshTokenGrantRequest(
      server,
      confidential,
      authentication,
      tokens.refresh_token ?? "",
      http,
    );
    const renewed = await oauth.processRefreshTokenResponse(server, confidential, renewing);
    expect(await callApi(renewed.access_token)).toBe(200);

    const revoking = await oauth.revocationRequest(
      server,
      confidential,
      authentication,
      renewed.refresh_token ?? "",
      http,
    );
    await oauth.processRevocationResponse(revoking);
    await expect(callApi(renewed.access_token)).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
  });

  test.each(["ES256", "Ed25519", "RS256"] as const)(
    "PA-01 DP-01 DP-04 IN-03 pushing, DPoP with %s, the API, introspection",
    async (alg) => {
      const DPoP = oauth.DPoP(confidential, await oauth.generateKeyPair(alg));
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const parameters = {
        response_type: "code",
        redirect_uri: redirectUriOf(web),
        scope: "api:read",
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      };
      const pushing = await oauth.pushedAuthorizationRequest(server, confidential, authentication, parameters, {
        DPoP,
        ...http,
      });
      const { request_uri } = await oauth.processPushedAuthorizationResponse(server, confidential, pushing);
      const page = await oli.open(`/authorize?${new URLSearchParams({ client_id: web.client_id, request_uri })}`);
      const end = page.status === 200 ? await oli.submit(page, { button: "Allow" }) : page;
      const back = oauth.validateAuthResponse(
        server,
        confidential,
        new URL(end.headers.get("location") ?? "about:blank"),
        state,
      );
      const options = { DPoP, ...http };
      const trading = await oauth.authorizationCodeGrantRequest(
        server,
        confidential,
        authentication,
        back,
        redirectUriOf(web),
        verifier,
        options,
      );
      const { access_token, token_type } = await oauth.processAuthorizationCodeResponse(server, confidential, trading);
      expect(token_type).toBe("dpop");
      const answer = await oauth.protectedResourceRequest(
        access_token,
        "GET",
        new URL(`${issuer}/api/resource`),
        undefined,
        undefined,
        options,
      );
      expect(answer.status).toBe(200);
      const looking = await oauth.introspectionRequest(server, confidential, authentication, access_token, http);
      const jkt = await DPoP.calculateThumbprint();
      expect(await oauth.processIntrospectionResponse(server, confidential, looking)).toMatchObject({
        token_type: "DPoP",
        cnf: { jkt },
      });
    },
  );

  test("client credentials and introspection", async () => {
    const machine: oauth.Client = { client_id: service.client_id };
    const asService = oauth.ClientSecretPost(service.client_secret);
    const asking = await oauth.clientCredentialsGrantRequest(server, machine, asService, { scope: "api:read" }, http);
    const { access_token } = await oauth.processClientCredentialsResponse(server, machine, asking);
    expect(await callApi(access_token)).toBe(200);

    const looking = await oauth.introspectionRequest(server, machine, asService, access_token, http);
    expect(await oauth.processIntrospectionResponse(server, machine, looking)).toMatchObject({
      active: true,
      iss: issuer,
    });
  });

  test("the device flow", async () => {
    const tv: oauth.Client = { client_id: device.client_id };
    const starting = await oauth.deviceAuthorizationRequest(server, tv, oauth.None(), { scope: "api:read" }, http);
    const started = await oauth.processDeviceAuthorizationResponse(server, tv, starting);
    const typed = await oli.submit(await oli.open("/device"), {
      fields: { Code: started.user_code },
      button: "Continue",
    });
    await oli.submit(typed, { button: "Allow" });
    const polling = await oauth.deviceCodeGrantRequest(server, tv, oauth.None(), started.device_code, http);
    const { access_token } = await oauth.processDeviceCodeResponse(server, tv, polling);
    expect(await callApi(access_token)).toBe(200);
  });

  test("it understands an error of the token endpoint", async () => {
    const asking = await oauth.refreshTokenGrantRequest(server, confidential, authentication, "garbage", http);
    await expect(oauth.processRefreshTokenResponse(server, confidential, asking)).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });
});
