import { describe, expect, test } from "vitest";
import { requireBearer } from "../guard/bearer.ts";
import { basic, post, read, type Scene, scene, textAt, VERIFIER, WEB_SECRET } from "../testing/index.ts";
import { introspect } from "./introspect.ts";
import { revoke } from "./revoke.ts";
import { token } from "./token.ts";

const AUTH = basic("shop-web", WEB_SECRET);

async function signedIn() {
  const s = scene();
  const answer = await post(
    s,
    token,
    { grant_type: "authorization_code", code: await s.plantCode(), code_verifier: VERIFIER },
    AUTH,
  );
  return { s, access: textAt(answer, "access_token"), refresh: textAt(answer, "refresh_token") };
}

const isActive = async (s: Scene, secret: string) =>
  (await post(s, introspect, { token: secret }, AUTH)).body["active"];

describe("POST /revoke, RFC 7009", () => {
  test.each(["refresh_token", "access_token", "nonsense", ""])(
    "RV-01 RV-04 RV-06: a refresh token, hinted as %j, takes its access tokens along",
    async (hint) => {
      const { s, access, refresh } = await signedIn();
      const answer = await post(s, revoke, { token: refresh, token_type_hint: hint }, AUTH);
      expect(answer).toMatchObject({ status: 200, text: "{}" });
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(await isActive(s, refresh)).toBe(false);
      expect(await isActive(s, access)).toBe(false);
      const request = new Request("https://gate.example/api/resource", {
        headers: { authorization: `Bearer ${access}` },
      });
      expect(await requireBearer(request, { scope: "api:read" }, s.deps, s.caller)).toMatchObject({
        ok: false,
        response: { status: 401 },
      });
      const again = await post(s, token, { grant_type: "refresh_token", refresh_token: refresh }, AUTH);
      expect(again.body["error"]).toBe("invalid_grant");
    },
  );

  test.each(["refresh_token", "access_token"])(
    "RV-04: an access token, hinted as %s, is revoked alone",
    async (hint) => {
      const { s, access, refresh } = await signedIn();
      expect((await post(s, revoke, { token: access, token_type_hint: hint }, AUTH)).status).toBe(200);
      expect(await isActive(s, access)).toBe(false);
      expect(await isActive(s, refresh)).toBe(true);
    },
  );

  test("RV-04: a rotated refresh token still revokes the grant", async () => {
    const { s, refresh } = await signedIn();
    const successor = textAt(
      await post(s, token, { grant_type: "refresh_token", refresh_token: refresh }, AUTH),
      "refresh_token",
    );
    await post(s, revoke, { token: refresh }, AUTH);
    expect(await isActive(s, successor)).toBe(false);
  });

  test.each(["garbage", "gat_unknown", "grt_unknown", "\u00e9"])("RV-03: %s counts as revoked", async (secret) => {
    expect((await post(scene(), revoke, { token: secret }, AUTH)).status).toBe(200);
  });

  test("RV-03: revoking twice, or an expired token, succeeds", async () => {
    const { s, access } = await signedIn();
    s.clock.now += 601;
    for (let turn = 0; turn < 2; turn++) expect((await post(s, revoke, { token: access }, AUTH)).status).toBe(200);
  });

  test("RV-05 CF-21: another client's token is rejected and stays valid", async () => {
    const { s, access, refresh } = await signedIn();
    for (const secret of [access, refresh]) {
      const answer = await post(s, revoke, { token: secret }, basic("other-web", WEB_SECRET));
      expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
      expect(await isActive(s, secret)).toBe(true);
    }
  });

  test("RV-01: a missing token is an invalid request", async () => {
    expect(await post(scene(), revoke, {}, AUTH)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });

  test("RV-02: a public client identifies itself by client_id", async () => {
    const s = scene();
    const code = await s.plantCode({ client: s.clients.browser });
    const answer = await post(s, token, {
      grant_type: "authorization_code",
      code,
      code_verifier: VERIFIER,
      client_id: "shop-spa",
    });
    expect((await post(s, revoke, { token: textAt(answer, "refresh_token"), client_id: "shop-spa" })).status).toBe(200);
    expect([...s.tables.grants.values()][0]).toMatchObject({ revokedReason: "revoked by the client" });
  });

  test("RV-07: GET is 405, and any origin may call it", async () => {
    const s = scene();
    const get = await read(await revoke(new Request("https://gate.example/revoke"), s.deps, s.caller));
    expect(get.status).toBe(405);
    expect(get.headers.get("access-control-allow-origin")).toBe("*");
    expect(
      (await revoke(new Request("https://gate.example/revoke", { method: "OPTIONS" }), s.deps, s.caller)).status,
    ).toBe(204);
  });
});
