import { AuthorizationCode, ClientCredentials } from "simple-oauth2";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../../harness/agent.ts";
import { CLIENTS } from "../../harness/fixture.ts";
import { callApi, newProof, redirectUriOf, signIn } from "../../harness/flow.ts";

const issuer = inject("issuer");
const { web, awkwardSecret, service } = CLIENTS;
const auth = { tokenHost: issuer, tokenPath: "/token", revokePath: "/revoke" };

let sim: Agent;
beforeAll(async () => {
  sim = await signIn(issuer, "simple-oauth2");
});

type Confidential = { client_id: string; client_secret: string; redirect_uris: readonly string[] };

async function codeFlow(client: Confidential, authorizationMethod: "header" | "body" = "header") {
  const library = new AuthorizationCode({
    client: { id: client.client_id, secret: client.client_secret },
    auth: { ...auth, authorizePath: "/authorize" },
    options: { authorizationMethod },
  });
  const { verifier, challenge } = newProof();
  const redirect_uri = redirectUriOf(client);
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const { pathname, search } = new URL(library.authorizeURL({ redirect_uri, scope: "api:read", state: "s", ...pkce }));
  const page = await sim.open(pathname + search);
  const end = page.status === 200 ? await sim.submit(page, { button: "Allow" }) : page;
  const code = new URL(end.headers.get("location") ?? "about:blank").searchParams.get("code") ?? "";
  return library.getToken({ code, redirect_uri, code_verifier: verifier } as Parameters<typeof library.getToken>[0]);
}

const opens = async (token: unknown) => (await callApi(issuer, String(token))).status;

describe("simple-oauth2 5", () => {
  test.each<[string, Confidential, "header" | "body"]>([
    ["its secret in the header", web, "header"],
    ["its secret in the body", web, "body"],
    ["interop-6: a secret that needs every kind of escaping", awkwardSecret, "header"],
  ])("signs in with %s, refreshes, and interop-2: revokes all", async (_, client, method) => {
    const first = await codeFlow(client, method);
    expect(await opens(first.token["access_token"])).toBe(200);
    const second = await first.refresh();
    expect(await opens(second.token["access_token"])).toBe(200);
    await second.revokeAll();
    expect(await opens(second.token["access_token"])).toBe(401);
    await expect(second.refresh()).rejects.toThrow();
  });

  test("client credentials", async () => {
    const library = new ClientCredentials({ client: { id: service.client_id, secret: service.client_secret }, auth });
    const { token } = await library.getToken({ scope: "api:read" });
    expect(await opens(token["access_token"])).toBe(200);
  });
});
