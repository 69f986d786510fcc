import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { apply, gatehouse, startWeb } from "../harness/gatehouse.ts";
import { freePort, type Running } from "../harness/processes.ts";

const [OLD, NEW] = ["whsec_only_for_tests_old_0123", "whsec_only_for_tests_new_9876"];

type Listed = { id: string; hint: string; state: string; last_matched_at: string | null };

describe("rotating a webhook secret while the server runs", { timeout: 90_000 }, () => {
  let folder: string;
  let env: Record<string, string>;
  let origin: string;
  let server: Running;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-rotation-"));
    env = { ...inject("env"), GATEHOUSE_DATA_DIR: folder, DATABASE_URL: `file:${join(folder, "gatehouse.db")}` };
    await list(OLD);
    const port = await freePort();
    origin = `http://localhost:${port}`;
    server = await startWeb(env, port);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const list = (...secrets: unknown[]) => apply({ webhooks: [{ provider: "stripe", secrets }] }, folder, env);
  const listed = async () => (await gatehouse(["webhook-secret", "list"], env)) as Listed[];

  async function statusOf(secret: string): Promise<number> {
    const body = JSON.stringify({ id: `evt_${Math.random()}` });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
    const headers = { "content-type": "application/json", "stripe-signature": `t=${t},v1=${v1}` };
    return (await fetch(`${origin}/api/webhooks/stripe`, { method: "POST", headers, body })).status;
  }

  test("a file that omits the old secret ends it for the next delivery, and the list shows which one matched", async () => {
    expect([await statusOf(OLD), await statusOf(NEW)]).toEqual([200, 400]);
    await list(OLD, { secret: NEW, name: "2027" });
    expect([await statusOf(OLD), await statusOf(NEW)]).toEqual([200, 200]);
    await list(NEW);
    expect([await statusOf(OLD), await statusOf(NEW)]).toEqual([400, 200]);
    const byHint = async () => (await listed()).sort((one, other) => one.hint.localeCompare(other.hint));
    await expect.poll(byHint, { timeout: 30_000, interval: 1_000 }).toMatchObject([
      { hint: "0123", state: "ended", last_matched_at: expect.any(String) },
      { hint: "9876", state: "active", name: "2027", last_matched_at: expect.any(String) },
    ]);
  });

  test("a secret that an admin ends fails from the next delivery on", async () => {
    await list(OLD, NEW);
    const { id = "" } = (await listed()).find(({ hint }) => hint === "0123") ?? {};
    await gatehouse(["webhook-secret", "end", id], env);
    expect([await statusOf(OLD), await statusOf(NEW)]).toEqual([400, 200]);
    await expect(list(OLD, NEW)).rejects.toThrow(/webhooks\.0\.secrets\.0: ended at/);
  });
});
