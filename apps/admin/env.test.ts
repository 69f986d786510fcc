import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv } from "./env.ts";

const GATEHOUSE_SECRET = "0123456789abcdef0123456789abcdef";
/** What the server registers for this secret; its own test holds the same value. */
const CLIENT_SECRET = "gcs_tOwnvP8ZHjaVjIT_2lsCuMJg2aCdZYs8SEY-EmuMde0";

describe("the console's environment", () => {
  test("derives the client secret that the server registers for the console", () => {
    expect(readEnv({ GATEHOUSE_SECRET }, "/").clientSecret).toBe(CLIENT_SECRET);
  });

  test("reads the generated secret from the data directory when none is set", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-console-"));
    writeFileSync(join(dataDir, "secret"), `${GATEHOUSE_SECRET}\n`);
    expect(readEnv({ GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_SECRET: "" }, "/").clientSecret).toBe(CLIENT_SECRET);
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
