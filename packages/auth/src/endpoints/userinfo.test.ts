import { describe, expect, test } from "vitest";
import { basic, post, read, textAt } from "../testing/requests.ts";
import { type Scene, scene, VERIFIER, WEB_SECRET } from "../testing/scene.ts";
import { jwks } from "./jwks.ts";
import { token } from "./token.ts";
import { userinfo } from "./userinfo.ts";

const URL_ = "https://gate.example/userinfo";

async function accessToken(s: Scene, scope: string): Promise<string> {
  const form = { grant_type: "authorization_code", code: await s.plantCode({ scope }), code_verifier: VERIFIER };
  return textAt(await post(s, token, form, basic("shop-web", WEB_SECRET)), "access_token");
}

const call = async (s: Scene, bearer: string | undefined, method = "GET") =>
  read(
    await userinfo(
      new Request(URL_, { method, headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` } }),
      s.deps,
      s.caller,
    ),
  );

describe("OI-05 the userinfo endpoint", () => {
  test.each([
    ["openid", {}],
    ["openid profile", { name: "Ada" }],
    ["openid email", { email: "ada@example.com", email_verified: false }],
    [
      "openid profile email api:read",
      { name: "Ada", preferred_username: "ada@example.com", email: "ada@example.com", email_verified: false },
    ],
  ])("OI-05 %s", async (scope, claims) => {
    const s = scene();
    const bearer = await accessToken(s, scope);
    for (const method of ["GET", "POST"]) {
      const answer = await call(s, bearer, method);
      expect(answer.body).toEqual({ sub: s.user.id, ...claims });
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("OI-05 the scope profile tells the picture, the language and the time of the last change that the account has, and is silent about an address without the scope email", async () => {
    const s = scene();
    s.user.locale = "de";
    s.tables.profiles.set(s.user.id, { pictureId: "p1", profileChangedAt: s.clock.now - 5 });
    const has = { name: "Ada", locale: "de", picture: "https://gate.example/picture/p1", updated_at: s.clock.now - 5 };
    expect((await call(s, await accessToken(s, "openid profile"))).body).toEqual({ sub: s.user.id, ...has });
    expect((await call(s, await accessToken(s, "openid email"))).body).not.toHaveProperty("picture");
    expect((await call(s, await accessToken(s, "openid email"))).body).not.toHaveProperty("preferred_username");
    expect((await call(s, await accessToken(s, "openid email"))).body).not.toHaveProperty("locale");
  });

  test("OI-05 401 without a token, with an invalid one and with another secret; 403 without the scope openid", async () => {
    const s = scene();
    const bearer = await accessToken(s, "openid");
    expect((await call(s, undefined)).status).toBe(401);
    expect((await call(s, WEB_SECRET)).status).toBe(401);
    const poor = await call(s, await accessToken(s, "profile api:read"));
    expect(poor).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
    s.clock.now += 600;
    expect(await call(s, bearer)).toMatchObject({ status: 401, body: { error: "invalid_token" } });
  });

  test("OI-05 pages of other origins may call it, and other methods are 405", async () => {
    const s = scene();
    expect(await call(s, undefined, "OPTIONS")).toMatchObject({ status: 204 });
    const answer = await call(s, undefined, "DELETE");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  });
});

describe("the JWKS endpoint", () => {
  test("MD-07 MD-08 has keys of every algorithm on the first request, and is cached for less than the notice of a new key", async () => {
    const s = scene();
    const ask = (headers: Record<string, string> = {}, method = "GET") =>
      jwks(new Request("https://gate.example/.well-known/jwks.json", { method, headers }), s.deps, s.caller);
    const answer = await read(await ask());
    const keys = answer.body["keys"] as { alg: string; use: string; d?: string }[];
    expect(keys.map(({ alg }) => alg).sort()).toEqual(["ES256", "EdDSA", "RS256"]);
    expect(keys.every((key) => key.use === "sig" && !("d" in key))).toBe(true);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect((await ask({ "if-none-match": answer.headers.get("etag") ?? "" })).status).toBe(304);
    expect((await ask({}, "POST")).status).toBe(405);
  });
});
