import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openInstallation } from "./installation.ts";
import { startMaintenance } from "./maintenance.ts";
import { prepare } from "./prepare.ts";
import { readSettings } from "./settings/settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-maintenance-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Starts with an SMTP server that greets with `greeting`, and stops. Returns the warnings about it. */
async function warningsOfStart(greeting: string): Promise<object[]> {
  const smtp = createServer((socket) => void socket.on("error", () => {}).end(greeting));
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const address = smtp.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const warnings: object[] = [];
  const log = {
    info() {},
    warn: (fields: object, message: string) => void warnings.push({ ...fields, message }),
    error() {},
  };
  const variables = {
    GATEHOUSE_SMTP_URL: `smtp://mailer:secret-of-smtp@127.0.0.1:${port}`,
    GATEHOUSE_MAIL_FROM: "no-reply@example.com",
  };
  const settings = readSettings(
    { GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: "a secret for the tests, 32 bytes", ...variables },
    folder,
  );
  const installation = await openInstallation(settings, { log });
  await prepare(installation);
  await startMaintenance(installation).stop(0);
  await installation.close();
  smtp.close();
  return warnings;
}

test("EM-01 a start tries the SMTP server, and warns without its password if it takes no mail", async () => {
  const warnings = await warningsOfStart("554 no service here\r\n");
  expect(warnings).toMatchObject([
    { answer: expect.stringContaining("554"), message: expect.stringContaining("GATEHOUSE_SMTP_URL") },
  ]);
  expect(JSON.stringify(warnings)).not.toContain("secret-of-smtp");
});
