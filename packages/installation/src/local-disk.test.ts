import { assertWal } from "@gatehouse/db/sqlite/file";
import { foreignFileSystem } from "@gatehouse/db/sqlite/file-system";
import { expect, test } from "vitest";
import { assertLocalDisk, judgeFileSystem } from "./local-disk.ts";

const warnings: object[] = [];
const log = { info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) };

test("OP-14 a database on a network share is refused with what to do, and one on a shared folder is a warning", async () => {
  expect(() => judgeFileSystem(foreignFileSystem(0x6969), log)).toThrow(
    /^DATABASE_URL names a file on NFS.*PostgreSQL/,
  );
  expect(() => judgeFileSystem(foreignFileSystem(0xff534d42 | 0), log)).toThrow("on CIFS"); // as a signed number
  expect(warnings).toEqual([]);
  judgeFileSystem(foreignFileSystem(0x65735546), log);
  expect(warnings).toEqual([{ fileSystem: "FUSE" }]);
  judgeFileSystem(foreignFileSystem(0xef53), log); // ext4
  await assertLocalDisk("postgres://db.example.com/gatehouse", log);
  expect(warnings).toHaveLength(1);
});

test("OP-14 a file that cannot have a write-ahead log is refused", () => {
  expect(() => assertWal("/mnt/gatehouse.db", "delete")).toThrow(
    '/mnt/gatehouse.db cannot have a write-ahead log (its journal mode is "delete")',
  );
  expect(() => assertWal("/data/gatehouse.db", "wal")).not.toThrow();
});
