import { describe, expect, test } from "vitest";
import { deviceAuthorization } from "../endpoints/device-authorization.ts";
import { introspect } from "../endpoints/introspect.ts";
import { token } from "../endpoints/token.ts";
import { basic, decideDevice, NOON, post, type Scene, SERVICE_SECRET, scene, textAt } from "../testing/index.ts";
import { DEVICE_CODE_GRANT } from "./table.ts";

async function started(scope = "api:read") {
  const s = scene();
  const answer = await post(s, deviceAuthorization, { client_id: "shop-tv", scope });
  return { s, deviceCode: textAt(answer, "device_code"), userCode: textAt(answer, "user_code") };
}

const poll = (s: Scene, device_code: string, client_id = "shop-tv") =>
  post(s, token, { grant_type: DEVICE_CODE_GRANT, device_code, client_id });

describe("device_code grant, RFC 8628 §3.4", () => {
  test("DF-07 DF-08 DF-14: pending, then approved, then one response with tokens, then used", async () => {
    const { s, deviceCode, userCode } = await started();
    expect(await poll(s, deviceCode)).toMatchObject({ status: 400, body: { error: "authorization_pending" } });

    expect(await decideDevice(s, userCode, "allow")).toEqual({ kind: "approved" });
    const answer = await poll(s, deviceCode);
    expect(answer).toMatchObject({
      status: 200,
      body: { token_type: "Bearer", scope: "api:read", refresh_token: expect.any(String) },
    });
    const seen = await post(
      s,
      introspect,
      { token: textAt(answer, "access_token") },
      basic("shop-api", SERVICE_SECRET),
    );
    expect(seen.body).toMatchObject({ active: true, sub: "user-ada", client_id: "shop-tv" });
    // A resource that requires a recent sign-in can check this one. RFC 9470 §6.2.
    expect(seen.body).toMatchObject({ auth_time: s.active.session.authTime, acr: expect.any(String), amr: ["pwd"] });
    expect(s.tables.refreshFamilies.values().next().value?.context).not.toHaveProperty("sessionId");

    expect(await poll(s, deviceCode)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(s.tables.refusals.at(-1)?.cause).toBe("device_code_used");
  });

  test("DF-07 N40: each early poll gets slow_down, and later intervals are five seconds longer", async () => {
    const { s, deviceCode } = await started();
    const errors: unknown[] = [];
    for (const at of [0, 4, 13, 23, 30]) {
      s.clock.now = NOON + at;
      errors.push((await poll(s, deviceCode)).body["error"]);
    }
    expect(errors).toEqual(["authorization_pending", "slow_down", "slow_down", "slow_down", "slow_down"]);
    s.clock.now += 25;
    expect((await poll(s, deviceCode)).body["error"]).toBe("authorization_pending");
  });

  test("DF-07: a device that respects the interval never gets slow_down", async () => {
    const { s, deviceCode } = await started();
    for (let turn = 0; turn < 10; turn++) {
      expect((await poll(s, deviceCode)).body["error"]).toBe("authorization_pending");
      s.clock.now += 5;
    }
  });

  test("DF-07: pending polls are not recorded in the ledger", async () => {
    const { s, deviceCode } = await started();
    const answer = await poll(s, deviceCode);
    expect(answer.text).toBe('{"error":"authorization_pending"}');
    expect(s.tables.refusals).toEqual([]);
  });

  test("DF-07 N40: denied", async () => {
    const { s, deviceCode, userCode } = await started();
    expect(await decideDevice(s, userCode, "deny")).toEqual({ kind: "denied" });
    expect(await poll(s, deviceCode)).toMatchObject({ status: 400, body: { error: "access_denied" } });
  });

  test("DF-07 N40: expired, approved or not", async () => {
    const { s, deviceCode, userCode } = await started();
    const other = await started();
    await decideDevice(s, userCode);
    for (const [which, code] of [
      [s, deviceCode],
      [other.s, other.deviceCode],
    ] as const) {
      which.clock.now += 600;
      expect(await poll(which, code)).toMatchObject({ status: 400, body: { error: "expired_token" } });
    }
  });

  test("DF-07 N40: another client learns nothing and spends nothing", async () => {
    const { s, deviceCode, userCode } = await started();
    s.changeClient("shop-cli", { grantTypes: [DEVICE_CODE_GRANT] });
    await decideDevice(s, userCode);
    expect(await poll(s, deviceCode, "shop-cli")).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await poll(s, deviceCode)).status).toBe(200);
  });

  test.each([
    ["unknown", "gdc_guess", "invalid_grant"],
    ["missing", "", "invalid_request"],
  ])("DF-07: %s", async (_, code, error) => {
    expect(await poll(scene(), code)).toMatchObject({ status: 400, body: { error } });
  });

  test("DF-08: of fifty concurrent polls one gets tokens", async () => {
    const { s, deviceCode, userCode } = await started();
    await decideDevice(s, userCode);
    const answers = await Promise.all(Array.from({ length: 50 }, () => poll(s, deviceCode)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body["error"] === "invalid_grant")).toHaveLength(49);
  });

  test("RT-08 SE-15: an app that was disconnected before the next poll gets nothing", async () => {
    const { s, deviceCode, userCode } = await started();
    await decideDevice(s, userCode);
    await s.store.revokeConnectedApp(s.user.id, "shop-tv", s.clock.now);
    expect((await poll(s, deviceCode)).body["error"]).toBe("invalid_grant");
  });
});
