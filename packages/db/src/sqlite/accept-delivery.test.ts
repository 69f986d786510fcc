import { fileURLToPath } from "node:url";
import { type DeliveredEvent, type Delivery, deliveryIdsFrom, eventKeyOf } from "@gatehouse/webhooks";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { insertDeliveryOnce } from "../stores/webhooks/intake.ts";
import { engines } from "../testing/engines.ts";
import { NOW } from "../testing/people.ts";
import { sqliteDb } from "./db.ts";

const delivery = (number: number): Delivery => ({
  id: `${deliveryIdsFrom(NOW)}-7000-8000-${number}`,
  endpoint: "stripe",
  environment: "production",
  source: "http",
  receivedAt: NOW,
  method: "POST",
  outcome: "accepted",
  reason: "accepted",
  status: 200,
  eventType: "a",
  eventId: "evt_1",
  mode: null,
  secretId: null,
  skewSeconds: null,
  headers: {},
  body: Buffer.alloc(3),
  bodyBytes: 3,
  ackMs: 1,
  address: null,
});
const event = (name: string, ...handlers: string[]): DeliveredEvent => ({
  key: eventKeyOf(`id:${name}`),
  id: name,
  type: "a",
  objectKey: null,
  handlers: handlers.map((handler) => ({ name: handler, orderKey: null, queue: "webhook" })),
});

test("a delivery on SQLite is one statement for each row, and reads nothing", async () => {
  const database = await engines[0]?.open();
  onTestFinished(() => database?.close());
  const ran: string[] = [];
  const verbose = (sql: unknown) => void ran.push(String(sql).replaceAll('"', "").split(" ").slice(0, 3).join(" "));
  const connection = new Sqlite(fileURLToPath(database?.url ?? ""), { verbose });
  onTestFinished(() => void connection.close());
  const db = sqliteDb(connection);
  const statementsOf = async (
    ...given: Parameters<typeof insertDeliveryOnce> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    ran.length = 0;
    await insertDeliveryOnce(db, ...given);
    return ran.slice(1, -1); // BEGIN and COMMIT
  };
  const [newEvent, newDelivery, newJob] = [
    "insert into webhook_events",
    "insert into webhook_deliveries",
    "insert into jobs",
  ];

  expect(await statementsOf(delivery(1), [event("1")])).toEqual([newEvent, newDelivery]);
  expect(await statementsOf(delivery(2), [event("1", "paid")])).toEqual([newEvent, newDelivery]);
  expect(await statementsOf(delivery(3), [event("2", "paid", "*"), event("3")])).toEqual([
    newEvent,
    newJob,
    newJob,
    newEvent,
    newDelivery,
  ]);
});
