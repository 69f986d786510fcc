import { describe, expect, test } from "vitest";
import { deviceAuthorization } from "../endpoints/device-authorization.ts";
import {
  decideDevice,
  formRequest,
  NOON,
  post,
  read,
  type Scene,
  scene,
  seededRandom,
  textAt,
} from "../testing/index.ts";
import { findDeviceRequest, generateUserCode, normaliseUserCode } from "./device.ts";

const ask = (s: Scene, change: Record<string, string> = {}) =>
  post(s, deviceAuthorization, { client_id: "shop-tv", ...change });

describe("POST /device_authorization, RFC 8628 §3.1", () => {
  test("DF-02 DF-04: returns both codes and the verification URI", async () => {
    const answer = await ask(scene());
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toEqual({
      device_code: expect.stringMatching(/^gdc_[A-Za-z0-9_-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: "https://gate.example/device",
      verification_uri_complete: `https://gate.example/device?user_code=${answer.body["user_code"]}`,
      expires_in: 600,
      interval: 5,
    });
  });

  test.each([
    ["DF-11 a client without the grant", { client_id: "shop-cli" }, "unauthorized_client"],
    ["a scope it may not have", { scope: "api:write" }, "invalid_scope"],
    ["an unknown scope", { scope: "admin:all" }, "invalid_scope"],
    ["another resource", { resource: "https://other.example" }, "invalid_target"],
  ])("DF-02: rejects %s", async (_, change, error) => {
    expect(await ask(scene(), change)).toMatchObject({ status: 400, body: { error } });
  });

  test.each([
    ["an empty scope, which counts as absent", { scope: "" }],
    ["an unknown parameter", { colour: "red" }],
    ["a standard name it is not registered for", { scope: "openid api:read" }],
  ])("DF-03: accepts %s", async (_, change) => {
    expect((await ask(scene(), change)).status).toBe(200);
  });

  test("DF-03: rejects a repeated parameter", async () => {
    const s = scene();
    const pairs: [string, string][] = [
      ["client_id", "shop-tv"],
      ["scope", "api:read"],
      ["scope", "api:read"],
    ];
    expect(await post(s, deviceAuthorization, pairs)).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
  });

  test("DF-01: GET is 405", async () => {
    const s = scene();
    const answer = await read(
      await deviceAuthorization(new Request("https://gate.example/device_authorization"), s.deps, s.caller),
    );
    expect(answer.status).toBe(405);
  });

  test("DF-06: draws again when a user code is taken, and stores the device code only as a hash", async () => {
    const s = scene();
    const taken = await ask(s);
    const codes = seededRandom("again");
    let draws = 0;
    // the first draw repeats the taken code's letters, the next ones are free
    const random = (length: number) => {
      if (length !== 16) return codes(length);
      const letters = String(taken.body["user_code"]).replace("-", "");
      return draws++ === 0
        ? Uint8Array.from([...letters, ...letters], (letter) => "BCDFGHJKLMNPQRSTVWXZ".indexOf(letter))
        : codes(length);
    };
    const answer = await read(
      await deviceAuthorization(formRequest({ client_id: "shop-tv" }), { ...s.deps, random }, s.caller),
    );
    expect(draws).toBe(2);
    expect(answer.body["user_code"]).not.toBe(taken.body["user_code"]);
    expect(JSON.stringify([...s.tables.deviceCodes.values()])).not.toContain(textAt(answer, "device_code"));
  });
});

describe("user codes, RFC 8628 §6.1", () => {
  test("DF-04: every letter is equally likely", () => {
    const random = seededRandom("letters");
    const count = new Map<string, number>();
    for (let draw = 0; draw < 5000; draw++)
      for (const letter of generateUserCode(random)) count.set(letter, (count.get(letter) ?? 0) + 1);
    expect(count.size).toBe(20);
    // Over five standard deviations
    for (const times of count.values()) expect(Math.abs(times - 2000)).toBeLessThan(250);
  });

  test.each([
    ["BCDF-GHJK", "BCDFGHJK"],
    ["bcdfghjk", "BCDFGHJK"],
    [" bc df-gh jk ", "BCDFGHJK"],
    ["B.C.D.F.G.H.J.K", "BCDFGHJK"],
    ["ＢＣＤＦーｇｈｊｋ", "BCDFGHJK"],
    ["BCDF-GHJ", undefined],
    ["BCDF-GHJKL", undefined],
    ["AEIO-UY01", undefined],
    ["", undefined],
  ])("DF-04: %j is read as %s", (typed, code) => {
    expect(normaliseUserCode(typed)).toBe(code);
  });
});

describe("the device page", () => {
  test("DF-10: shows which client requests what, from where and when", async () => {
    const s = scene();
    const request = formRequest({ client_id: "shop-tv", scope: "api:read" }, { "user-agent": "Tele\u00e9vision/1.0" });
    const answer = await read(await deviceAuthorization(request, s.deps, s.caller));
    const userCode = textAt(answer, "user_code");
    expect(await findDeviceRequest(userCode.toLowerCase().replace("-", " "), s.active, s.deps)).toEqual({
      userCode,
      client: { clientId: "shop-tv", applicationName: "Demo shop", environment: "production", type: "device" },
      scopes: [{ name: "api:read", description: "read your data through the API", resource: null }],
      requestedAddress: "192.0.2.7",
      requestedUserAgent: "Tele\u00e9vision/1.0",
      shown: expect.any(String),
      requestedAt: NOON,
      expiresAt: NOON + 600,
      testRun: false,
    });
  });

  test.each<[string, (s: Scene, userCode: string) => unknown]>([
    ["was decided", (s, code) => decideDevice(s, code, "deny")],
    ["expired", (s) => Object.assign(s.clock, { now: NOON + 600 })],
    ["belongs to a client that was switched off", (s) => s.changeClient("shop-tv", { enabled: false })],
  ])("DF-06: a code that %s can be neither shown nor decided", async (_, change) => {
    const s = scene();
    const userCode = textAt(await ask(s), "user_code");
    await change(s, userCode);
    expect(await findDeviceRequest(userCode, s.active, s.deps)).toBeUndefined();
    expect(await decideDevice(s, userCode)).toEqual({ kind: "gone" });
  });

  test("DF-08: of concurrent decisions one counts, and the grants of the others are revoked", async () => {
    const s = scene();
    const userCode = textAt(await ask(s), "user_code");
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => decideDevice(s, userCode)));
    expect(outcomes.filter(({ kind }) => kind === "approved")).toHaveLength(1);
    expect([...s.tables.grants.values()].filter((grant) => grant.revokedAt === null)).toHaveLength(1);
  });

  test("SE-15: an approved device is among the user's connected apps", async () => {
    const s = scene();
    await decideDevice(s, textAt(await ask(s), "user_code"));
    expect(await s.store.listConnectedApps(s.user.id, NOON)).toMatchObject([
      { clients: [{ clientId: "shop-tv" }], scope: "api:read" },
    ]);
  });
});

test("RG-06 a device whose client requires a verified address is approved only once the user has verified it", async () => {
  const s = scene();
  const userCode = textAt(await ask(s), "user_code");
  const client = s.tables.clients.get("shop-tv");
  if (!client) throw new Error("no such client");
  s.tables.clients.set("shop-tv", { ...client, options: { ...client.options, requireVerifiedEmail: true } });
  expect(await decideDevice(s, userCode)).toMatchObject({ kind: "verify_email" });
  const verified = { ...s.active, user: { ...s.user, emailVerifiedAt: s.clock.now } };
  expect(await decideDevice(s, userCode, "allow", verified)).toEqual({ kind: "approved" });
});
