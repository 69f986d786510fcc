import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createSharedTransaction, type Part } from "./shared-transaction.ts";

describe("a transaction that independent callers share", () => {
  let connection: Sqlite.Database;
  let commitTogether: ReturnType<typeof createSharedTransaction>;
  beforeEach(() => {
    connection = new Sqlite(":memory:");
    connection.exec("CREATE TABLE facts (key TEXT PRIMARY KEY)");
    commitTogether = createSharedTransaction(connection);
    return () => connection.close();
  });

  const insert = (key: string) => connection.prepare("INSERT INTO facts VALUES (?)").run(key).changes;
  const keys = () => connection.prepare<[], string>("SELECT key FROM facts ORDER BY key").pluck().all();
  const all =
    (...names: string[]): Part =>
    (allOrNone) =>
      allOrNone(() => names.map(insert));

  test("each part has its own outcome, in order", () => {
    expect(commitTogether([() => insert("a"), () => insert("a"), () => insert("b")])).toMatchObject([
      { ok: true, value: 1 },
      { ok: false, cause: { code: "SQLITE_CONSTRAINT_PRIMARYKEY" } },
      { ok: true, value: 1 },
    ]);
    expect(keys()).toEqual(["a", "b"]);
  });

  test("parts that succeed run once, without savepoints", () => {
    const exec = vi.spyOn(connection, "exec");
    const part = vi.fn(all("a", "b"));
    commitTogether([part]);
    expect([part.mock.calls.length, exec.mock.calls.flat()]).toEqual([1, ["BEGIN IMMEDIATE", "COMMIT"]]);
  });

  test("a part that fails midway is undone alone; the others run once more", () => {
    const exec = vi.spyOn(connection, "exec");
    const outcomes = commitTogether([all("a", "b"), all("c", "a"), all("d"), () => insert("e")]);
    expect(outcomes).toMatchObject([
      { ok: true },
      { ok: false, cause: { code: "SQLITE_CONSTRAINT_PRIMARYKEY" } },
      { ok: true },
      { ok: true },
    ]);
    expect(keys()).toEqual(["a", "b", "d", "e"]);
    expect(exec.mock.calls.flat()).toEqual(["BEGIN IMMEDIATE", "ROLLBACK", "BEGIN IMMEDIATE", "COMMIT"]);
  });

  test("when the commit fails, every part has failed and nothing is written", () => {
    connection.exec("CREATE TABLE parents (id PRIMARY KEY)");
    connection.exec("CREATE TABLE children (parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED)");
    const orphan = () => connection.prepare("INSERT INTO children VALUES (1)").run();
    expect(commitTogether([() => insert("a"), orphan])).toMatchObject([{ ok: false }, { ok: false }]);
    expect(keys()).toEqual([]);
    expect(connection.inTransaction).toBe(false);
  });

  test("while another connection holds the write lock nothing runs", () => {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-shared-"));
    const [one, other] = [1, 2].map(() => new Sqlite(join(folder, "g.db"), { timeout: 0 })) as [
      Sqlite.Database,
      Sqlite.Database,
    ];
    other.exec("BEGIN IMMEDIATE");
    const part = vi.fn();
    expect(createSharedTransaction(one)([part])).toBe("busy");
    other.exec("COMMIT");
    expect(part).not.toHaveBeenCalled();
    expect(createSharedTransaction(one)([part])).toEqual([{ ok: true, value: undefined }]);
    one.close();
    other.close();
    rmSync(folder, { recursive: true });
  });
});
