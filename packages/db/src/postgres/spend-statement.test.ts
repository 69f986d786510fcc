import { sha256 } from "@gatehouse/auth";
import { eq, isNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "../query/db.ts";
import { preparedWrite, rowInsert } from "../query/prepared.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW } from "../testing/people.ts";
import { spendStatement } from "./spend-statement.ts";

let database: TestDatabase;
beforeAll(async () => {
  const engine = engines.find(({ name }) => name === "postgres");
  if (engine) database = await engine.open();
});
afterAll(() => database.close());

const USE = (db: Db) => {
  const { pushedRequests: requests } = db.tables;
  return db
    .update(requests)
    .set({ usedAt: sql`${sql.placeholder("now")}` })
    .where(sql`${eq(requests.hash, sql.placeholder("hash"))} and ${isNull(requests.usedAt)}`)
    .returning({ hash: requests.hash });
};

test("a plan that was made while the table was empty follows its index", async () => {
  const { db, engine } = database;
  if (engine.dialect !== "postgres") throw new Error("expected PostgreSQL");
  const all = ["a", "b"].map((name) => ({
    first: preparedWrite(db, "use", USE, { now: NOW, hash: sha256(name) }),
    rest: [rowInsert(db, db.tables.spentIds, { hash: sha256(name), expiresAt: NOW })],
  }));
  const { sql: text, params } = spendStatement(all);
  const connection = await engine.pool.connect();
  try {
    await connection.query("SET plan_cache_mode = force_generic_plan");
    await connection.query(`PREPARE spend AS ${text}`);
    const values = params.map((list) => `'{${(list as (string | number)[]).join(",")}}'`).join(", ");
    const { rows } = await connection.query<{ "QUERY PLAN": string }>(`EXPLAIN EXECUTE spend(${values})`);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("pushed_requests_pkey");
    expect(plan).not.toContain("Seq Scan on pushed_requests");
  } finally {
    connection.release(true);
  }
});

test("what has no key, or a parameter without a column, is refused", () => {
  const { pushedRequests: table } = database.db.tables;
  const refused = (sql: string) => () =>
    spendStatement([
      { first: { table, sql: `update "pushed_requests" set ${sql} returning "hash"`, params: [NOW] }, rest: [] },
    ]);
  expect(refused('"used_at" = $1')).toThrow("key");
  expect(refused('"used_at" = coalesce($1, 0) where "pushed_requests"."hash" = \'a\'')).toThrow("parameter 1");
});
