import { openDatabase } from "@gatehouse/db/database";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { startTransactionPooler } from "@gatehouse/db/testing/transaction-pooler";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectionsOf, reportConnections } from "./connections.ts";
import { readSettings, type Settings } from "./settings/settings.ts";

const settings = (variables: Record<string, string>): Settings =>
  readSettings({ GATEHOUSE_SECRET: "x".repeat(43), ...variables }, "/nowhere");

test.each([
  [{}, 28],
  [{ DATABASE_POOL: "20" }, 48],
  [{ WEB_CONCURRENCY: "4" }, 112],
])("OP-14 with %o one server opens at most %i connections", (variables, expected) => {
  expect(connectionsOf(settings(variables))).toBe(expected);
});

let database: TestDatabase;
beforeEach(async () => {
  const postgres = engines.find(({ name }) => name === "postgres");
  if (!postgres) throw new Error("expected PostgreSQL");
  database = await postgres.open();
});
afterEach(() => database.close());

const warnings: object[] = [];
const log = { info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) };

test("OP-14 a server that can open more connections than PostgreSQL allows warns at its start", async () => {
  await reportConnections(database, settings({}), log);
  expect(warnings).toEqual([]);
  await reportConnections(database, settings({ WEB_CONCURRENCY: "32" }), log);
  expect(warnings).toEqual([{ wanted: 784, allowed: expect.any(Number) }]);
});

test("OP-14 behind a pooler its own limits count", async () => {
  const pooler = await startTransactionPooler(database.url);
  const pooled = await openDatabase(pooler.url);
  warnings.length = 0;
  await reportConnections(pooled, settings({ WEB_CONCURRENCY: "32" }), log);
  expect(warnings).toEqual([]);
  await pooled.close();
  await pooler.stop();
});
