import { describe, expect, test } from "vitest";
import type { PresetId, ProviderSettings, SignInProvider } from "../provider.ts";
import { PRESETS } from "./index.ts";

const TENANT = "11111111-2222-3333-4444-555555555555";

function provider(preset: PresetId, settings: ProviderSettings = {}, issuer: string | null = null): SignInProvider {
  const row = {
    id: preset,
    name: preset,
    clientId: "c",
    secret: null,
    position: 0,
    enabled: true,
    createdAt: 0,
    updatedAt: 0,
  };
  return { ...row, preset, settings, issuer };
}

function profileOf(preset: PresetId, claims: object, settings?: ProviderSettings, callback = new URLSearchParams()) {
  const answer = { claims: { iss: "https://up.example", sub: "s", ...claims }, callback, get: async () => ({}) };
  return PRESETS[preset].profileOf(answer, provider(preset, settings));
}

describe("UP-07 which addresses are verified", () => {
  const email = "ada@corp.example";
  test.each<[PresetId, string, object, ProviderSettings, boolean]>([
    ["google", "gmail.com", { email: "ada@gmail.com", email_verified: true }, {}, true],
    ["google", "Gmail.com", { email: "Ada@Gmail.com", email_verified: true }, {}, true],
    ["google", "Workspace", { email, email_verified: true, hd: "corp.example" }, {}, true],
    ["google", "another address", { email, email_verified: true }, {}, false],
    ["google", "not verified", { email: "ada@gmail.com", email_verified: false }, {}, false],
    ["google", "absent", { email: "ada@gmail.com" }, {}, false],
    ["google", "a look-alike domain", { email: "ada@notgmail.com", email_verified: true }, {}, false],
    ["microsoft", "xms_edov", { email, tid: TENANT, oid: "o", xms_edov: true }, { tenants: [TENANT] }, true],
    ["microsoft", 'xms_edov "1"', { email, tid: TENANT, oid: "o", xms_edov: "1" }, { tenants: [TENANT] }, true],
    ["microsoft", "xms_edov false", { email, tid: TENANT, oid: "o", xms_edov: false }, { tenants: [TENANT] }, false],
    [
      "microsoft",
      "email_verified, which it never sends",
      { email, tid: TENANT, oid: "o", email_verified: true },
      { tenants: [TENANT] },
      false,
    ],
    ["apple", "true", { email, email_verified: true }, {}, true],
    ["apple", '"true"', { email, email_verified: "true" }, {}, true],
    ["apple", '"false"', { email, email_verified: "false" }, {}, false],
    ["oidc", "true and trusted", { email, email_verified: true }, { trustEmail: true }, true],
    ["oidc", "true, not trusted", { email, email_verified: true }, {}, false],
    ["oidc", '"true" and trusted (N66)', { email, email_verified: "true" }, { trustEmail: true }, false],
    ["oidc", "absent and trusted (N66)", { email }, { trustEmail: true }, false],
    ["gitlab", "true and trusted", { email, email_verified: true }, { trustEmail: true }, true],
    ["gitlab", "true, not trusted", { email, email_verified: true }, {}, false],
  ])("%s, %s", async (preset, _, claims, settings, verified) => {
    expect((await profileOf(preset, claims, settings)).emailVerified).toBe(verified);
  });

  test.each([
    [
      "primary and verified",
      [
        { email: "a@x.example", primary: false, verified: true },
        { email, primary: true, verified: true },
      ],
      email,
    ],
    ["primary, not verified", [{ email, primary: true, verified: false }], null],
    ["verified, not primary", [{ email, primary: false, verified: true }], null],
    ["not a list", { message: "Not Found" }, null],
  ])("github, %s", async (_, emails, expected) => {
    const user = { id: 42, login: "ada", name: "Ada", email: "typed@victim.example" };
    const get = async (url: string) => (url.endsWith("/emails") ? emails : user);
    const profile = await PRESETS.github.profileOf(
      { claims: {}, callback: new URLSearchParams(), get },
      provider("github"),
    );
    expect(profile).toEqual({
      issuer: "https://github.com/login/oauth",
      subject: "42",
      email: expected,
      emailVerified: expected !== null,
      name: "Ada",
    });
  });
});

describe("UP-06 identities", () => {
  test("microsoft: the person of the tenant (oid), not the app's sub, and never the UPN", async () => {
    const claims = { tid: TENANT, oid: "object", sub: "pairwise", preferred_username: "ada@corp.example" };
    expect(await profileOf("microsoft", claims, { tenants: [TENANT] })).toMatchObject({
      subject: "object",
      email: null,
    });
  });

  test.each([
    ["another tenant", { tid: "99999999-2222-3333-4444-555555555555", oid: "o" }, "tenant_unknown"],
    ["no tenant", { oid: "o" }, "tenant_unknown"],
    ["no oid", { tid: TENANT }, "answer_invalid"],
  ])("microsoft refuses %s", (_, claims, problem) => {
    expect(() => profileOf("microsoft", claims, { tenants: [TENANT] })).toThrow(expect.objectContaining({ problem }));
  });

  test.each([
    [[TENANT], TENANT],
    [[TENANT, "22222222-2222-3333-4444-555555555555"], "organizations"],
    [[TENANT, "9188040d-6c67-4c5b-b112-36a304b66dad"], "common"],
  ])("microsoft: tenants %j use the authority %s", (tenants, authority) => {
    expect(PRESETS.microsoft.issuerOf(provider("microsoft", { tenants }))).toBe(
      `https://login.microsoftonline.com/${authority}/v2.0`,
    );
  });
});

describe("UP-11 apple", () => {
  test.each([
    ['{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"victim@x.example"}', "Ada Lovelace"],
    ['{"name":{"firstName":"Ada"}}', "Ada"],
    ['{"name":null}', null],
    ["not JSON", null],
    ["null", null],
    [`{"name":{"firstName":"${"a".repeat(3000)}"}}`, null],
  ])("reads the name of %s, and nothing else", async (user, name) => {
    const profile = await profileOf(
      "apple",
      { email: "ada@x.example", email_verified: true },
      {},
      new URLSearchParams({ user }),
    );
    expect(profile).toMatchObject({ name, email: "ada@x.example" });
  });
});
