import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv } from "./env.ts";

const KEYS = { GATEHOUSE_CONSOLE_CLIENT_SECRET: `gcs_${"s".repeat(43)}`, GATEHOUSE_CONSOLE_COOKIE_KEY: "c".repeat(43) };

describe("the console's configuration", () => {
  test("reads the two keys", () => {
    expect(readEnv(KEYS)).toMatchObject({ clientSecret: `gcs_${"s".repeat(43)}`, cookieSecret: "c".repeat(43) });
  });

  test("requires the two keys and ignores GATEHOUSE_SECRET and the data directory", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-console-"));
    writeFileSync(join(dataDir, "secret"), "0123456789abcdef0123456789abcdef\n");
    const variables = { GATEHOUSE_SECRET: "0123456789abcdef0123456789abcdef", GATEHOUSE_DATA_DIR: dataDir };
    expect(() => readEnv(variables)).toThrow(
      /GATEHOUSE_CONSOLE_CLIENT_SECRET is not set.*GATEHOUSE_CONSOLE_COOKIE_KEY is not set/,
    );
  });

  test("sets Secure on cookies only when served over https", () => {
    expect(readEnv(KEYS).secure).toBe(false);
    expect(readEnv({ ...KEYS, GATEHOUSE_ADMIN_URL: "https://console.example.com" }).secure).toBe(true);
  });

  test.each([
    [
      "a short key",
      { ...KEYS, GATEHOUSE_CONSOLE_COOKIE_KEY: "short" },
      /GATEHOUSE_CONSOLE_COOKIE_KEY must have at least 32/,
    ],
    ["an issuer with a trailing slash", { ...KEYS, GATEHOUSE_ISSUER: "https://id.example.com/" }, /GATEHOUSE_ISSUER/],
    ["a console on plain http", { ...KEYS, GATEHOUSE_ADMIN_URL: "http://console.example" }, /ADMIN_URL must be https/],
    ["an empty key", { ...KEYS, GATEHOUSE_CONSOLE_CLIENT_SECRET: "" }, /GATEHOUSE_CONSOLE_CLIENT_SECRET is not set/],
  ])("reports %s", (_, variables, message) => {
    expect(() => readEnv(variables)).toThrow(message);
  });
});
