import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../database.ts";
import { createThreadReader } from "./thread-reader.ts";

const startThread = (file: string) =>
  new Worker(new URL("../testing/read-thread.mjs", import.meta.url), { workerData: file });

describe("reads on a thread", () => {
  let folder: string;
  let database: Database;
  let threads: Worker[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-reads-"));
    database = await openDatabase(join(folder, "g.db"));
    await database.migrate();
    threads = [];
    database.readOnThread((file) => {
      const thread = startThread(file);
      threads.push(thread);
      return thread;
    });
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const write = (key: string) => database.db.insert(database.db.tables.installation).values({ key, value: "x" });
  const keys = async () =>
    (await database.reads.select().from(database.reads.tables.installation)).map(({ key }) => key).sort();

  /** Queries are sent within the turn of the event loop they are made in. */
  const sent = () => setImmediate();

  test("a list that follows a write shows it", async () => {
    const written: string[] = [];
    for (let at = 0; at < 50; at++) {
      await write(`key-${at}`);
      written.push(`key-${at}`);
      expect(await keys()).toEqual(written.toSorted());
    }
    expect(threads).toHaveLength(1);
  });

  test("a thread that ends is replaced, and its pending reads are answered by the next one", async () => {
    await write("here");
    const asked = [keys(), keys()];
    await sent();
    await threads[0]?.terminate();
    expect(await Promise.all(asked)).toEqual([["here"], ["here"]]);
    await threads[1]?.terminate();
    await write("later");
    expect(await keys()).toEqual(["here", "later"]);
    expect(threads).toHaveLength(3);
  });

  test("a read that ends two threads is rejected, and does not end a third", async () => {
    const asked = keys();
    asked.catch(() => {});
    await sent();
    await threads[0]?.terminate();
    await threads[1]?.terminate();
    await expect(asked).rejects.toThrow();
    expect(threads).toHaveLength(2);
    expect(await keys()).toEqual([]);
  });

  test("a failing statement is rejected with the engine's message; the next one is answered", async () => {
    const db = database.reads;
    const { tables } = db;
    const wrong = db.select({ key: sql`no_such_function(1)` }).from(tables.installation);
    await expect(wrong).rejects.toMatchObject({ cause: { message: expect.stringContaining("no_such_function") } });
    expect(await keys()).toEqual([]);
  });

  test("the thread cannot write", async () => {
    const reader = createThreadReader(() => startThread(join(folder, "g.db")));
    const asked = reader.run("INSERT INTO installation (key, value) VALUES ('written', 'x') RETURNING key", []);
    await expect(asked)
      .rejects.toMatchObject({ message: "attempt to write a readonly database" })
      .finally(() => reader.close());
  });

  test("closing the database ends the thread", async () => {
    await keys();
    const [thread] = threads;
    const ended = thread && once(thread, "exit");
    await database.close();
    await ended;
    await expect(keys()).rejects.toThrow();
  });
});
