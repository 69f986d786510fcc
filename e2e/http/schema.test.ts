import { type Database, openDatabase } from "@gatehouse/db/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS } from "../harness/fixture.ts";
import { postAs } from "../harness/flow.ts";
import { gatehouse, POSTGRES, startWeb } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import { freePort } from "../harness/processes.ts";

// A program and a database of different releases. What each of both does is held by
// packages/db/src/migrations/migrate.test.ts and packages/installation/src/schema.test.ts. A bare `next start` loads
// the application with the first request, so it cannot wait or fail.

const onNext = process.env["GATEHOUSE_TEST_MOUNT"] === "next";

describe.each(POSTGRES)("a database of another release, on %s, OP-62", (engine) => {
  let own: Installation;
  let opsPort: number;
  let database: Database;
  beforeAll(async () => {
    opsPort = await freePort();
    own = await newInstallation(engine, { GATEHOUSE_MIGRATE: "check", GATEHOUSE_OPS_PORT: String(opsPort) });
    database = await openDatabase(own.env["DATABASE_URL"] ?? "");
  });
  afterAll(async () => {
    await database?.close();
    await own?.remove();
  });

  async function run(sql: string): Promise<void> {
    if (database.engine.dialect === "postgres") await database.engine.pool.query(sql);
    else database.engine.connection.exec(sql);
  }

  test.skipIf(onNext)(
    "OP-62 OP-71 an older one: a command refuses it and says what to run; a server is alive, not ready, answers 503, and serves after the migration",
    async () => {
      // Without its row in the ledger, the product's last migration is one that the database lacks.
      await run("CREATE TABLE put_aside AS SELECT * FROM product_migrations ORDER BY name DESC LIMIT 1");
      await run("DELETE FROM product_migrations WHERE name IN (SELECT name FROM put_aside)");
      await expect(gatehouse(["keys", "list"], own.env)).rejects.toMatchObject({
        code: 78,
        message: expect.stringMatching(/older than this program.*gatehouse -- migrate/),
      });

      const starting = startWeb(own.env, own.port);
      const statusOf = (path: string) =>
        send(own.issuer, path).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(() => statusOf("/healthz")).toBe(200);
      expect(await statusOf("/readyz")).toBe(503);
      const token = () => postAs(own.issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" });
      const refused = await token();
      expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
      const detail = await fetch(`http://127.0.0.1:${opsPort}/readyz`); // OP-71
      expect([detail.status, await detail.json()]).toEqual([
        503,
        expect.objectContaining({ status: "waiting_for_migration", schema: { missing: [expect.any(String)] } }),
      ]);

      await run("INSERT INTO product_migrations SELECT * FROM put_aside");
      const server = await starting;
      expect((await token()).status).toBe(200);
      expect(server.output()).toContain("waiting for `gatehouse migrate`");
      await server.crash();
    },
  );

  test.skipIf(onNext)(
    "OP-62 a newer one that does not allow it: the server exits with code 78 and names the migration",
    async () => {
      await run(
        "INSERT INTO gatehouse_migrations (name, hash, min_program, applied_at) VALUES ('9999_from_the_future', 'x', '9999_from_the_future', 1)",
      );
      const started = startWeb(own.env, own.port);
      await expect(started).rejects.toThrow(/newer than this program.*9999_from_the_future/);
      await expect(started).rejects.toThrow(/ended with 78/);
    },
  );
});
