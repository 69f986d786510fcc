import { createOutbound, createSeal } from "@gatehouse/auth";
import { NOON, seededRandom } from "@gatehouse/auth/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderSettings, SignInProvider } from "./provider.ts";
import { UPSTREAM_ID_TOKEN, upstreamSignOut } from "./sign-out.ts";
import { startUpstreamServer, type UpstreamServer } from "./testing/upstream-server.ts";
import { createUpstream } from "./upstream.ts";

const config = { issuer: "http://localhost:3000", resource: "http://localhost:3000/api" };
const seal = createSeal("0123456789012345678901234567890123456789", seededRandom("sign-out"));
const { fetchBytes } = createOutbound({ allowLoopback: true });
const upstream = createUpstream({
  outbound: { public: fetchBytes, private: fetchBytes },
  seal,
  config,
  now: () => NOON,
});
/** An ID token of this issuer, as far as anybody here reads it. */
const tokenOf = (iss: string) =>
  [{ alg: "none" }, { iss }].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
const sealedOf = (iss: string) => seal.seal(UPSTREAM_ID_TOKEN, `${tokenOf(iss)}.signature`);

let server: UpstreamServer;
let idToken: string;
beforeAll(async () => {
  server = await startUpstreamServer("gate");
  idToken = sealedOf(server.issuer);
});
afterAll(() => server.close());

function signOut(
  settings: ProviderSettings,
  change: Partial<SignInProvider> = {},
  token: string | null | undefined = idToken,
) {
  const row = {
    id: "corp",
    preset: "oidc",
    name: "Corp",
    issuer: server.issuer,
    clientId: "gate",
    secret: null,
    settings,
  } as const;
  const provider: SignInProvider = { ...row, position: 0, enabled: true, createdAt: 0, updatedAt: 0, ...change };
  const people = { listSignInProviders: async () => [provider] };
  return upstreamSignOut({ provider: "corp", idToken: token }, { config, seal, upstream, people });
}

describe("UP-12 signing out at the provider too", () => {
  test("with the ID token as hint, and back to our sign-in page", async () => {
    const found = await signOut({ logout: "id_token_hint" });
    const url = new URL(found?.url ?? "");
    expect([found?.name, url.origin + url.pathname]).toEqual(["Corp", `${server.issuer}/end-session`]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "gate",
      id_token_hint: `${tokenOf(server.issuer)}.signature`,
      post_logout_redirect_uri: "http://localhost:3000/sign-in",
    });
  });

  test("with the client id alone, for a provider that refuses ID tokens", async () => {
    const found = await signOut({ logout: "client_id" }, {}, null);
    expect(new URL(found?.url ?? "").searchParams.has("id_token_hint")).toBe(false);
  });

  test.each<[string, ProviderSettings, Partial<SignInProvider>, string | null | undefined]>([
    ["it is off", {}, {}, undefined],
    [
      "the ID token is of the issuer that the provider had before",
      { logout: "id_token_hint" },
      {},
      sealedOf("https://before.example"),
    ],
    ["what is kept is no ID token", { logout: "id_token_hint" }, {}, seal.seal(UPSTREAM_ID_TOKEN, "the-id-token")],
    ["the session has no ID token", { logout: "id_token_hint" }, {}, null],
    ["the ID token was sealed for something else", { logout: "id_token_hint" }, {}, seal.seal("other", "x")],
    ["the provider is switched off", { logout: "client_id" }, { enabled: false }, undefined],
    ["the provider cannot be reached", { logout: "client_id" }, { issuer: "http://127.0.0.1:1" }, undefined],
  ])("is not offered when %s", async (_, settings, change, token) => {
    expect(await signOut(settings, change, token)).toBeUndefined();
  });
});
