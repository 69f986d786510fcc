import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadEnvFile } from "./env-file.mjs";

describe("the file .env at the root", () => {
  let root: string;
  let app: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "gatehouse-env-"));
    app = join(root, "apps/web");
    mkdirSync(app, { recursive: true });
    writeFileSync(join(root, "pnpm-workspace.yaml"), "packages: []\n");
    writeFileSync(join(root, ".env"), 'PORT=4000 # ours\nGATEHOUSE_ADMIN_PASSWORD="pa$$ #word"\nGATEHOUSE_ISSUER=\n');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("adds what the environment does not say, from whatever folder below it a program starts", () => {
    const variables: Record<string, string | undefined> = { PORT: "3000" };
    expect(loadEnvFile(variables, app)).toBe(join(root, ".env"));
    expect(variables).toMatchObject({ PORT: "3000", GATEHOUSE_ADMIN_PASSWORD: "pa$$ #word", GATEHOUSE_ISSUER: "" });
  });

  test("a variable that is set to nothing hides what the file says", () => {
    const variables: Record<string, string | undefined> = { PORT: "" };
    loadEnvFile(variables, root);
    expect(variables["PORT"]).toBe("");
  });

  test("GATEHOUSE_ENV_FILE names another one, or none", () => {
    writeFileSync(join(root, "staging.env"), "PORT=5000\n");
    const staging: Record<string, string | undefined> = { GATEHOUSE_ENV_FILE: "staging.env" };
    expect([loadEnvFile(staging, app), staging["PORT"]]).toEqual([join(root, "staging.env"), "5000"]);
    const none: Record<string, string | undefined> = { GATEHOUSE_ENV_FILE: "off" };
    expect([loadEnvFile(none, app), none["PORT"]]).toEqual([undefined, undefined]);
    expect(() => loadEnvFile({ GATEHOUSE_ENV_FILE: "nowhere.env" }, app)).toThrow(
      /^GATEHOUSE_ENV_FILE names .*nowhere\.env/,
    );
  });

  test("without a file there is nothing to read; a folder of that name is none", () => {
    mkdirSync(join(app, ".env"));
    writeFileSync(join(app, "pnpm-workspace.yaml"), "packages: []\n");
    expect(loadEnvFile({}, app)).toBeUndefined();
  });
});
