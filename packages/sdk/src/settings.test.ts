import { describe, expect, test } from "vitest";
import { GatehouseError } from "./error.ts";
import type { GatehouseOptions } from "./options.ts";
import { readApiSettings, readSessionSettings } from "./settings.ts";

const SECRET = "only-for-tests-0123456789-0123456789";
const VARIABLES = {
  GATEHOUSE_ISSUER: "https://id.example.com",
  GATEHOUSE_CLIENT_ID: "shop",
  GATEHOUSE_CLIENT_SECRET: SECRET,
  GATEHOUSE_APP_URL: "https://shop.example.com",
};

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof GatehouseError && error.code === "configuration") return error.message;
    throw error;
  }
  throw new Error("nothing was wrong");
}

describe("settings", () => {
  test("PK-11 four variables are enough", () => {
    expect(readSessionSettings({}, VARIABLES)).toMatchObject({
      issuer: "https://id.example.com",
      clientId: "shop",
      credential: { kind: "secret", secret: SECRET },
      cookieSecrets: [SECRET],
      apps: [{ origin: "https://shop.example.com", basePath: "" }],
      path: "/auth",
      scope: "openid profile email offline_access",
      checkSeconds: 10,
      rotation: false,
      afterSignOut: "/",
    });
  });

  test("PK-11 an API names itself instead of an app URL", () => {
    const { GATEHOUSE_APP_URL: _, ...variables } = VARIABLES;
    const resource = "https://stock.example.com";
    expect(readApiSettings({}, { ...variables, GATEHOUSE_RESOURCE: resource })).toMatchObject({ resource });
    expect(messageOf(() => readApiSettings({}, variables))).toContain("GATEHOUSE_RESOURCE is not set");
  });

  test("PK-11 each variable is also an option, which wins", () => {
    const options: GatehouseOptions = { issuer: "https://other.example", appUrl: "https://shop.example.com/eu" };
    expect(readSessionSettings(options, VARIABLES)).toMatchObject({
      issuer: "https://other.example",
      apps: [{ origin: "https://shop.example.com", basePath: "/eu" }],
    });
  });

  test("PK-11 `new,old` rotates: the new secret authenticates, and both open cookies", () => {
    const old = SECRET.replace("only", "once");
    expect(readSessionSettings({}, { ...VARIABLES, GATEHOUSE_CLIENT_SECRET: `${SECRET}, ${old}` })).toMatchObject({
      credential: { kind: "secret", secret: SECRET },
      cookieSecrets: [SECRET, old],
    });
  });

  test("PK-11 only a client with a key needs a cookie secret", () => {
    const { GATEHOUSE_CLIENT_SECRET: _, ...variables } = VARIABLES;
    const clientKey = { kty: "OKP", crv: "Ed25519", alg: "EdDSA", kid: "1", x: "x", d: "d" };
    expect(messageOf(() => readSessionSettings({ clientKey }, variables))).toContain(
      "GATEHOUSE_COOKIE_SECRET is not set",
    );
    expect(readSessionSettings({ clientKey }, { ...variables, GATEHOUSE_COOKIE_SECRET: SECRET })).toMatchObject({
      credential: { kind: "key", key: clientKey },
      cookieSecrets: [SECRET],
    });
  });

  test("PK-12 one error names everything that is missing, and the fix", () => {
    const message = messageOf(() => readSessionSettings({}, { GATEHOUSE_APP_URL: "" }));
    for (const name of Object.keys(VARIABLES)) expect(message).toContain(`${name} is not set`);
    expect(message).toContain("npx @gatehouse/server init");
    expect(message.match(/is not set/g)).toHaveLength(4);
  });

  test.each([
    ["GATEHOUSE_ISSUER", "id.example.com"],
    ["GATEHOUSE_ISSUER", "https://id.example.com/"],
    ["GATEHOUSE_ISSUER", "http://id.example.com"],
    ["GATEHOUSE_ISSUER", "https://id.example.com?a=1"],
    ["GATEHOUSE_ISSUER", "https://user@id.example.com"],
    ["GATEHOUSE_CLIENT_ID", "my shop"],
    ["GATEHOUSE_CLIENT_SECRET", "short"],
    ["GATEHOUSE_CLIENT_SECRET", `${SECRET},short`],
    ["GATEHOUSE_APP_URL", "https://shop.example.com/"],
    ["GATEHOUSE_APP_URL", "javascript:alert(1)"],
    ["GATEHOUSE_APP_URL", "https://shop.example.com/a/../b"],
  ])("PK-12 %s=%s is rejected by name, without its value", (name, value) => {
    const message = messageOf(() => readSessionSettings({}, { ...VARIABLES, [name]: value }));
    expect(message).toMatch(new RegExp(`- ${name} must`));
    expect(message).not.toContain(SECRET);
  });

  test.each<GatehouseOptions>([
    { path: "auth" },
    { path: "/" },
    { scope: "" },
    { check: -1 },
    { check: 0.5 },
    { check: 61 },
    { afterSignOut: "//evil.example" },
    { afterSignOut: "/\\evil.example" },
    { environment: "preview" as "staging" },
    { appUrls: ["https://shop.example.com", "http://localhost:3000"] },
  ])("PK-12 the option %o is rejected by name", (options) => {
    const [name = ""] = Object.keys(options);
    expect(messageOf(() => readSessionSettings(options, VARIABLES))).toContain(`The option ${name} must`);
  });

  test("PK-12 http is allowed on loopback only", () => {
    for (const issuer of ["http://localhost:3300", "http://127.0.0.1:3300", "http://[::1]:3300"])
      expect(readSessionSettings({ issuer }, VARIABLES).issuer).toBe(issuer);
  });
});
