import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consoleClientSecret, consoleRedirectUri } from "@gatehouse/api/console-client";
import { describe, expect, test } from "vitest";
import { readEnv } from "./env.ts";

const GATEHOUSE_SECRET = "0123456789abcdef0123456789abcdef";

describe("the console's environment", () => {
  test("derives the client secret that the server registers for the console", () => {
    expect(readEnv({ GATEHOUSE_SECRET }, "/").clientSecret).toBe(consoleClientSecret(GATEHOUSE_SECRET));
  });

  test("comes back from sign-in to the redirect URI that the server registers", () => {
    const { adminUrl } = readEnv({ GATEHOUSE_SECRET }, "/");
    expect(`${adminUrl}/auth/callback`).toBe(consoleRedirectUri(adminUrl));
  });

  test("reads the generated secret from the data directory when none is set", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-console-"));
    writeFileSync(join(dataDir, "secret"), `${GATEHOUSE_SECRET}\n`);
    expect(readEnv({ GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_SECRET: "" }, "/").clientSecret).toBe(consoleClientSecret(GATEHOUSE_SECRET));
  });

  test("keeps cookies Secure exactly when it is served over https", () => {
    expect(readEnv({ GATEHOUSE_SECRET }, "/").secure).toBe(false);
    expect(readEnv({ GATEHOUSE_SECRET, GATEHOUSE_ADMIN_URL: "https://console.example.com" }, "/").secure).toBe(true);
  });

  test.each([
    ["a short secret", { GATEHOUSE_SECRET: "short" }, /GATEHOUSE_SECRET/],
    ["an issuer with a slash at the end", { GATEHOUSE_SECRET, GATEHOUSE_ISSUER: "https://id.example.com/" }, /GATEHOUSE_ISSUER/],
    ["no secret at all", { GATEHOUSE_DATA_DIR: "/nonexistent" }, /GATEHOUSE_SECRET is not set/],
  ])("says what is wrong with %s", (_, variables, message) => {
    expect(() => readEnv(variables, "/")).toThrow(message);
  });
});
