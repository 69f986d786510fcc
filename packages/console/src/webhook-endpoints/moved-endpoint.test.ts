import { createStats } from "@gatehouse/db/stores/stats/store";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { type Delivery, deliveryIdsFrom, eventKeyOf } from "@gatehouse/webhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bodiesFor, createDeliveryStreams } from "../deliveries/stream/stream.ts";
import { type Installation, NOON, openInstallation } from "../testing/callers.ts";

const endpoint = "shop";
const ID = `${deliveryIdsFrom(NOON)}-7000-8000-000000000001`;

/** An accepted delivery of an endpoint that is moved afterwards. */
describe.each(engines)(
  "CO-02 CO-53 the environment of a delivery is the one that it arrived in, on $name",
  (engine) => {
    let it: Installation;
    beforeEach(async () => {
      it = await openInstallation(engine);
    });
    afterEach(() => it.close());

    const developer = () => it.as("developer").deliveries;
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => "OK",
        (error: { code?: string }) => error.code,
      );

    async function receiveThenMove(environment: "production" | "development", to: "production" | "development") {
      const { db, seal, now } = it.deps;
      const endpoints = it.as("admin").webhookEndpoints;
      const { version } = await endpoints.create({ slug: endpoint, provider: "stripe", environment });
      const stats = createStats(db, { now, onError: (error) => expect.unreachable(String(error)) });
      const delivery: Delivery = {
        id: ID,
        endpoint,
        environment,
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
        body: Buffer.from('{"id":"evt_1"}'),
        bodyBytes: 14,
        ackMs: 1,
        address: null,
        source: "http",
      };
      const event = { key: eventKeyOf("id:evt_1"), id: "evt_1", type: "invoice.paid", objectKey: null, handlers: [] };
      await createWebhookStore(db, seal, now, stats).acceptDelivery(delivery, [event]);
      await stats.stop();
      await endpoints.update({ slug: endpoint, environment: to, version });
    }

    /** Whether a developer's stream has the body. */
    async function streamsBody() {
      const { reads, now } = it.deps;
      const streams = createDeliveryStreams({ reads, now, onError: (error) => expect.unreachable(String(error)) });
      const { revealed } = bodiesFor({ role: "developer", freshSince: NOON }, NOON);
      const stream = await streams.open({ userId: "developer", filter: {}, revealed, lastId: ID });
      const first = await stream?.deliveries.next();
      streams.close();
      return [first?.value?.environment, first?.value?.body !== null];
    }

    test("what production received stays production's when its endpoint moves to development", async () => {
      await receiveThenMove("production", "development");
      expect(await developer().get({ id: ID })).toMatchObject({
        environment: "production",
        payload: { view: "masked", canReveal: false, deletion: { allowed: false } },
        rerun: { allowed: false },
      });
      for (const name of ["reveal", "curl", "deletePayload", "rerun"] as const)
        expect([name, await codeOf(developer()[name]({ id: ID }))]).toEqual([name, "FORBIDDEN"]);
      const { ticket } = await developer().export({ contents: true });
      expect((await developer().exportPage({ ticket, cursor: null })).items).toMatchObject([
        { environment: "production", payload: null },
      ]);
      expect(await streamsBody()).toEqual(["production", false]);
      expect((await developer().list({ environment: "development" })).items).toEqual([]);
      expect((await developer().list({ environment: "production" })).items).toMatchObject([{ id: ID }]);
      const accepted = async (environment: "production" | "development") =>
        (await developer().stats({ range: "24h", environment })).endpoints.map((row) => row.accepted);
      expect([await accepted("production"), await accepted("development")]).toEqual([[1], []]);

      await it.as("admin").deliveries.reveal({ id: ID });
      const { db } = it.deps;
      const { tables } = db;
      const rows = await db.select().from(tables.audit);
      expect(rows.find(({ action }) => action === "webhook.reveal")).toMatchObject({
        actorId: "admin",
        environment: "production",
      });
    });

    test("what development received stays development's when its endpoint moves to production", async () => {
      await receiveThenMove("development", "production");
      expect(await developer().get({ id: ID })).toMatchObject({
        environment: "development",
        payload: { view: "shown" },
        rerun: { allowed: true },
      });
      expect(await codeOf(developer().rerun({ id: ID }))).toBe("OK");
      expect(await streamsBody()).toEqual(["development", true]);
      expect((await developer().list({ environment: "development" })).items).toMatchObject([{ id: ID }]);
      expect((await developer().list({ environment: "production" })).items).toEqual([]);
    });

    test("CO-56 a probe of the doctor cannot be run again", async () => {
      await receiveThenMove("development", "development");
      const { db } = it.deps;
      const { tables } = db;
      await db.update(tables.webhookDeliveries).set({ source: "probe" });
      expect((await developer().get({ id: ID })).rerun).toMatchObject({
        allowed: false,
        reason: expect.stringContaining("probe"),
      });
      expect(await codeOf(developer().rerun({ id: ID }))).toBe("CONFLICT");
    });
  },
);
