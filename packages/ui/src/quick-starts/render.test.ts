import { describe, expect, test } from "vitest";
import { QUICK_STARTS, type QuickStartName, quickStartsFor } from "./quick-starts.ts";
import { assistantText, type QuickStartValues, renderQuickStart } from "./render.ts";

const NAMES = Object.keys(QUICK_STARTS) as QuickStartName[];
const SHOP: QuickStartValues = {
  issuer: "https://id.example.com",
  clientId: "shop-dev",
  redirectUri: "http://localhost:4321/callback",
  scopes: ["openid", "email", "api:read"],
  environment: "development",
  confidential: true,
  resource: { id: "http://localhost:4100/mcp", scope: "shop:use" },
};
const textOf = (name: QuickStartName, values = SHOP) => JSON.stringify(renderQuickStart(name, values));

describe.each(NAMES)("CO-21 the quick start %s", (name) => {
  test("has this client's values in place of every placeholder", () => {
    const text = textOf(name);
    expect(text).toContain("https://id.example.com");
    if (name !== "mcp-server") expect(text).toContain("shop-dev");
    expect(text).not.toMatch(/__[A-Z_]+__/);
  });

  test("names the secret by its environment variable, in the text for an assistant too", () => {
    if (QUICK_STARTS[name].secret) expect(textOf(name)).toContain("CLIENT_SECRET");
    expect(assistantText(name, SHOP)).toContain("https://id.example.com");
  });

  test("does not let a value out of its quotes", () => {
    const hostile = '"; rm -rf ~; $(id) `id` \\';
    const text = textOf(name, {
      ...SHOP,
      clientId: hostile,
      redirectUri: `http://localhost:4000/${hostile}`,
      scopes: [hostile],
    });
    expect(text).not.toContain("rm -rf");
  });
});

test("CO-21 a client without a secret gets no secret to send", () => {
  expect(textOf("curl-code", { ...SHOP, confidential: false })).not.toContain("CLIENT_SECRET");
});

test("CO-21 a service asks for no scope that needs a user", () => {
  expect(textOf("curl-service")).toContain("scope=api:read");
});

test.each([
  ["web", ["authorization_code", "refresh_token"], [], ["nextjs", "express", "python", "curl-code"]],
  ["browser", ["authorization_code"], [], ["react"]],
  ["native", ["authorization_code"], [], ["curl-code"]],
  ["native", ["authorization_code"], ["http://localhost:4100/mcp"], ["mcp-server", "curl-code"]],
  ["device", ["urn:ietf:params:oauth:grant-type:device_code"], [], ["cli"]],
  ["service", ["client_credentials"], [], ["curl-service"]],
  ["service", ["urn:ietf:params:oauth:grant-type:token-exchange"], [], []],
] as const)(
  "CO-21 a %s client with %j gets the quick starts that work with it",
  (type, grantTypes, resources, names) => {
    expect(quickStartsFor({ type, grantTypes, resources })).toEqual(names);
  },
);
