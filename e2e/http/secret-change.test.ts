import { createHmac, hkdfSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { apply, gatehouse, startWeb } from "../harness/gatehouse.ts";
import { freePort, type Running } from "../harness/processes.ts";

const [A, B] = ["the first secret of the tests, 32 bytes", "the second secret of the tests, 32 bytes"];
const WEBHOOK_SECRET = "whsec_only_for_tests_0123456789";
const FIXTURE = { webhooks: [{ provider: "stripe", secrets: [WEBHOOK_SECRET] }] };

/** The console's client secret for this GATEHOUSE_SECRET. */
const consoleSecret = (secret: string) =>
  `gcs_${Buffer.from(hkdfSync("sha256", secret, "", "console client secret", 32)).toString("base64url")}`;

describe("OP-14 another GATEHOUSE_SECRET than the database was sealed with", () => {
  let folder: string;
  let env: (secret: string) => Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-sealed-"));
    const installation = { GATEHOUSE_DATA_DIR: folder, DATABASE_URL: `file:${join(folder, "gatehouse.db")}` };
    env = (secret) => ({ ...inject("env"), ...installation, GATEHOUSE_SECRET: secret });
    await apply(FIXTURE, folder, env(A));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function whileRunning<Result>(secret: string, work: (origin: string, server: Running) => Promise<Result>): Promise<Result> {
    const port = await freePort();
    const server = await startWeb(env(secret), port);
    try {
      return await work(`http://localhost:${port}`, server);
    } finally {
      await server.stop();
    }
  }

  /** The server's response to the console, for each secret that the console was started with. */
  async function answerToConsole(origin: string, secret: string): Promise<number> {
    const authorization = `Basic ${Buffer.from(`gatehouse-console:${consoleSecret(secret)}`).toString("base64")}`;
    const answer = await fetch(`${origin}/revoke`, {
      method: "POST",
      headers: { authorization },
      body: new URLSearchParams({ token: "x" }),
    });
    return answer.status;
  }

  async function deliver(origin: string): Promise<[number, unknown]> {
    const body = JSON.stringify({ id: `evt_${Math.random()}`, type: "invoice.paid" });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac("sha256", WEBHOOK_SECRET).update(`${t}.${body}`).digest("hex");
    const headers = { "content-type": "application/json", "stripe-signature": `t=${t},v1=${v1}` };
    const answer = await fetch(`${origin}/api/webhooks/stripe`, { method: "POST", headers, body });
    const { reason } = (await answer.json()) as { reason?: string };
    return [answer.status, reason];
  }

  const accept = (secret: string) => gatehouse(["secret", "accept-new"], env(secret));

  test("A to B to A: each start fails until the secret is accepted; then the console and webhooks work", async () => {
    await whileRunning(A, async (origin) => {
      expect(await answerToConsole(origin, A)).toBe(200);
      expect(await deliver(origin)).toEqual([200, undefined]);
    });

    // A bare `next start` loads the application with the first request, so it cannot fail at start.
    if (process.env["GATEHOUSE_TEST_MOUNT"] !== "next") {
      const refused = startWeb(env(B), await freePort());
      await expect(refused).rejects.toThrow(/ended with 78.*another GATEHOUSE_SECRET.*stripe …6789.*secret accept-new/s);
      await whileRunning(A, async (origin) => expect(await answerToConsole(origin, A)).toBe(200));
    }

    expect(await accept(B)).toMatchObject({ accepted: true, cannot_be_decrypted: { webhook_secrets: { count: 1 } } });
    await whileRunning(B, async (origin, server) => {
      expect([await answerToConsole(origin, B), await answerToConsole(origin, A)]).toEqual([200, 401]);
      expect(await deliver(origin)).toEqual([503, "secret_unreadable"]);
      await expect.poll(() => server.output(), { timeout: 10_000 }).toMatch(/webhook secrets cannot be decrypted/); // lines are written in batches
      expect(await apply(FIXTURE, folder, env(B))).toMatchObject({ changed: true, webhooks: [{ status: "updated", secrets_replaced: 1 }] });
      expect(await deliver(origin)).toEqual([200, undefined]);
    });

    expect(await accept(A)).toMatchObject({ accepted: true });
    await whileRunning(A, async (origin) => {
      expect([await answerToConsole(origin, A), await answerToConsole(origin, B)]).toEqual([200, 401]);
    });
  }, 120_000);
});
