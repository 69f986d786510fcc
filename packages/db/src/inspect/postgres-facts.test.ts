import { afterEach, beforeEach, expect, test } from "vitest";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { startTransactionPooler } from "../testing/transaction-pooler.ts";
import { readPostgresFacts, readStandbyLag } from "./postgres-facts.ts";

let database: TestDatabase;
beforeEach(async () => {
  const postgres = engines.find(({ name }) => name === "postgres");
  if (!postgres) throw new Error("expected PostgreSQL");
  database = await postgres.open();
});
afterEach(() => database.close());

test("the facts of a server that is connected to directly", async () => {
  const facts = await readPostgresFacts(database.url);
  expect(facts).toMatchObject({
    version: expect.stringMatching(/^\d+/),
    encoding: "UTF8",
    isStandby: false,
    isPooled: false,
    keepsPreparedStatements: true,
    logPosition: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/),
  });
  expect(facts.versionNumber).toBeGreaterThanOrEqual(150_000);
  expect(Math.abs(facts.skewSeconds)).toBeLessThan(30);
  expect(facts.connections.used).toBeGreaterThanOrEqual(2);
  expect(facts.connections.server).toBeGreaterThan(facts.connections.used);
});

test("OP-27 a pooler in transaction mode is recognized, and that it loses the names of statements", async () => {
  const pooler = await startTransactionPooler(database.url);
  try {
    const [pooled, direct] = [await readPostgresFacts(pooler.url), await readPostgresFacts(database.url)];
    expect(pooled).toMatchObject({ isPooled: true, keepsPreparedStatements: false });
    expect(pooled.missingLimits).toEqual(["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]);
    expect(pooled.identity).toBe(direct.identity);
  } finally {
    await pooler.stop();
  }
});

test("OP-33 a primary is no standby", async () => {
  const { logPosition } = await readPostgresFacts(database.url);
  expect(await readStandbyLag(database.url, logPosition)).toMatchObject({ isStandby: false });
});

test("a server that does not answer is an error", async () => {
  await expect(readPostgresFacts("postgres://gatehouse@127.0.0.1:1/x")).rejects.toThrow("ECONNREFUSED");
});
