import { describe, expect, test } from "vitest";
import { QUICK_STARTS, type QuickStartClient, type QuickStartName, quickStartsFor } from "./quick-starts.ts";
import {
  assistantText,
  environmentFile,
  type QuickStartValues,
  quickStartValues,
  renderQuickStart,
  secretVariable,
} from "./render.ts";

const NAMES = Object.keys(QUICK_STARTS) as QuickStartName[];
const SHOP: QuickStartValues = {
  issuer: "https://id.example.com",
  clientId: "shop-dev",
  redirectUri: "http://localhost:4321/auth/callback",
  postLogoutRedirectUri: "http://localhost:4321/",
  scopes: ["openid", "email", "api:read"],
  rotation: true,
  environment: "development",
  confidential: true,
  resource: { id: "http://localhost:4100/mcp", scope: "shop:use" },
};
const WEB: QuickStartClient = {
  clientId: "shop-dev",
  environment: "development",
  type: "web",
  grantTypes: ["authorization_code", "refresh_token"],
  redirectUris: ["https://shop.example/auth/callback", "http://localhost:4321/login/callback"],
  postLogoutRedirectUris: ["http://localhost:4321/"],
  scopes: ["openid", "profile", "email", "offline_access", "api:read"],
  options: {},
};
const issuer = { issuer: "https://id.example.com", resource: undefined };
/** With the file that its program reads its settings from. */
const textOf = (name: QuickStartName, values = SHOP) =>
  JSON.stringify([renderQuickStart(name, values), environmentFile(name, values)]);
const valuesOf = (name: QuickStartName, change: Partial<QuickStartClient> = {}) =>
  quickStartValues(name, { ...WEB, ...change }, issuer);

describe.each(NAMES)("CO-21 the quick start %s", (name) => {
  test("has this client's values in place of every placeholder", () => {
    const text = textOf(name);
    expect(text).toContain("https://id.example.com");
    if (name !== "mcp-server") expect(text).toContain("shop-dev");
    expect(text).not.toMatch(/__[A-Z_]+__/);
  });

  test("names the secret by its environment variable, in the text for an assistant too", () => {
    if (QUICK_STARTS[name].secret) expect(textOf(name)).toContain(secretVariable(name));
    expect(assistantText(name, SHOP)).toContain("https://id.example.com");
  });

  test("does not let a value out of its quotes", () => {
    const hostile = '"; rm -rf ~; $(id) `id` \\';
    const text = textOf(name, {
      ...SHOP,
      clientId: hostile,
      redirectUri: `http://localhost:4000/${hostile}`,
      postLogoutRedirectUri: `http://localhost:4000/${hostile}`,
      scopes: [hostile],
    });
    expect(text).not.toContain("rm -rf");
  });
});

test("CO-21 a client without a secret gets no secret to send", () => {
  expect(textOf("curl-code", { ...SHOP, confidential: false })).not.toContain("CLIENT_SECRET");
});

test("CO-21 a quick start requests what it uses: a refresh token only where it renews, no API, and for a service no user", () => {
  expect(valuesOf("python")?.scopes).toEqual(["openid", "profile", "email"]);
  expect(valuesOf("express")?.scopes).toEqual(["openid", "profile", "email", "offline_access"]);
  expect(valuesOf("express", { grantTypes: ["authorization_code"] })?.scopes).toEqual(["openid", "profile", "email"]);
  expect(valuesOf("curl-service")?.scopes).toEqual(["api:read"]);
  expect(valuesOf("curl-code", { scopes: ["offline_access", "api:read"] })?.scopes).toEqual(["api:read"]);
});

test("CO-21 a redirect URI of the developer's machine comes first, and decides path and port", () => {
  const values = valuesOf("nextjs");
  expect(values?.redirectUri).toBe("http://localhost:4321/login/callback");
  const { files, run } = renderQuickStart("nextjs", values ?? SHOP);
  expect(run).toBe("npx next dev -H localhost -p 4321");
  const route = files.find(({ path }) => path.endsWith("route.js"));
  expect(route?.path).toBe("app/login/[...path]/route.js");
  expect(route?.text).toContain('from "../../../auth"');
  expect(textOf("nextjs", values)).toContain('href=\\"/login/sign-in\\"');
});

