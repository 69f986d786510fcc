import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { startWithOwnTls } from "../harness/own-tls.ts";

const TESTSSL = "testssl";
const isThere = spawnSync(TESTSSL, ["--version"]).error === undefined;

/** What a certificate of tests has: nobody issued it, and nobody could revoke it. */
const OF_THE_CERTIFICATE = /^(cert|chain|intermediate|DNS_CAA|OCSP|overall|final|grade|scan)/i;

type Finding = { id: string; severity: string; finding: string };

// Debian: apt-get install testssl.sh
describe.skipIf(!isThere)("OP-95 testssl.sh", () => {
  test("OP-95 finds nothing to mend in the server's own TLS", async () => {
    const server = await startWithOwnTls();
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-testssl-"));
    try {
      const report = join(folder, "report.json");
      const { host } = new URL(server.issuer);
      await promisify(execFile)(
        TESTSSL,
        [
          "--protocols",
          "--std",
          "--fs",
          "--vulnerable",
          "--headers",
          "--quiet",
          "--color",
          "0",
          "--warnings",
          "off",
          "--ip",
          "127.0.0.1",
          "--jsonfile",
          report,
          host,
        ],
        { maxBuffer: 64 * 1024 * 1024 },
      ).catch(() => {}); // its exit code counts what it found
      const findings: Finding[] = JSON.parse(await readFile(report, "utf8"));
      expect(findings.length).toBeGreaterThan(50);
      const wrong = findings.filter(
        ({ id, severity }) =>
          ["LOW", "MEDIUM", "HIGH", "CRITICAL", "FATAL"].includes(severity) && !OF_THE_CERTIFICATE.test(id),
      );
      expect(wrong).toEqual([]);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  }, 600_000);
});
