import { ACR } from "@gatehouse/guard";
import { describe, expect, test } from "vitest";
import type { Enrolment } from "../store/enrolment.ts";
import { ask, landed, remembered, sealedOf, signIn } from "../testing/authorization.ts";
import type { Scene } from "../testing/index.ts";
import { resumeAuthorization } from "./authorize.ts";

const NONE: Enrolment = { totp: false, securityKey: false, passkey: false };
const ALL_LEVELS = [ACR.email, ACR.password, ACR.mfa, ACR.phr];
const essential = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});

/** A user with a session at `acr`, enrolled for `factors`. */
function world(acr: (typeof ACR)[keyof typeof ACR] = ACR.password, factors: Partial<Enrolment> = {}): Scene {
  const s = remembered();
  s.deps.config = { ...s.deps.config, levels: ALL_LEVELS };
  Object.assign(s.session, { acr });
  s.tables.enrolments.set(s.user.id, { ...NONE, ...factors });
  return s;
}
const contextOf = (s: Scene) => [...s.tables.codes.values()].at(-1)?.context;
const client = (s: Scene, options: object) => s.tables.clients.set("shop-web", { ...s.clients.web, options });

describe("AL-02 acr_values is a wish", () => {
  test.each([
    ["the level is met", ACR.mfa, {}, ACR.mfa],
    ["a higher level is met", ACR.phr, {}, ACR.mfa],
    ["a later value is met, and the earlier one is out of reach", ACR.password, {}, `${ACR.phr} ${ACR.password}`],
    ["it names nothing that we know", ACR.password, {}, "urn:example:loa3"],
  ])("a code at once if %s", async (_, acr, factors, acr_values) => {
    expect(landed(await ask(world(acr, factors), { acr_values }))).toHaveProperty("code");
  });

  test.each([
    ["an authenticator app", { totp: true }, ACR.mfa],
    ["a security key", { securityKey: true }, ACR.mfa],
    ["a passkey", { passkey: true }, ACR.mfa],
    ["a passkey", { passkey: true }, "phr"],
    ["an app, where the first value is out of reach", { totp: true }, `phr ${ACR.mfa}`],
    ["an app, where a lower level is acceptable too", { totp: true }, `${ACR.mfa} ${ACR.password}`],
    ["nothing yet: it is offered", {}, ACR.mfa],
  ])("a user with %s takes a second step (%j for %s)", async (_, factors, acr_values) => {
    const s = world(ACR.password, factors);
    const result = await ask(s, { acr_values });
    const sealed = sealedOf(result, "second_step");
    s.session.acr = ACR.phr; // the step succeeds
    expect(landed(await resumeAuthorization(sealed, s.active, s.deps, s.caller))).toHaveProperty("code");
  });

  test("'Not now' goes on, and the tokens say the actual level", async () => {
    const s = world();
    const sealed = sealedOf(await ask(s, { acr_values: ACR.mfa }), "second_step");
    expect(landed(await resumeAuthorization(sealed, s.active, s.deps, s.caller, { declined: true }))).toHaveProperty(
      "code",
    );
    expect(contextOf(s)).toMatchObject({ acr: ACR.password });
  });

  test("AL-01 the tokens say the requested level that a higher one meets", async () => {
    const s = world(ACR.phr);
    await ask(s, { acr_values: ACR.mfa });
    expect(contextOf(s)).toMatchObject({ acr: ACR.mfa });
  });

  test("MF-06 a mailed code cannot be raised: the user signs in again, and the weaker way then goes on", async () => {
    const s = world(ACR.email, { totp: true });
    const sealed = sealedOf(await ask(s, { acr_values: ACR.mfa }), "sign_in");
    const again = await signIn(s);
    again.session.acr = ACR.email;
    expect(landed(await resumeAuthorization(sealed, again, s.deps, s.caller))).toHaveProperty("code");
  });

  test("with prompt=none it is not asked, and the request goes on", async () => {
    expect(
      landed(await ask(world(ACR.password, { totp: true }), { acr_values: ACR.mfa, prompt: "none" })),
    ).toHaveProperty("code");
  });

  test("MF-11 a client has a default for requests without acr_values", async () => {
    const s = world(ACR.password, { totp: true });
    client(s, { defaultAcrValues: [ACR.mfa] });
    expect((await ask(s)).kind).toBe("second_step");
    expect(landed(await ask(s, { acr_values: ACR.password }))).toHaveProperty("code");
  });
});