describe("CO-21 PK-15 a program with the SDK", () => {
  const optionsOf = (change: Partial<QuickStartClient>) =>
    /gatehouse\((.*)\)/.exec(
      renderQuickStart("express", valuesOf("express", change) ?? SHOP).files[0]?.text ?? "",
    )?.[1];
  const INIT: Partial<QuickStartClient> = {
    redirectUris: ["http://localhost:4321/auth/callback"],
    options: { rotateRefreshTokens: false },
  };

  test("needs no options for a client as init registers one, and says how any other differs", () => {
    expect(optionsOf(INIT)).toBe("");
    expect(optionsOf({ ...INIT, options: {} })).toBe("{ rotation: true }");
    const different = { scopes: ["openid", "email"], postLogoutRedirectUris: ["http://localhost:4321/bye"] };
    expect(optionsOf({ ...INIT, ...different, redirectUris: ["http://localhost:4321/api/auth/callback"] })).toBe(
      '{ path: "/api/auth", scope: "openid email", afterSignOut: "/bye" }',
    );
  });

  test("has all four variables in its environment file, complete where the secret is at hand", () => {
    const lines = [
      "GATEHOUSE_ISSUER=https://id.example.com",
      "GATEHOUSE_CLIENT_ID=shop-dev",
      "GATEHOUSE_APP_URL=http://localhost:4321",
    ];
    const text = (secret: string) => `${[...lines, `GATEHOUSE_CLIENT_SECRET=${secret}`].join("\n")}\n`;
    expect(environmentFile("nextjs", SHOP, "gcs_1")).toEqual({ path: ".env.local", text: text("gcs_1") });
    expect(environmentFile("express", SHOP)).toEqual({ path: ".env", text: text("paste-the-client-secret") });
    expect(assistantText("express", SHOP)).toContain(text("paste-the-client-secret"));
  });

  test("is installed from a clone, and never by a name that nobody has published", () => {
    for (const name of ["nextjs", "express"] as const) {
      const commands = renderQuickStart(name, SHOP)
        .install?.split("\n")
        .filter((line) => !line.startsWith("#"));
      expect(commands).toEqual([expect.stringMatching(/^npm install [a-z -]+ \/path\/to\/\S+\.tgz$/)]);
    }
  });
});

test.each([
  ["http://127.0.0.1:4321/auth/callback", "127.0.0.1", "4321"],
  ["http://localhost/auth/callback", "localhost", "80"],
  ["https://shop.example/auth/callback", "localhost", "4000"],
])("CO-21 the program for %s listens at %s, port %s", (redirectUri, host, port) => {
  expect(textOf("express", { ...SHOP, redirectUri })).toContain(`Number(\\"${port}\\"), \\"${host}\\"`);
});

test.each([
  ["nextjs", "http://localhost:4321/callback"],
  ["nextjs", "http://localhost:4321/api/auth/callback/gatehouse"],
  ["nextjs", "http://localhost:4321/_auth/callback"],
  ["express", "http://localhost:4321/auth/callback?from=gatehouse"],
  ["express", "http://shop.internal:4321/auth/callback"],
  ["python", "com.example.shop:/callback"],
] as const)("CO-21 %s cannot receive answers at %s, and is not filled in", (name, redirectUri) => {
  const postLogoutRedirectUris = ["http://localhost:4321/", "http://shop.internal:4321/"];
  expect(valuesOf(name, { redirectUris: [redirectUri], postLogoutRedirectUris })).toBeUndefined();
});

test("CO-21 sign-out returns to a registered address of the program itself; without one the SDK's programs are not filled in", () => {
  const after = (name: QuickStartName, ...postLogoutRedirectUris: string[]) =>
    valuesOf(name, { postLogoutRedirectUris })?.postLogoutRedirectUri;
  expect(after("express", "https://shop.example/", "http://localhost:4321/bye")).toBe("http://localhost:4321/bye");
  expect(after("express", "https://shop.example/")).toBeUndefined();
  expect(after("python", "https://shop.example/")).toBeNull();
  expect(after("nextjs", "http://localhost:4321/bye", "http://localhost:4321/")).toBe("http://localhost:4321/");
  expect(after("nextjs", "http://localhost:4321/bye")).toBeUndefined();
});

test("CO-21 an environment file that a shell reads has no spaces, and a client without a secret has none", () => {
  expect(environmentFile("python", SHOP)?.text).toMatch(/^CLIENT_SECRET=\S+\n$/);
  expect(environmentFile("curl-code", { ...SHOP, confidential: false })).toBeUndefined();
});

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
const CODE = ["authorization_code"];
test.each<[string, Partial<QuickStartClient>, QuickStartName[]]>([
  ["web", {}, ["nextjs", "express", "python", "curl-code"]],
  ["web without openid", { scopes: ["api:read"] }, ["curl-code"]],
  ["web with pushed requests", { options: { requirePushedRequests: true } }, []],
  ["web with a private key", { options: { authentication: "private_key_jwt" } }, []],
  ["web with DPoP", { options: { dpopBound: true } }, []],
  ["browser", { type: "browser", grantTypes: CODE }, ["react"]],
  ["native", { type: "native", grantTypes: CODE }, ["curl-code"]],
  [
    "native with an API",
    { type: "native", grantTypes: CODE, options: { resources: ["http://localhost:4100/mcp"] } },
    ["mcp-server", "curl-code"],
  ],
  ["device", { type: "device", grantTypes: [DEVICE_CODE] }, ["cli"]],
  ["service", { type: "service", grantTypes: ["client_credentials"] }, ["curl-service"]],
  ["service", { type: "service", grantTypes: ["urn:ietf:params:oauth:grant-type:token-exchange"] }, []],
])("CO-21 a %s client gets the quick starts that work with it", (_, change, names) => {
  expect(quickStartsFor({ ...WEB, ...change })).toEqual(names);
});
