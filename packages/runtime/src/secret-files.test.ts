import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withSecretFiles } from "./secret-files.mjs";

describe("OP-12 a secret in a file", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "gatehouse-secrets-"));
    writeFileSync(join(root, "pnpm-workspace.yaml"), "packages: []\n");
    writeFileSync(join(root, "secret"), "one line\n\n", { mode: 0o600 });
    writeFileSync(join(root, "url"), "postgres://u:p@db/x\r\n", { mode: 0o640 });
    writeFileSync(join(root, "empty"), "\n", { mode: 0o600 });
    writeFileSync(join(root, "open"), "for everybody", { mode: 0o600 });
    chmodSync(join(root, "open"), 0o644);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test("is read without one newline at its end, and stays out of the environment itself", () => {
    const variables = { GATEHOUSE_SECRET_FILE: "secret", DATABASE_URL_FILE: join(root, "url"), PORT: "3000" };
    expect(withSecretFiles(variables, root)).toEqual({
      ...variables,
      GATEHOUSE_SECRET: "one line\n",
      DATABASE_URL: "postgres://u:p@db/x",
    });
    expect(variables).not.toHaveProperty("GATEHOUSE_SECRET");
  });

  test("is only read for variables that hold a secret", () => {
    const variables = { GATEHOUSE_GEOIP_FILE: "nowhere.mmdb", GATEHOUSE_ISSUER_FILE: "nowhere" };
    expect(withSecretFiles(variables, root)).toEqual(variables);
  });

  test("that cannot count stops the start, with one error for all of them and exit code 78", () => {
    const read = () =>
      withSecretFiles(
        {
          GATEHOUSE_SECRET: "set already",
          GATEHOUSE_SECRET_FILE: "secret",
          DATABASE_URL_FILE: "nowhere",
          DATABASE_DIRECT_URL_FILE: "empty",
          GATEHOUSE_SMTP_URL_FILE: "open",
        },
        root,
      );
    expect(read).toThrow(
      expect.objectContaining({
        exitCode: 78,
        message: [
          "GATEHOUSE_SECRET_FILE must not be set beside GATEHOUSE_SECRET",
          `DATABASE_URL_FILE names ${join(root, "nowhere")}, which does not exist`,
          `DATABASE_DIRECT_URL_FILE names ${join(root, "empty")}, which is empty`,
          `GATEHOUSE_SMTP_URL_FILE names ${join(root, "open")}, which every user of this machine can read: chmod o-r ${join(root, "open")}`,
        ].join("; "),
      }),
    );
  });
});
