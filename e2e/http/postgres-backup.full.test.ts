// Needs Debian's postgresql-15, for its server, pg_dump and pg_restore.
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, rename, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { newestDump } from "@gatehouse/db/backup/dumps";
import { openDatabase } from "@gatehouse/db/database";
import { deleteFact, insertFact, readFact } from "@gatehouse/db/facts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../harness/gatehouse.ts";
import {
  createDatabase,
  databaseAt,
  newPrimary,
  type PostgresServer,
  postgresPrograms,
} from "../ops/fleet/postgres.ts";

const bin = postgresPrograms();
const DAY_SECONDS = 86_400;

describe.skipIf(bin === undefined)("OP-51 OP-53 the backups of compose.postgres.yaml", () => {
  let server: PostgresServer;
  let dumps: string;
  beforeAll(async () => {
    server = await newPrimary();
    await server.start();
    await createDatabase(server);
    dumps = await mkdtemp(join(server.folder, "dumps-"));
  });
  afterAll(() => server?.remove());

  const backup = (...args: string[]) =>
    promisify(execFile)("sh", [join(ROOT, "deploy/postgres/backup.sh"), ...args], {
      env: {
        PATH: `${bin}:${process.env["PATH"]}`,
        PGHOST: "127.0.0.1",
        PGPORT: String(server.port),
        PGUSER: "postgres",
        PGDATABASE: "gatehouse",
        BACKUP_DIR: dumps,
        BACKUP_KEEP: "1",
      },
    });
  const listed = async () => (await backup("list")).stdout.trim().split("\n");
  const databases = async () =>
    (await server.query("SELECT datname FROM pg_database ORDER BY datname")).rows.map(({ datname }) => datname);

  async function within<Result>(work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<Result>) {
    const database = await openDatabase(databaseAt(server.port));
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  test("a dump is made and restored for a test, old ones go, and a restore brings back what was there and keeps what it replaces", async () => {
    await within(async (database) => {
      await database.migrate();
      await insertFact(database.db, "before", "1");
    });
    await backup("once");
    const [first = ""] = await listed();
    expect(newestDump(dumps)).toEqual({ madeAt: expect.any(Number), verifiedAt: expect.any(Number) });
    expect(await databases()).toEqual(["gatehouse", "postgres", "template0", "template1"]);

    await within(async ({ db }) => {
      await insertFact(db, "after", "1");
      await deleteFact(db, "before");
    });
    await expect(backup("restore", "none.dump")).rejects.toMatchObject({ stderr: expect.stringContaining("no dump") });
    await within(async ({ db }) => {
      await readFact(db, "after"); // connects
      await expect(backup("restore", first)).rejects.toMatchObject({
        stderr: expect.stringContaining("stop everything"),
      });
    });
    await backup("restore", first);
    expect(await within(({ db }) => Promise.all([readFact(db, "before"), readFact(db, "after")]))).toEqual([
      "1",
      undefined,
    ]);
    const kept = (await databases()).find((name) => /^gatehouse_before_/.test(name));
    expect((await server.query("SELECT key FROM installation WHERE key = 'after'", kept)).rows).toHaveLength(1);
  });

  test("of many dumps the newest stay, and the last one that was restored for a test; a week later another one is", async () => {
    const at = (name: string) => join(dumps, name);
    const [verified, old, older] = [3, 2, 1].map((day) => `gatehouse-2020010${day}T000000Z.dump`) as [
      string,
      string,
      string,
    ];
    for (const name of await listed()) await rename(at(name), at(verified));
    await rename(
      at((await readdir(dumps)).find((name) => name.endsWith(".verified")) ?? ""),
      at(`${verified}.verified`),
    );
    for (const name of [old, older]) await copyFile(at(verified), at(name));
    await backup("once");
    const [kept, newest = ""] = await listed();
    expect([kept, await listed()]).toEqual([verified, [verified, newest]]);

    const longAgo = Date.now() / 1000 - 8 * DAY_SECONDS;
    await utimes(at(`${verified}.verified`), longAgo, longAgo);
    await rename(at(newest), at(old));
    await backup("once");
    const [last] = (await listed()).slice(-1);
    expect(await listed()).toEqual([last]);
    expect((await readdir(dumps)).filter((name) => name.endsWith(".verified"))).toEqual([`${last}.verified`]);
  });
});
