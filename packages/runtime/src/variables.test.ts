import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { changedVariables, variablesReader } from "./variables.mjs";

describe("OP-17 variables that are read again", () => {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-variables-"));
  const write = (name: string, text: string) => writeFileSync(join(root, name), text, { mode: 0o600 });
  beforeEach(() => {
    write("pnpm-workspace.yaml", "packages: []\n");
    write(".env", "PORT=4000\nLOG_LEVEL=info\n");
    write("secret", "the first\n");
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test("OP-17 come from the file of now, unless the environment has another value", () => {
    const environment: Record<string, string | undefined> = { LOG_LEVEL: "warn" };
    const read = variablesReader(environment, root);
    expect(read()).toMatchObject({ PORT: "4000", LOG_LEVEL: "warn" });
    write(".env", "LOG_LEVEL=debug\nHOST=::\n");
    const now = read();
    expect(now).toMatchObject({ LOG_LEVEL: "warn", HOST: "::" });
    expect(now["PORT"]).toBeUndefined();
    expect(environment["PORT"]).toBe("4000"); // what this process runs with
  });

  test("OP-17 come from the file of now, also when the process that started this one has read it already", () => {
    const inherited = { PORT: "4000", LOG_LEVEL: "info" };
    const read = variablesReader({ ...inherited }, root);
    write(".env", "PORT=4000\nLOG_LEVEL=debug\n");
    expect(read()).toMatchObject({ PORT: "4000", LOG_LEVEL: "debug" });
  });

  test("OP-17 have the secrets that their files hold now, and one that cannot be read is an error", () => {
    const read = variablesReader({ GATEHOUSE_ENV_FILE: "off", GATEHOUSE_SECRET_FILE: "secret" }, root);
    const before = read();
    write("secret", "the second\n");
    const now = read();
    expect([before["GATEHOUSE_SECRET"], now["GATEHOUSE_SECRET"]]).toEqual(["the first", "the second"]);
    expect(changedVariables(before, now, ["GATEHOUSE_SECRET", "GATEHOUSE_SECRET_FILE"])).toEqual(["GATEHOUSE_SECRET"]);
    write("secret", "");
    expect(read).toThrow(/GATEHOUSE_SECRET_FILE names .* which is empty/);
  });

  test("OP-17 have changed when they were set, set otherwise or left out; empty counts as left out", () => {
    const before = { PORT: "1", HOST: "a", LOG_LEVEL: "" };
    const now = { PORT: "2", DATABASE_URL: "b" };
    const names = ["PORT", "HOST", "LOG_LEVEL", "DATABASE_URL", "ADMIN_PORT"];
    expect(changedVariables(before, now, names)).toEqual(["PORT", "HOST", "DATABASE_URL"]);
    expect(changedVariables(before, now, ["HOST"])).toEqual(["HOST"]);
  });
});
