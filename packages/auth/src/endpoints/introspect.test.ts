import { describe, expect, test } from "vitest";
import { storageHash } from "../crypto/secret.ts";
import {
  basic,
  NOON,
  post,
  read,
  type Scene,
  SERVICE_SECRET,
  scene,
  textAt,
  VERIFIER,
  WEB_SECRET,
} from "../testing/index.ts";
import { introspect } from "./introspect.ts";
import { token } from "./token.ts";

const OWNER = basic("shop-web", WEB_SECRET);
const OTHER = basic("other-web", WEB_SECRET);
const WORKER = basic("shop-worker", SERVICE_SECRET);
const RESOURCE_SERVER = basic("shop-api", SERVICE_SECRET);

async function signedIn() {
  const s = scene();
  const answer = await post(
    s,
    token,
    { grant_type: "authorization_code", code: await s.plantCode(), code_verifier: VERIFIER },
    OWNER,
  );
  return { s, access: textAt(answer, "access_token"), refresh: textAt(answer, "refresh_token") };
}

const ask = (s: Scene, secret: string, headers: Record<string, string>) =>
  post(s, introspect, { token: secret }, headers);

describe("POST /introspect, RFC 7662", () => {
  test("IN-03: reports an active access token to its own client", async () => {
    const { s, access } = await signedIn();
    const answer = await ask(s, access, OWNER);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      active: true,
      scope: "api:read api:write",
      client_id: "shop-web",
      token_type: "Bearer",
      exp: NOON + 600,
      iat: NOON,
      sub: "user-ada",
      aud: "https://gate.example/api",
      iss: "https://gate.example",
      jti: expect.any(String),
      environment: "production",
    });
  });

  test.each([
    ["openid api:read", undefined],
    ["openid profile api:read", undefined],
    ["openid email api:read", "ada@example.com"],
  ])(
    "IN-03: with the scope %s, neither a resource server nor its client is told more of the user than the user allowed",
    async (scope, username) => {
      const { s, access } = await signedIn();
      const row = s.tables.accessTokens.get(storageHash(access));
      if (row) s.tables.accessTokens.set(row.hash, { ...row, scope });
      for (const headers of [OWNER, RESOURCE_SERVER])
        expect((await ask(s, access, headers)).body["username"]).toBe(username);
    },
  );

  test.each<[string, "access" | "refresh", Record<string, string>, boolean]>([
    ["its client, an access token", "access", OWNER, true],
    ["its client, a refresh token", "refresh", OWNER, true],
    ["another client, an access token", "access", OTHER, false],
    ["another client, a refresh token", "refresh", OTHER, false],
    ["a service that is no resource server", "access", WORKER, false],
    ["a resource server, an access token for our API", "access", RESOURCE_SERVER, true],
    ["a resource server, a refresh token", "refresh", RESOURCE_SERVER, false],
  ])("IN-05: %s", async (_, kind, headers, visible) => {
    const held = await signedIn();
    const answer = await ask(held.s, held[kind], headers);
    expect(answer.body["active"]).toBe(visible);
    if (!visible) expect(answer.text).toBe('{"active":false}');
  });

  test("IN-05: a resource server does not see tokens for another resource", async () => {
    const { s, access } = await signedIn();
    const row = s.tables.accessTokens.get(storageHash(access));
    if (row) s.tables.accessTokens.set(row.hash, { ...row, audience: "https://other.example" });
    expect((await ask(s, access, RESOURCE_SERVER)).text).toBe('{"active":false}');
  });

  test.each<[string, (s: Scene) => void]>([
    ["expired", (s) => Object.assign(s.clock, { now: NOON + 40 * 86_400 })],
    ["its grant revoked", (s) => void s.store.revokeConnectedApp(s.user.id, "shop-web", NOON)],
    ["its user disabled", (s) => void s.tables.users.set(s.user.id, { ...s.user, disabledAt: NOON })],
    ["its client switched off", (s) => s.changeClient("shop-web", { enabled: false })],
  ])("IN-02: %s, it is inactive, without further members", async (_, change) => {
    const { s, access, refresh } = await signedIn();
    change(s);
    expect((await ask(s, access, RESOURCE_SERVER)).text).toBe('{"active":false}');
    if (s.tables.clients.get("shop-web")?.enabled) expect((await ask(s, refresh, OWNER)).text).toBe('{"active":false}');
  });

  test("IN-02: a rotated refresh token is inactive", async () => {
    const { s, refresh } = await signedIn();
    await post(s, token, { grant_type: "refresh_token", refresh_token: refresh }, OWNER);
    expect((await ask(s, refresh, OWNER)).text).toBe('{"active":false}');
  });

  test.each(["garbage", "gat_x", "grt_x", "gac_x"])("IN-02: %s is inactive", async (secret) => {
    expect(await ask(scene(), secret, OWNER)).toMatchObject({ status: 200, text: '{"active":false}' });
  });

  test("IN-01: rejects a public client", async () => {
    expect(await post(scene(), introspect, { token: "x", client_id: "shop-spa" })).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
  });

  test("IN-04: a missing token is an invalid request", async () => {
    expect(await post(scene(), introspect, {}, OWNER)).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
  });

  test("IN-01 BB-04: GET is 405, and no other origin may read the response", async () => {
    const s = scene();
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await read(
        await introspect(new Request("https://gate.example/introspect", { method }), s.deps, s.caller),
      );
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("POST");
      expect(answer.headers.has("access-control-allow-origin")).toBe(false);
    }
    expect((await ask(s, "x", OWNER)).headers.has("access-control-allow-origin")).toBe(false);
  });
});
