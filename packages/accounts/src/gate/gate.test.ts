import { ACR, CONFIRMED_AMR, type Enrolment, meets, RECOVERY_AMR, UNDATED_AMR } from "@gatehouse/auth";
import { scene } from "@gatehouse/auth/testing";
import { describe, expect, test } from "vitest";
import type { FirstFactor } from "./first-factor.ts";
import { type Passage, passageFor, passGate } from "./gate.ts";
import { proofOfFirst, withFirst, withSecond } from "./proof.ts";

const NOW = 1_800_000_000;
const upstream = (acr: (typeof ACR)[keyof typeof ACR] | null): FirstFactor => ({
  method: "upstream",
  provider: "corp",
  acr,
  amr: [],
  authTime: null,
});
/** Every first factor, and whether it is as strong as both. */
const FIRST: [string, FirstFactor, boolean][] = [
  ["a password", { method: "password" }, false],
  ["a mailed code", { method: "email_code" }, false],
  ["a sign-up", { method: "sign_up" }, false],
  ["an invitation", { method: "invitation" }, false],
  ["a provider", upstream(null), false],
  ["a provider trusted for mfa", upstream(ACR.mfa), true],
  ["a passkey", { method: "passkey", credentialId: "x" }, true],
];
const none: Enrolment = { totp: false, securityKey: false, passkey: false };
const ENROLMENTS: [string, Enrolment][] = [
  ["nothing", none],
  ["an authenticator app", { ...none, totp: true }],
  ["a security key", { ...none, securityKey: true }],
  ["a passkey", { ...none, passkey: true }],
  ["all of them", { totp: true, securityKey: true, passkey: true }],
];

describe.each(FIRST)("N54 MF-01 %s", (_, factor, isBoth) => {
  const proof = proofOfFirst(factor, NOW);

  test.each(ENROLMENTS)("with %s enrolled", (name, enrolment) => {
    expect(meets(proof.acr, ACR.mfa)).toBe(isBoth);
    const ask = (how: { demanded?: boolean; insists?: boolean; remembered?: boolean } = {}) =>
      passageFor({ status: "active", isBoth, enrolment, demanded: false, insists: false, remembered: false, ...how });
    const has = enrolment.totp || enrolment.securityKey;
    expect(ask()).toBe(isBoth || !has ? "session" : "second_step");
    expect(ask({ demanded: true })).toBe(isBoth ? "session" : name === "nothing" ? "enrol" : "second_step");
    expect(ask({ remembered: true })).toBe("session");
    expect(ask({ remembered: true, insists: true })).toBe(ask({ insists: true }));
    expect(ask({ remembered: true, demanded: true })).toBe(ask({ demanded: true }));
  });

  test("MF-01 a disabled account is refused, whatever is enrolled", async () => {
    for (const [, enrolment] of ENROLMENTS)
      for (const deleteAfter of [null, NOW + 60])
        expect(await passageOf({ disabledAt: NOW, deleteAfter }, enrolment)).toEqual(["refused", "refused"]);
  });

  test.each(ENROLMENTS)(
    "MF-01 RG-10 restoring an account takes the second factor that it has: %s",
    async (_, enrolment) => {
      const step = (demanded: boolean) =>
        !isBoth && (enrolment.totp || enrolment.securityKey || (demanded && enrolment.passkey))
          ? "second_step"
          : "restore";
      for (const deleteAfter of [NOW + 60, NOW - 60])
        expect(await passageOf({ disabledAt: null, deleteAfter }, enrolment)).toEqual([step(false), step(true)]);
    },
  );

  /** In a remembered browser: where nobody demands a second factor, and where it is demanded of everybody. */
  async function passageOf(
    state: { disabledAt: number | null; deleteAfter: number | null },
    enrolment: Enrolment,
  ): Promise<Passage[]> {
    const { deps, user, tables } = scene();
    tables.enrolments.set(user.id, enrolment);
    const passages: Passage[] = [];
    for (const everybody of [false, true]) {
      deps.config = { ...deps.config, secondFactor: { everybody, roles: [] } };
      const how = { insists: false, remembered: async () => true };
      passages.push((await passGate({ ...user, ...state }, factor, how, deps)).passage);
    }
    return passages;
  }
});

test("N63 a remembered browser skips nothing when the request asks for a level", () => {
  const question = {
    status: "active" as const,
    isBoth: false,
    enrolment: { ...none, totp: true },
    demanded: false,
    remembered: true,
  };
  expect([passageFor({ ...question, insists: false }), passageFor({ ...question, insists: true })]).toEqual([
    "session",
    "second_step",
  ]);
});

describe("what is proved", () => {
  test("MF-06 a mailed code and another factor stay at the level of mail; a passkey raises it", () => {
    const mail = proofOfFirst({ method: "email_code" }, NOW);
    expect(withSecond(mail, "totp", NOW)).toEqual({ acr: ACR.email, amr: ["email", "otp"], secondAt: NOW });
    expect(withSecond(mail, "passkey", NOW).acr).toBe(ACR.phr);
  });

  test.each([
    ["totp", ACR.mfa, ["pwd", "otp", "mfa"]],
    ["recovery_code", ACR.mfa, ["pwd", "otp", RECOVERY_AMR, "mfa"]],
    ["security_key", ACR.mfa, ["pwd", "pop", "mfa"]],
    ["passkey", ACR.phr, ["pwd", "pop", "user", "mfa"]],
  ] as const)("AL-03 a password and %s: %s", (second, acr, amr) => {
    expect(withSecond(proofOfFirst({ method: "password" }, NOW), second, NOW + 60)).toEqual({
      acr,
      amr,
      secondAt: NOW + 60,
    });
  });

  test("AL-03 UP-13 the time of a trusted provider counts, but never one in the future", () => {
    const of = (authTime: number) =>
      proofOfFirst({ method: "upstream", provider: "corp", acr: null, amr: [], authTime }, NOW).authTime;
    expect([of(NOW - 500), of(NOW + 500)]).toEqual([NOW - 500, NOW]);
  });

  test("UP-13 a provider that does not say when its user signed in is marked, until one that says when or another factor", () => {
    const factor = { method: "upstream", provider: "corp", acr: ACR.mfa, amr: ["mfa"], authTime: null } as const;
    const silent = proofOfFirst({ ...factor, amr: [...factor.amr] }, NOW);
    expect(silent).toMatchObject({ acr: ACR.mfa, amr: ["mfa", UNDATED_AMR], authTime: NOW });
    expect(withSecond(silent, "totp", NOW).amr).toContain(UNDATED_AMR);
    expect(withFirst(silent, { method: "password" }, NOW).amr).toEqual(["mfa", "pwd"]);
    const confirmed = withFirst(silent, { ...factor, amr: [] }, NOW + 60);
    expect(confirmed).toMatchObject({ amr: ["mfa", UNDATED_AMR, CONFIRMED_AMR], authTime: NOW + 60 });
    expect(withFirst(confirmed, { ...factor, amr: [], authTime: NOW }, NOW + 90).amr).toEqual(["mfa"]);
  });
});
