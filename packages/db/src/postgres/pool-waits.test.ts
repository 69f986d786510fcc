import { expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { engines } from "../testing/engines.ts";

test("OP-31 a pool says how many statements wait for a connection, and for how long", async () => {
  const own = await (engines.find(({ name }) => name === "postgres") ?? engines[0])?.open();
  if (!own) throw new Error("no engine");
  const database = await openDatabase(own.url, { maxConnections: 1 });
  if (database.engine.dialect !== "postgres") throw new Error("not PostgreSQL");
  const { pool } = database.engine;
  const { users } = database.db.tables;
  const held = await pool.connect();
  const waiting = [
    pool.query("SELECT 1"),
    pool.connect().then((client) => client.release()),
    database.db.select().from(users).limit(1).execute(),
  ];
  await expect.poll(() => database.poolWaits().waiting).toBe(3);
  await expect.poll(() => database.poolWaits().oldestMs).toBeGreaterThan(20);
  held.release();
  await Promise.all(waiting);
  expect(database.poolWaits()).toEqual({ waiting: 0, oldestMs: 0 });
  await database.close();
  await own.close();
});