describe("AL-02 AL-03 one new sign-in and one second step are enough", () => {
  const forced: [string, Record<string, string>][] = [
    ["prompt=login", { prompt: "login" }],
    ["prompt=select_account", { prompt: "select_account" }],
    ["max_age=0", { max_age: "0" }],
  ];

  test.each(forced)("%s with a wish: the second step after the sign-in leads to a code", async (_, change) => {
    const s = world(ACR.password, { passkey: true });
    const first = sealedOf(await ask(s, { ...change, acr_values: ACR.mfa }), "sign_in");
    s.clock.now += 10;
    const again = await signIn(s);
    const second = sealedOf(await resumeAuthorization(first, again, s.deps, s.caller), "second_step");
    s.clock.now += 10;
    again.session.acr = ACR.mfa; // the step succeeds; the session keeps its id
    expect(landed(await resumeAuthorization(second, again, s.deps, s.caller))).toHaveProperty("code");
  });

  test.each(forced)("%s with a wish: so does 'Not now'", async (_, change) => {
    const s = world();
    const first = sealedOf(await ask(s, { ...change, acr_values: ACR.mfa }), "sign_in");
    s.clock.now += 10;
    const again = await signIn(s);
    const second = sealedOf(await resumeAuthorization(first, again, s.deps, s.caller), "second_step");
    expect(landed(await resumeAuthorization(second, again, s.deps, s.caller, { declined: true }))).toHaveProperty(
      "code",
    );
  });

  test("prompt=login: the session of before does not continue the request, whatever its level", async () => {
    const s = world(ACR.password, { passkey: true });
    const sealed = sealedOf(await ask(s, { prompt: "login", acr_values: ACR.mfa }), "sign_in");
    s.session.acr = ACR.mfa;
    expect((await resumeAuthorization(sealed, s.active, s.deps, s.caller)).kind).toBe("sign_in");
  });
});

describe("N64 AL-02 a required level", () => {
  const demands: [string, object, Record<string, string>][] = [
    ["an essential acr", {}, essential(ACR.mfa)],
    ["require_acr of the client", { requireAcr: ACR.mfa }, {}],
  ];

  test.each(demands)("%s leads to the second step", async (_, options, change) => {
    const s = world(ACR.password, { totp: true });
    client(s, options);
    const sealed = sealedOf(await ask(s, change), "second_step");
    s.session.acr = ACR.mfa;
    expect(landed(await resumeAuthorization(sealed, s.active, s.deps, s.caller))).toHaveProperty("code");
  });

  test.each(demands)(
    "%s: 'Not now' is unmet_authentication_requirements, without a code",
    async (_, options, change) => {
      const s = world();
      client(s, options);
      const sealed = sealedOf(await ask(s, change), "second_step");
      const result = landed(await resumeAuthorization(sealed, s.active, s.deps, s.caller, { declined: true }));
      expect(result).toMatchObject({ error: "unmet_authentication_requirements", state: "s1" });
      expect(s.tables.codes.size).toBe(0);
    },
  );

  test.each(demands)("%s with prompt=none is login_required", async (_, options, change) => {
    const s = world(ACR.password, { totp: true });
    client(s, options);
    expect(landed(await ask(s, { ...change, prompt: "none" }))).toMatchObject({ error: "login_required", state: "s1" });
  });

  test("an essential acr that this server does not offer is an error at once", async () => {
    const s = world();
    s.deps.config = { ...s.deps.config, levels: [ACR.password, ACR.mfa] };
    expect(landed(await ask(s, essential("phr")))).toMatchObject({ error: "unmet_authentication_requirements" });
  });

  test("MF-11 nobody gets in where the client requires a level that this server does not offer", async () => {
    const s = world();
    s.deps.config = { ...s.deps.config, levels: [ACR.password, ACR.mfa] };
    for (const requireAcr of [ACR.phr, "urn:example:loa3"]) {
      client(s, { requireAcr });
      expect(landed(await ask(s))).toMatchObject({ error: "unmet_authentication_requirements" });
    }
    client(s, { requireAcr: ACR.email });
    expect(landed(await ask(s))).toHaveProperty("code");
  });

  test("MF-09 a role that must have a second factor gets no code without it, whatever the request says", async () => {
    const s = world();
    s.user.role = "admin";
    s.deps.config = { ...s.deps.config, secondFactor: { everybody: false, roles: ["admin"] } };
    const sealed = sealedOf(await ask(s, { acr_values: ACR.password }), "second_step");
    expect(landed(await resumeAuthorization(sealed, s.active, s.deps, s.caller, { declined: true }))).toMatchObject({
      error: "unmet_authentication_requirements",
    });
    s.session.acr = ACR.mfa;
    expect(landed(await resumeAuthorization(sealed, s.active, s.deps, s.caller))).toHaveProperty("code");
  });

  test("MF-11 default_max_age of a client asks for a sign-in that is too old", async () => {
    const s = world();
    client(s, { defaultMaxAge: 30 });
    expect((await ask(s)).kind).toBe("sign_in");
    expect(landed(await ask(s, { max_age: "3600" }))).toHaveProperty("code");
  });
});
