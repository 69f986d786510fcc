import type { PostgresFacts, StandbyLag } from "@gatehouse/db/inspect/postgres-facts";
import type { SqliteFacts } from "@gatehouse/db/inspect/sqlite-facts";
import type { Finding } from "@gatehouse/webhooks/doctor";
import { expect, test } from "vitest";
import { judgeDirect, judgePostgres, judgeStandby } from "./postgres.ts";
import { judgeSqlite } from "./sqlite.ts";

const FACTS: PostgresFacts = {
  version: "15.14",
  versionNumber: 150_014,
  skewSeconds: 0.01,
  skewErrorSeconds: 0.01,
  encoding: "UTF8",
  collation: { name: "en_US.UTF-8", recorded: "2.36", actual: "2.36" },
  isStandby: false,
  connections: { server: 97, database: -1, account: -1, used: 3 },
  isPooled: false,
  keepsPreparedStatements: true,
  missingLimits: ["statement_timeout"], // connections set them
  unsafeSettings: [],
  identity: "1/2",
  logPosition: "0/1",
};
const WANTED = { connections: 28, servers: 1, prepare: "auto" } as const;
const PROBLEM = new Set(["failed", "warning"]);
const problems = (found: readonly Finding[]) =>
  found.filter(({ state }) => PROBLEM.has(state)).map(({ check, state }) => [check, state]);

test("a PostgreSQL server as it should be has no problem", () => {
  expect(problems(judgePostgres(FACTS, WANTED))).toEqual([]);
});

const LOSING = { isPooled: true, keepsPreparedStatements: false, missingLimits: [] };
test.each<[string, Partial<PostgresFacts>, Partial<typeof WANTED> | object, string[][]]>([
  ["OP-39 an old version", { versionNumber: 140_020 }, {}, [["db_version", "failed"]]],
  ["OP-39 a version that is not tested", { versionNumber: 190_000 }, {}, [["db_version", "warning"]]],
  ["OP-28 a standby", { isStandby: true }, {}, [["db_primary", "failed"]]],
  ["OP-84 a clock that is a minute ahead", { skewSeconds: 60 }, {}, [["db_clock", "failed"]]],
  ["OP-84 a clock that is a minute behind", { skewSeconds: -60 }, {}, [["db_clock", "failed"]]],
  ["another encoding", { encoding: "SQL_ASCII" }, {}, [["db_collation", "failed"]]],
  [
    "OP-34 a collation whose rules changed",
    { collation: { name: "en", recorded: "153.14", actual: "153.112" } },
    {},
    [["db_collation", "warning"]],
  ],
  ["OP-27 a pooler that loses prepared statements", LOSING, {}, [["db_pooler", "warning"]]],
  [
    "OP-26 a pooler that drops the limits",
    { isPooled: true, missingLimits: ["statement_timeout"] },
    {},
    [["db_limits", "warning"]],
  ],
  ["OP-14 more connections than the server has", {}, { connections: 98, servers: 3 }, [["db_connections", "warning"]]],
  [
    "OP-14 more connections than the account may have",
    { connections: { server: 97, database: -1, account: 20, used: 3 } },
    {},
    [["db_connections", "warning"]],
  ],
  ["a server that loses commits", { unsafeSettings: ["fsync"] }, {}, [["db_durability", "failed"]]],
])("%s is found", (_, facts, wanted, expected) => {
  const found = judgePostgres({ ...FACTS, ...facts }, { ...WANTED, ...wanted });
  expect(problems(found)).toEqual(expected);
  for (const { state, fix } of found) expect(fix === null).toBe(!PROBLEM.has(state));
});

test("OP-27 DATABASE_PREPARE=off confirms a pooler without prepared statements", () => {
  expect(problems(judgePostgres({ ...FACTS, ...LOSING }, { ...WANTED, prepare: "off" }))).toEqual([]);
});

test("behind a pooler its own limits count, not those of the server", () => {
  const found = judgePostgres({ ...FACTS, isPooled: true, missingLimits: [] }, { ...WANTED, connections: 1_000 });
  expect(found.find(({ check }) => check === "db_connections")?.state).toBe("skipped");
});

test.each<[string, Partial<PostgresFacts>, string]>([
  ["the server itself", {}, "ok"],
  ["a pooler", { isPooled: true }, "warning"],
  ["another database", { identity: "3/4" }, "failed"],
])("OP-27 DATABASE_DIRECT_URL leads to %s", (_, facts, state) => {
  expect(judgeDirect({ ...FACTS, ...facts }, { ...FACTS, isPooled: true }).state).toBe(state);
});

test.each<[string, StandbyLag, string]>([
  ["a standby that has everything", { isStandby: true, bytes: 0, seconds: 9_000 }, "ok"],
  ["a standby that is a moment behind", { isStandby: true, bytes: 8_192, seconds: 1 }, "ok"],
  ["a standby that does not keep up", { isStandby: true, bytes: 8_192, seconds: 600 }, "warning"],
  ["a primary", { isStandby: false, bytes: 0, seconds: null }, "warning"],
])("OP-33 DATABASE_READ_URL leads to %s", (_, lag, state) => {
  expect(judgeStandby(lag).state).toBe(state);
});

const FILE: SqliteFacts = {
  version: "3.50.4",
  journalMode: "wal",
  logBytes: 4 * 2 ** 20,
  freeBytes: 50 * 2 ** 30,
  totalBytes: 100 * 2 ** 30,
  foreignFileSystem: undefined,
  isReadableByOthers: false,
};

test.each<[string, Partial<SqliteFacts>, string[][]]>([
  ["nothing wrong", {}, []],
  ["OP-14 another journal mode", { journalMode: "delete" }, [["db_journal", "failed"]]],
  ["OP-09 a network share", { foreignFileSystem: "NFS" }, [["db_file_system", "failed"]]],
  ["a file that everybody can read", { isReadableByOthers: true }, [["db_permissions", "warning"]]],
  ["OP-50 a log that grows", { logBytes: 300 * 2 ** 20 }, [["db_log", "warning"]]],
  ["a full disk", { freeBytes: 2 ** 30 }, [["db_disk", "warning"]]],
])("a SQLite file with %s", (_, facts, expected) => {
  expect(problems(judgeSqlite({ ...FILE, ...facts }))).toEqual(expected);
});
