import { createStats } from "@gatehouse/db/stores/stats/store";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { type Delivery, eventKeyOf } from "@gatehouse/webhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation } from "../../testing/callers.ts";

const received: Delivery = {
  id: "delivery",
  endpoint: "stripe-staging",
  environment: "staging",
  receivedAt: NOON,
  method: "POST",
  outcome: "accepted",
  reason: "accepted",
  status: 200,
  eventType: "invoice.paid",
  eventId: "evt_1",
  secretId: null,
  mode: null,
  skewSeconds: 0,
  headers: {},
  body: Buffer.from("{}"),
  bodyBytes: 2,
  ackMs: 1,
  address: null,
  source: "http",
};

describe.each(engines)("running handlers again, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
    const { db, seal, now } = it.deps;
    await it
      .as("admin")
      .webhookEndpoints.create({ slug: "stripe-staging", provider: "stripe", environment: "staging" });
    const stats = createStats(db, { now, onError: () => {} });
    await createWebhookStore(db, seal, now, stats).acceptDelivery(received, [
      { key: eventKeyOf("evt_1"), id: "evt_1", type: "invoice.paid", objectKey: null, handlers: [] },
    ]);
  });
  afterEach(() => it.close());

  test("CO-56 a run is seen and stopped by its starter and by admins; for everybody else it does not exist", async () => {
    const { rerunId } = await it.as("admin").deliveries.rerun({ id: "delivery" });
    await expect(it.as("developer").deliveries.rerunProgress({ rerunId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(it.as("developer").deliveries.cancelRerun({ rerunId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await it.as("admin").deliveries.rerunProgress({ rerunId })).toMatchObject({ state: "queued", total: 1 });

    const own = await it.as("developer").deliveries.rerun({ id: "delivery" });
    await it.as("admin").deliveries.cancelRerun(own);
    expect(await it.as("developer").deliveries.rerunProgress(own)).toMatchObject({ state: "cancelled" });
    await expect(it.as("developer").deliveries.cancelRerun(own)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("CO-64 starting and stopping a run leave audit rows", async () => {
    const own = await it.as("developer").deliveries.rerun({ id: "delivery" });
    await it.as("developer").deliveries.cancelRerun(own);
    const { db } = it.deps;
    const { tables } = db;
    const rows = await db.select().from(tables.audit).orderBy(tables.audit.id);
    expect(rows.map(({ action, actorId }) => [action, actorId]).slice(1)).toEqual([
      ["webhook.replay", "developer"],
      ["webhook.replay_cancel", "developer"],
    ]);
    expect(rows[1]).toMatchObject({
      objectName: expect.stringMatching(/./),
      environment: expect.stringMatching(/development|staging/),
    });
  });
});
