import { setImmediate } from "node:timers/promises";
import { findStoreUnavailable } from "@gatehouse/auth";
import { subjectKey } from "@gatehouse/runtime";
import { describe, expect, test, vi } from "vitest";
import { requestArrived } from "../cache/turn.ts";
import { openDatabase } from "../database.ts";
import { createRateLimiter } from "../stores/rate-limits/rate-limiter.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";

const nextTimer = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Takes SQLite's write lock as another process would; answers with what gives it back. */
async function holdWriteLock(url: string): Promise<() => void> {
  const other = await openDatabase(url);
  if (other.engine.dialect !== "sqlite") throw new Error("expected SQLite");
  const { connection } = other.engine;
  connection.exec("BEGIN IMMEDIATE");
  return () => connection.close();
}

describe("group commit on SQLite", () => {
  const sqlite = engines.find(({ name }) => name === "sqlite");
  const insert = ({ db }: TestDatabase, key: string) => db.insert(db.tables.installation).values({ key, value: "1" });

  async function opened() {
    const database = await sqlite?.open();
    if (database?.engine.dialect !== "sqlite") throw new Error("expected SQLite");
    return { database, connection: database.engine.connection };
  }

  test("the writes of one turn share one transaction, and reads of that turn do not see them before its commit", async () => {
    const { database, connection } = await opened();
    const committed = vi.spyOn(connection, "exec");
    const writes = Array.from({ length: 30 }, (_, index) => insert(database, `key-${index}`).execute());
    expect(await database.db.select().from(database.db.tables.installation)).toEqual([]);
    await Promise.all(writes);
    expect(committed.mock.calls.flat()).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
    await database.close();
  });

  test("where most requests of a turn only read, its commit takes the writes of the next turns along; a request that is alone commits at once", async () => {
    const { database, connection } = await opened();
    const committed = vi.spyOn(connection, "exec");
    const arrive = (requests: number) => {
      for (let one = 0; one < requests; one++) requestArrived();
    };

    arrive(10);
    const first = insert(database, "first").execute();
    await setImmediate();
    arrive(10);
    const second = insert(database, "second").execute();
    await Promise.all([first, second]);
    expect(committed.mock.calls.flat()).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);

    arrive(1);
    const alone = insert(database, "alone").execute();
    await setImmediate();
    expect(committed).toHaveBeenCalledTimes(4);
    await alone;
    await database.close();
  });

  test("OP-89 a patient write commits at once after a rest, and otherwise with the next write that is not", async () => {
    const { database, connection } = await opened();
    const { write } = database.engine as Extract<typeof database.engine, { dialect: "sqlite" }>;
    const statement = connection.prepare("INSERT INTO installation (key, value) VALUES (?, '1')");
    const patiently = (key: string) => write(() => statement.run(key), { isPatient: true });
    await nextTimer();
    await patiently("rested");
    const committed = vi.spyOn(connection, "exec");
    const counts = ["a", "b", "c"].map(patiently);
    await setImmediate();
    await setImmediate();
    expect(committed).not.toHaveBeenCalled();
    await Promise.all([...counts, insert(database, "token").execute()]);
    expect(committed.mock.calls.flat()).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
    await patiently("alone, in time");
    const last = patiently("before the end");
    await database.close();
    await last;
  });

  test("OP-50 while another process holds the write lock reads are answered and writes wait, without blocking; then they commit", async () => {
    const { database } = await opened();
    const release = await holdWriteLock(database.url);
    let settled = false;
    const writes = Promise.all(["a", "b"].map((key) => insert(database, key).execute())).finally(() => {
      settled = true;
    });
    for (let turns = 0; turns < 20; turns++) {
      await nextTimer();
      expect(await database.db.select().from(database.db.tables.installation)).toEqual([]);
    }
    expect(settled).toBe(false);
    release();
    await writes;
    expect(await database.db.select().from(database.db.tables.installation)).toHaveLength(2);
    await database.close();
  });

  test("OP-50 OP-30 if the write lock stays taken, each writer is told when to retry, and later writes succeed", async () => {
    const { database } = await opened();
    const release = await holdWriteLock(database.url);
    const outcomes = await Promise.allSettled([insert(database, "a"), insert(database, "b")]);
    for (const outcome of outcomes) {
      const retryAfterSeconds =
        outcome.status === "rejected" ? findStoreUnavailable(outcome.reason)?.retryAfterSeconds : undefined;
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(2);
      expect(retryAfterSeconds).toBeLessThanOrEqual(10);
    }
    release();
    await insert(database, "a");
    await database.close();
  });

  test("OP-50 closing waits for writes that wait for the write lock", async () => {
    const { database } = await opened();
    const release = await holdWriteLock(database.url);
    const write = insert(database, "a").execute();
    await nextTimer();
    const closed = database.close();
    release();
    await Promise.all([write, closed]);
  });

  test("OP-50 failed attempts are counted while another process holds the write lock for a moment", async () => {
    const { database } = await opened();
    const limiter = createRateLimiter(database, { name: "tries", failures: 1, windowSeconds: 60 });
    const release = await holdWriteLock(database.url);
    const counted = limiter.attempt(subjectKey("account", "ada"));
    await nextTimer();
    release();
    expect(await counted).toBe(0);
    expect(await limiter.attempt(subjectKey("account", "ada"))).toBeGreaterThan(0);
    await database.close();
  });

  test("OP-30 on a full disk writes are unavailable and reads work; with space again writes work", async () => {
    const { database, connection } = await opened();
    await insert(database, "before");
    connection.pragma(`max_page_count = ${connection.pragma("page_count", { simple: true })}`);
    const large = { key: "large", value: "x".repeat(200_000) };
    const { installation } = database.db.tables;
    const refused = await database.db
      .insert(installation)
      .values(large)
      .catch((cause: unknown) => cause);
    expect(findStoreUnavailable(refused)?.message).toContain("SQLITE_FULL");
    expect(await database.db.select().from(installation)).toHaveLength(1);
    connection.pragma("max_page_count = 1000000");
    await database.db.insert(installation).values(large);
    expect(connection.pragma("integrity_check", { simple: true })).toBe("ok");
    await database.close();
  });

  test("closing commits pending writes; a later write is rejected, not lost silently", async () => {
    const { database } = await opened();
    await insert(database, "before");
    await Promise.all([insert(database, "under way").execute(), database.close()]);
    await expect(insert(database, "after").execute()).rejects.toThrow();
  });
});
