import { ACR, type Acr } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import { resumeAuthorization } from "../endpoints/authorize.ts";
import { deviceAuthorization } from "../endpoints/device-authorization.ts";
import { UNDATED_AMR } from "../sessions/levels.ts";
import type { ActiveSession } from "../sessions/session.ts";
import {
  ask,
  decideDevice,
  landed,
  type Pairs,
  post,
  type Scene,
  scene,
  sealedOf,
  signIn,
  textAt,
} from "../testing/index.ts";
import { decideConsent } from "./consent.ts";
import { asksForProof, describeLevelStep } from "./level-step.ts";
import { describePendingRequest, restartPath } from "./pending-request.ts";

/** A user whose session is older than a day, at `acr`. */
function world(acr: Acr = ACR.password): Scene {
  const s = scene();
  s.deps.config = { ...s.deps.config, levels: [ACR.email, ACR.password, ACR.mfa, ACR.phr] };
  Object.assign(s.session, { acr, authTime: s.clock.now - 100_000 });
  s.tables.enrolments.set(s.user.id, { totp: true, securityKey: false, passkey: false });
  return s;
}
const everybody = (s: Scene) => {
  s.deps.config = { ...s.deps.config, secondFactor: { everybody: true, roles: [] } };
};
const device = async (s: Scene) => textAt(await post(s, deviceAuthorization, { client_id: "shop-tv" }), "user_code");
const options = (clientId: string, change: object) => (s: Scene) => s.changeClient(clientId, { options: change });

type Change = (s: Scene) => void;
type Lead = "sign_in" | "second_step" | "verify_email";

describe("MF-09 MF-11 whatever grants looks at the session when it grants: a device", () => {
  const lacking: [string, Change, Lead][] = [
    ["a second factor that this server demands", everybody, "second_step"],
    ["a level that the client requires", options("shop-tv", { requireAcr: ACR.mfa }), "second_step"],
    ["a sign-in as recent as the client wants", options("shop-tv", { defaultMaxAge: 3600 }), "sign_in"],
    ["a verified address", options("shop-tv", { requireVerifiedEmail: true }), "verify_email"],
  ];

  test.each(lacking)(
    "without %s it is not approved: the user is led there and back to the device",
    async (_, change, kind) => {
      const s = world();
      const userCode = await device(s);
      change(s);
      const led = await decideDevice(s, userCode);
      expect(led).toEqual({ kind, request: expect.any(String) });
      expect([s.tables.grants.size, s.tables.consents.size]).toEqual([0, 0]);
      const { request } = led as { request: string };
      expect(await describePendingRequest(request, s.deps)).toMatchObject({ clientId: "shop-tv" });
      expect(restartPath(request, s.deps)).toBe(`/device?user_code=${userCode}`);
      expect(await resumeAuthorization(request, s.active, s.deps, s.caller)).toEqual({ kind: "device", userCode });
      expect((await decideDevice(s, userCode, "deny")).kind).toBe("denied");
    },
  );

  test.each(lacking.slice(0, 2))("the page of the second step asks for %s", async (_, change) => {
    const s = world();
    const userCode = await device(s);
    change(s);
    const { request } = (await decideDevice(s, userCode)) as { request: string };
    expect(await describeLevelStep(request, s.active, s.deps)).toMatchObject({
      kind: "second_step",
      level: ACR.mfa,
      required: true,
    });
    s.session.acr = ACR.mfa; // the step succeeds
    expect(await describeLevelStep(request, s.active, s.deps)).toEqual({ kind: "met" });
    expect(await decideDevice(s, userCode)).toEqual({ kind: "approved" });
  });

  test("a new sign-in answers max_age, also one with max_age=0, and a remembered browser does not skip its second step", async () => {
    for (const defaultMaxAge of [0, 3600]) {
      const s = world();
      const userCode = await device(s);
      options("shop-tv", { defaultMaxAge })(s);
      const { request } = (await decideDevice(s, userCode)) as { request: string };
      expect(await asksForProof(request, s.deps)).toBe(true);
      s.clock.now += 30;
      expect(await decideDevice(s, userCode, "allow", await signIn(s))).toEqual({ kind: "approved" });
    }
  });

  test("a mailed code cannot be raised: the user signs in again", async () => {
    const s = world(ACR.email);
    const userCode = await device(s);
    everybody(s);
    expect((await decideDevice(s, userCode)).kind).toBe("sign_in");
  });
});

describe("MF-09 MF-11 whatever grants looks at the session when it grants: a consent page", () => {
  const lacking: [string, Change, Lead][] = [
    ["this server demands a second factor", everybody, "second_step"],
    ["the client requires a level", options("shop-web", { requireAcr: ACR.mfa }), "second_step"],
    [
      "the client requires a level that only higher ones meet",
      options("shop-web", { requireAcr: ACR.upstream }),
      "sign_in",
    ],
    ["the client wants a recent sign-in", options("shop-web", { defaultMaxAge: 3600 }), "sign_in"],
    ["the client requires a verified address", options("shop-web", { requireVerifiedEmail: true }), "verify_email"],
  ];

  test.each(lacking)("when %s while it is open, Allow leads there, and grants nothing", async (what, change, kind) => {
    const s = world(what.includes("only higher") ? ACR.email : ACR.password);
    const sealed = sealedOf(await ask(s), "consent");
    change(s);
    const led = await decideConsent(sealed, "allow", s.active, s.deps, s.caller);
    expect(led.kind).toBe(kind);
    expect([s.tables.codes.size, s.tables.grants.size, s.tables.consents.size]).toEqual([0, 0, 0]);

    s.clock.now += 20;
    const verified: ActiveSession = await signIn(s);
    Object.assign(verified.session, { acr: ACR.mfa });
    verified.user = { ...verified.user, emailVerifiedAt: s.clock.now };
    const again = await resumeAuthorization((led as { request: string }).request, verified, s.deps, s.caller);
    const code = await decideConsent(sealedOf(again, "consent"), "allow", verified, s.deps, s.caller);
    expect(landed(code)).toHaveProperty("code");
  });

  test.each<Pairs>([{ max_age: "0" }, { max_age: "1" }, { prompt: "login" }])(
    "OI-03 a slow reader is not asked to sign in again: %o",
    async (change) => {
      const s = world();
      const asked = sealedOf(await ask(s, change), "sign_in");
      s.clock.now += 5;
      const active = await signIn(s);
      s.clock.now += 300;
      const consent = sealedOf(await resumeAuthorization(asked, active, s.deps, s.caller), "consent");
      s.clock.now += 900;
      expect(landed(await decideConsent(consent, "allow", active, s.deps, s.caller))).toHaveProperty("code");
    },
  );

  test("UP-13 a session that does not know when its user signed in answers no max_age", async () => {
    const s = world();
    s.session.authTime = s.clock.now - 5;
    const sealed = sealedOf(await ask(s, { max_age: "60" }), "consent");
    s.session.amr = ["pwd", UNDATED_AMR];
    expect((await decideConsent(sealed, "allow", s.active, s.deps, s.caller)).kind).toBe("sign_in");
  });
});
