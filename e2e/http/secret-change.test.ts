import { createHmac, hkdfSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { fixture, WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { apply, gatehouse, startWeb } from "../harness/gatehouse.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { createDatabase } from "../harness/run.ts";

const A = inject("env")["GATEHOUSE_SECRET"] ?? "";
const B = "the second secret of the tests, 32 bytes";
const SECRETS = [WEBHOOK_SECRETS.stripe, WEBHOOK_SECRETS.stripePrevious];

/** The console's client secret for this GATEHOUSE_SECRET. */
const consoleSecret = (secret: string) =>
  `gcs_${Buffer.from(hkdfSync("sha256", secret, "", "console client secret", 32)).toString("base64url")}`;

describe("OP-14 another GATEHOUSE_SECRET than the database was sealed with", () => {
  let folder: string;
  let env: (secret: string) => Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-sealed-"));
    const installation = {
      GATEHOUSE_DATA_DIR: folder,
      DATABASE_URL: await createDatabase("sqlite", folder, [fixture()]),
    };
    env = (secret) => ({ ...inject("env"), ...installation, GATEHOUSE_SECRET: secret });
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function whileRunning<Result>(
    secret: string,
    work: (origin: string, server: Running) => Promise<Result>,
  ): Promise<Result> {
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
    const v1 = createHmac("sha256", WEBHOOK_SECRETS.stripe).update(`${t}.${body}`).digest("hex");
    const headers = { "content-type": "application/json", "stripe-signature": `t=${t},v1=${v1}` };
    const answer = await fetch(`${origin}/api/webhooks/stripe`, { method: "POST", headers, body });
    const { reason } = (await answer.json()) as { reason?: string };
    return [answer.status, reason];
  }

  test("the start fails until the secret is accepted; then the console works at once, and webhooks once their secrets are there", async () => {
    // A bare `next start` loads the application with the first request, so it cannot fail at start.
    if (process.env["GATEHOUSE_TEST_MOUNT"] !== "next") {
      const refused = startWeb(env(B), await freePort());
      await expect(refused).rejects.toThrow(
        /ended with 78.*another GATEHOUSE_SECRET.*stripe …6789.*secret accept-new/s,
      );
    }
    expect(await gatehouse(["secret", "accept-new"], env(B))).toMatchObject({ accepted: true });

    await whileRunning(B, async (origin, server) => {
      expect([await answerToConsole(origin, B), await answerToConsole(origin, A)]).toEqual([200, 401]);
      expect(await deliver(origin)).toEqual([503, "secret_unreadable"]);
      // Lines are written in batches
      await expect.poll(() => server.output(), { timeout: 10_000 }).toMatch(/webhook secrets cannot be decrypted/);
      const again = { webhooks: [{ provider: "stripe", secrets: SECRETS }] };
      expect(await apply(again, folder, env(B))).toMatchObject({
        changed: true,
        webhooks: [{ status: "updated", secrets_replaced: 2 }],
      });
      expect(await deliver(origin)).toEqual([200, undefined]);
    });
  });
});
