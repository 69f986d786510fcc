import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apply, type Gatehouse, gatehouse, startGatehouse } from "../harness/gatehouse.ts";

const [OLD, NEW] = ["whsec_only_for_tests_old_0123", "whsec_only_for_tests_new_9876"];

const listing = (...secrets: unknown[]) => ({ webhooks: [{ provider: "stripe", secrets }] });

type Listed = { id: string; hint: string; state: string; last_matched_at: string | null };

describe("rotating a webhook secret while the server runs", () => {
  let own: Gatehouse;
  beforeAll(async () => {
    own = await startGatehouse({ engine: "sqlite", fixture: listing(OLD) });
  });
  afterAll(() => own?.stop());

  const list = (...secrets: unknown[]) => apply(listing(...secrets), own.env["GATEHOUSE_DATA_DIR"] ?? "", own.env);
  const listed = async () => (await gatehouse(["webhook-secret", "list"], own.env)) as Listed[];

  async function statusOf(secret: string): Promise<number> {
    const body = JSON.stringify({ id: `evt_${Math.random()}` });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
    const headers = { "content-type": "application/json", "stripe-signature": `t=${t},v1=${v1}` };
    return (await fetch(`${own.issuer}/api/webhooks/stripe`, { method: "POST", headers, body })).status;
  }

  test("a file that omits the old secret ends it for the next delivery, the list shows which one matched, and an admin ends the last", async () => {
    await list(OLD, { secret: NEW, name: "2027" });
    expect([await statusOf(OLD), await statusOf(NEW)]).toEqual([200, 200]);
    await list(NEW);
    expect([await statusOf(OLD), await statusOf(NEW)]).toEqual([400, 200]);
    const byHint = async () => (await listed()).sort((one, other) => one.hint.localeCompare(other.hint));
    await expect.poll(byHint, { timeout: 30_000, interval: 4_000 }).toMatchObject([
      { hint: "0123", state: "ended", last_matched_at: expect.any(String) },
      { hint: "9876", state: "active", name: "2027", last_matched_at: expect.any(String) },
    ]);
    const [, { id }] = (await byHint()) as [Listed, Listed];
    await gatehouse(["webhook-secret", "end", id, "--last"], own.env);
    expect(await statusOf(NEW)).toBe(503); // so that the provider sends it again
  });
});
