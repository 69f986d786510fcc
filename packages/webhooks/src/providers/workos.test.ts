import { WorkOS } from "@workos-inc/node";
import { describe, expect, test } from "vitest";
import { enabled, NOW, receiver } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";

const SECRET = "workos_test_secret";
const EVENT = { id: "event_1", event: "user.created", data: { id: "user_1" }, created_at: "2026-01-01T00:00:00.000Z" };
const BODY = JSON.stringify(EVENT);

async function deliver(header: string, { body = BODY, now = NOW, secret = SECRET } = {}) {
  const { send, store } = receiver({ workos: enabled(secret) }, { now });
  await send("workos", { body, headers: { "content-type": "application/json", "workos-signature": header } });
  return store.deliveries[0];
}

const headerAt = (timestamp: number) =>
  signedBy("workos", { body: BODY, secret: SECRET, timestamp }).headers["workos-signature"] ?? "";

describe("WorkOS", () => {
  test("the time is in milliseconds, and the type is the event", async () => {
    expect(await deliver(headerAt(NOW - 180))).toMatchObject({
      reason: "accepted",
      skewSeconds: -180,
      eventType: "user.created",
    });
    expect(await deliver(headerAt(NOW - 181))).toMatchObject({ reason: "timestamp_too_old" });
    const seconds = headerAt(NOW).replace(`${NOW}000`, String(NOW));
    expect(await deliver(seconds)).toMatchObject({ reason: "signature_mismatch" });
  });

  test("one of several v1 has to match, with spaces or without", async () => {
    const genuine = headerAt(NOW);
    const other = `v1=${"0".repeat(64)}`;
    for (const header of [
      genuine.replace(",v1", ", v1"),
      `${genuine}, ${other}`,
      genuine.replace(",v1", `,${other},v1`),
    ]) {
      expect(await deliver(header)).toMatchObject({ reason: "accepted" });
    }
  });

  // It verifies parsed JSON, so only bodies that it would write the same way can be compared.
  test.each([
    ["a genuine delivery", {}, true],
    ["an altered body", { body: BODY.replace("user_1", "user_2") }, false],
    ["another secret", { secret: "another_secret" }, false],
  ])(
    "WorkOS's library agrees about %s",
    async (_, { body = BODY, secret = SECRET }: { body?: string; secret?: string }, valid) => {
      const now = Math.floor(Date.now() / 1000);
      const sigHeader = headerAt(now);
      const { webhooks } = new WorkOS("sk_test_unused");
      const verified = webhooks.verifyHeader({ payload: JSON.parse(body), sigHeader, secret });
      expect(await verified.catch(() => false)).toBe(valid);
      expect((await deliver(sigHeader, { body, secret, now }))?.reason).toBe(valid ? "accepted" : "signature_mismatch");
    },
  );
});
