import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";

// deploy/postgres/app-role.sql, run as its first lines say.
const SQL = readFileSync(join(import.meta.dirname, "../../../../deploy/postgres/app-role.sql"), "utf8");
const ROLE = "gatehouse_app";

let database: TestDatabase;
let owner: pg.Client;
let app: pg.Client;

beforeAll(async () => {
  database = (await engines.find(({ name }) => name === "postgres")?.open({ fresh: true })) as TestDatabase;
  const other = await openDatabase(database.url, {
    further: [{ folder: "packages/product/migrations", ledger: "product_migrations" }],
  });
  await other.migrate();
  await other.close();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(
    `DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN PASSWORD 'only-for-tests'; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
  );
  await owner.query(SQL);
  const url = new URL(database.url);
  url.username = ROLE;
  url.password = "only-for-tests";
  app = new pg.Client({ connectionString: url.href });
  await app.connect();
});
afterAll(async () => {
  await app?.end();
  await owner?.query(`DROP OWNED BY ${ROLE}`);
  await owner?.end();
  await database?.close();
});

const ROW = `INSERT INTO audit (id, at, actor_id, actor_name, role, via, action, object, detail)
  VALUES ('a1', 1, 'u', 'Ada', 'admin', 'console', 'users.disable', 'user:1', '{}')`;
const denied = { code: "42501" };

test("OP-100 the server's role reads and writes rows, and changes no table", async () => {
  await expect(app.query("SELECT count(*) FROM clients")).resolves.toBeDefined();
  await expect(app.query("DELETE FROM access_tokens WHERE false")).resolves.toBeDefined();
  for (const sql of [
    "CREATE TABLE mine (id text)",
    "DROP TABLE clients",
    "ALTER TABLE clients ADD COLUMN x text",
    "TRUNCATE clients",
    "CREATE INDEX ON clients (name)",
  ])
    await expect(app.query(sql), sql).rejects.toMatchObject(denied);
  await expect(app.query("INSERT INTO gatehouse_migrations VALUES ('9999', '', NULL, 0)")).rejects.toMatchObject(
    denied,
  );
});

test("OP-100 it writes the audit log and seals its rows, and rewrites none", async () => {
  await app.query(ROW);
  await expect(
    app.query("UPDATE audit SET number = 1, hash = 'h', mac = 'm', key_id = 'k' WHERE id = 'a1'"),
  ).resolves.toBeDefined();
  for (const column of ["actor_id = 'other'", "action = 'nothing'", "detail = '{}'", "at = 2", "address = NULL"])
    await expect(app.query(`UPDATE audit SET ${column}`), column).rejects.toMatchObject(denied);
});

test("OP-100 tables of later migrations are its own to read and write, too", async () => {
  await owner.query("CREATE TABLE later (id text)");
  await expect(app.query("INSERT INTO later VALUES ('1')")).resolves.toBeDefined();
  await expect(app.query("DROP TABLE later")).rejects.toMatchObject(denied);
});
