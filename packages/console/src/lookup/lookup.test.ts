import { maintainKeys, OAuthError, recordRefusal } from "@gatehouse/auth";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { deliveryIdsFrom, eventKeyOf } from "@gatehouse/webhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealAuditLog } from "../audit/sealer.ts";
import { type Installation, NOON, openInstallation, seedApplication } from "../testing/installation.ts";
import { lookUp } from "./lookup.ts";

describe.each(engines)("looking up a pasted id, on $name", (engine) => {
  let it: Installation;
  let client: Awaited<ReturnType<typeof seedApplication>>;
  let errorId: string;
  beforeAll(async () => {
    it = await openInstallation(engine);
    client = await seedApplication(it.deps);
    const error = new OAuthError("invalid_client", "secret_wrong", "no secret matches");
    errorId = await recordRefusal(error, { endpoint: "/token", clientId: client.clientId }, it.deps, {
      address: "192.0.2.1",
    });
  });
  afterAll(() => it.close());

  test("CO-04 finds users by id and by email address, in any case", async () => {
    const user = { kind: "user", id: "viewer", name: "viewer" };
    expect(await lookUp("viewer", it.deps)).toEqual([user]);
    expect(await lookUp("Viewer@Example.com", it.deps)).toEqual([user]);
  });

  test("CO-04 finds clients, applications, and failures in any spelling", async () => {
    const { applicationId, clientId } = client;
    const found = {
      kind: "client",
      id: clientId,
      name: "Shop",
      applicationId,
      clientName: "Main",
      environment: "development",
    };
    expect(await lookUp(clientId, it.deps)).toEqual([found]);
    expect(await lookUp(applicationId, it.deps)).toEqual([{ kind: "application", id: applicationId, name: "Shop" }]);
    expect(await lookUp(errorId.toLowerCase(), it.deps)).toMatchObject([{ kind: "failure", id: errorId }]);
  });

  test("CO-04 finds a row of the audit log by its number", async () => {
    await sealAuditLog(it.deps);
    expect(await lookUp("1", it.deps)).toMatchObject([{ kind: "audit", id: "1" }]);
    for (const number of ["0", "01", "999999", "9".repeat(30)]) expect(await lookUp(number, it.deps)).toEqual([]);
  });

  test("CO-04 finds deliveries and events by id, also an event that is stored under another key", async () => {
    const { db, seal } = it.deps;
    const store = createWebhookStore(db, seal);
    const events = [
      ["evt_1", "id:evt_1"],
      ["evt_2", "body:2"],
    ] as const;
    for (const [at, [eventId, key]] of events.entries()) {
      const id = `${deliveryIdsFrom(NOON + at)}-7000-8000-${at}`;
      await store.acceptDelivery(
        {
          id,
          endpoint: "stripe",
          environment: "production",
          receivedAt: NOON + at,
          method: "POST",
          outcome: "accepted",
          reason: "accepted",
          status: 200,
          eventType: "invoice.paid",
          eventId,
          secretId: null,
          mode: null,
          skewSeconds: 0,
          headers: {},
          body: Buffer.from("{}"),
          bodyBytes: 2,
          ackMs: 3,
          address: null,
          source: "http",
        },
        [{ key: eventKeyOf(key), id: eventId, type: "invoice.paid", objectKey: null, handlers: [] }],
      );
      expect(await lookUp(id, it.deps)).toEqual([{ kind: "delivery", id, name: "invoice.paid" }]);
      expect(await lookUp(eventId, it.deps)).toEqual([{ kind: "event", id: eventId, name: "invoice.paid" }]);
    }
  });

  test("CO-04 finds a signing key by its kid", async () => {
    await maintainKeys(it.deps);
    const [key] = await it.deps.store.listSigningKeys();
    expect(await lookUp(key?.kid ?? "no key", it.deps)).toEqual([{ kind: "key", id: key?.kid, name: key?.algorithm }]);
  });

  test("CO-04 finds everything that a text names", async () => {
    const { db } = it.deps;
    const { tables } = db;
    await db.insert(tables.applications).values({ id: "developer", name: "Named like a user", createdAt: NOON });
    expect(await lookUp("developer", it.deps)).toEqual([
      { kind: "application", id: "developer", name: "Named like a user" },
      { kind: "user", id: "developer", name: "developer" },
    ]);
  });

  test("CO-04 finds nothing for any other text", async () => {
    for (const text of ["nobody@example.com", "evt_unknown", "%", "' or 1=1 --", "x".repeat(300)])
      expect(await lookUp(text, it.deps), text).toEqual([]);
  });
});
