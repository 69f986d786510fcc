import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const GATEHOUSE_SECRET = "0123456789abcdef0123456789abcdef";
/** The keys that the server derives from this secret. The server's own test has the same values. */
const KEYS = {
  GATEHOUSE_CONSOLE_CLIENT_SECRET: "gcs_tOwnvP8ZHjaVjIT_2lsCuMJg2aCdZYs8SEY-EmuMde0",
  GATEHOUSE_CONSOLE_COOKIE_KEY: "RE4_3bh30-SbnQ-mnvfUGaa1IMuze_fYc5nMRDgGNg0",
};

/** Calls `consoleEnvironment` in a separate Node process, as the start commands do. */
function consoleEnvironment(variables: Record<string, string>): Record<string, string> {
  const script = `import { consoleEnvironment } from "./console-environment.mjs";
    try { console.log(JSON.stringify(consoleEnvironment(${JSON.stringify(variables)}))); }
    catch (error) { console.log(JSON.stringify({ error: error.message })); }`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    }),
  );
}

describe("the environment of the console's process", () => {
  test("has the keys that the server derives, and no variable that exposes the secret or the database", () => {
    const given = {
      GATEHOUSE_SECRET,
      GATEHOUSE_DATA_DIR: "/var/lib/gatehouse",
      GATEHOUSE_ADMIN_PASSWORD: "correct horse battery",
      DATABASE_URL: "postgres://gatehouse:password@db/gatehouse",
      DATABASE_DIRECT_URL: "postgres://gatehouse:password@db-direct/gatehouse",
      PGPASSWORD: "password",
    };
    const kept = {
      GATEHOUSE_ISSUER: "https://id.example.com",
      GATEHOUSE_ADMIN_URL: "https://console.example.com",
      ADMIN_PORT: "3001",
      PATH: "/bin",
    };
    expect(consoleEnvironment({ ...given, ...kept })).toEqual({ ...kept, ...KEYS });
  });

  test("OP-15 while the secret is changed, cookies of both open, newest first; the server's client has the new one", () => {
    const earlier = "fedcba9876543210fedcba9876543210";
    const before = consoleEnvironment({ GATEHOUSE_SECRET: earlier });
    for (const GATEHOUSE_SECRET_PREVIOUS of [earlier, `\n${earlier}\n`])
      expect(consoleEnvironment({ GATEHOUSE_SECRET, GATEHOUSE_SECRET_PREVIOUS })).toEqual({
        GATEHOUSE_CONSOLE_CLIENT_SECRET: KEYS.GATEHOUSE_CONSOLE_CLIENT_SECRET,
        GATEHOUSE_CONSOLE_COOKIE_KEY: `${KEYS.GATEHOUSE_CONSOLE_COOKIE_KEY},${before["GATEHOUSE_CONSOLE_COOKIE_KEY"]}`,
      });
  });

  test("derives from the secret file of the data directory when GATEHOUSE_SECRET is empty", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-console-"));
    writeFileSync(join(dataDir, "secret"), `${GATEHOUSE_SECRET}\n`);
    expect(consoleEnvironment({ GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_SECRET: "" })).toEqual(KEYS);
  });

  test("uses given keys, so that the console's machine does not need the secret", () => {
    const given = {
      GATEHOUSE_CONSOLE_CLIENT_SECRET: `gcs_${"s".repeat(43)}`,
      GATEHOUSE_CONSOLE_COOKIE_KEY: "c".repeat(43),
    };
    expect(consoleEnvironment(given)).toEqual(given);
  });

  test.each([
    [
      "neither secret nor keys",
      { GATEHOUSE_DATA_DIR: "/nonexistent" },
      /GATEHOUSE_SECRET is not set and \/nonexistent\/secret does not exist/,
    ],
    ["a short secret", { GATEHOUSE_SECRET: "short" }, /GATEHOUSE_SECRET.* must be at least 32 bytes/],
    [
      "a short one that still counts",
      { GATEHOUSE_SECRET: "s".repeat(43), GATEHOUSE_SECRET_PREVIOUS: "short" },
      /GATEHOUSE_SECRET_PREVIOUS must be/,
    ],
    ["one key without the other", { GATEHOUSE_CONSOLE_COOKIE_KEY: "c".repeat(43) }, /set both/],
  ])("reports %s", (_, variables, message) => {
    expect(consoleEnvironment(variables)["error"]).toMatch(message);
  });
});
