import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@gatehouse/db";
import { type PostgresServer, startPostgresServer } from "@gatehouse/db/testing/postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { postAs } from "../harness/flow.ts";
import { apply, ENGINES, gatehouse, startWeb } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { freePort } from "../harness/processes.ts";

// A program and a database of different releases. Deleting the last row of a series' ledger makes a database one migration older.

type LedgerRow = { name: string; hash: string; min_program: string | null; applied_at: number };

describe.each(ENGINES)("a database of another release, on %s, OP-62", (engine) => {
  let folder: string;
  let postgres: PostgresServer | undefined;
  let database: Database;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-schema-"));
    postgres = engine === "postgres" ? await startPostgresServer() : undefined;
    const url = postgres ? `${postgres.url}/postgres` : `file:${join(folder, "gatehouse.db")}`;
    env = { ...inject("env"), GATEHOUSE_DATA_DIR: folder, DATABASE_URL: url };
    await expect(gatehouse(["keys", "list"], env)).rejects.toThrow(/no installation in this database/);
    await apply(fixture(), folder, env);
    database = await openDatabase(url);
  });
  afterAll(async () => {
    await database.close();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function ledger(sql: string): Promise<LedgerRow[]> {
    if (database.engine.dialect === "postgres") return (await database.engine.pool.query(sql)).rows;
    const statement = database.engine.connection.prepare<[], LedgerRow>(sql);
    return statement.reader ? statement.all() : [statement.run()].flatMap(() => []);
  }
  const insertRow = ({ name, hash, min_program, applied_at }: LedgerRow, into = "gatehouse_migrations") =>
    ledger(`INSERT INTO ${into} VALUES ('${name}', '${hash}', ${min_program === null ? "NULL" : `'${min_program}'`}, ${applied_at})`);

  /** Makes the database one migration of the product older while `work` runs. */
  async function whileOlder(work: (bringBack: () => Promise<void>) => Promise<void>): Promise<void> {
    const [last] = await ledger("SELECT * FROM product_migrations ORDER BY name DESC LIMIT 1");
    if (!last) throw new Error("an empty ledger");
    await ledger(`DELETE FROM product_migrations WHERE name = '${last.name}'`);
    let back = false;
    const bringBack = async () => {
      if (!back) await insertRow(last, "product_migrations");
      back = true;
    };
    await work(bringBack).finally(bringBack);
  }

  test("commands refuse an older one and say what to run; none but `migrate` changes it", async () => {
    await whileOlder(async () => {
      for (const command of [
        ["keys", "list"],
        ["user", "create", "--email", "x@example.com", "--name", "X"],
      ]) {
        await expect(gatehouse(command, env)).rejects.toThrow(/older than this program.*gatehouse -- migrate/);
      }
      await expect(apply(fixture(), folder, env)).rejects.toMatchObject({ code: 78 });
    });
  });

  test("a program exits with code 78 on a newer database that does not allow it", async () => {
    await insertRow({ name: "9999_from_the_future", hash: "x", min_program: "9999_from_the_future", applied_at: 1 });
    await expect(gatehouse(["keys", "list"], env)).rejects.toMatchObject({ code: 78 });
    if (process.env["GATEHOUSE_TEST_MOUNT"] !== "next") {
      const started = startWeb(env, await freePort());
      await expect(started).rejects.toThrow(/newer than this program.*9999_from_the_future/);
      await expect(started).rejects.toThrow(/ended with 78/);
    }
    await ledger("UPDATE gatehouse_migrations SET min_program = NULL WHERE name = '9999_from_the_future'");
    expect(await gatehouse(["keys", "list"], env)).toEqual(expect.any(Array));
    await ledger("DELETE FROM gatehouse_migrations WHERE name = '9999_from_the_future'");
  });

  // A bare `next start` loads the application with the first request, so it cannot wait.
  if (process.env["GATEHOUSE_TEST_MOUNT"] !== "next")
    test("with GATEHOUSE_MIGRATE=check a server waits for the migration of an older database: alive, not ready, 503; then it serves", async () => {
      await whileOlder(async (bringBack) => {
        const port = await freePort();
        const issuer = `http://localhost:${port}`;
        const starting = startWeb({ ...env, GATEHOUSE_ISSUER: issuer, GATEHOUSE_MIGRATE: "check" }, port);
        const statusOf = (path: string) =>
          send(issuer, path).then(
            ({ status }) => status,
            () => 0,
          );
        await expect.poll(() => statusOf("/healthz"), { timeout: 20_000 }).toBe(200);
        expect(await statusOf("/readyz")).toBe(503);
        const refused = await postAs(issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" });
        expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
        await bringBack();
        const server = await starting;
        expect((await postAs(issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" })).status).toBe(200);
        expect(server.output()).toContain("waiting for `gatehouse migrate`");
        await server.stop();
      });
    });
});
