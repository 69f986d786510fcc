import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const PACKAGES = join(import.meta.dirname, "../../..");

/**
 * What breaks on an engine that speaks PostgreSQL's protocol, behind a pooler, or with many processes. OP-21, OP-22,
 * OP-39.
 */
const BANNED: readonly (readonly [string, RegExp])[] = [
  ["a sequence", /\b(?:small|big)?serial\b|\bnextval\s*\(|\bgenerated\s+(?:always|by default)\s+as\s+identity\b/i],
  ["LISTEN or NOTIFY", /\bpg_notify\b|(?:^|["'`;(])\s*(?:LISTEN|NOTIFY)\s+["\w]/m],
  ["an advisory lock", /\bpg_(?:try_)?advisory/i],
  ["the place of a row", /\bctid\b/i],
  ["a constraint that can be deferred", /\bdeferrable\b|\bset\s+constraints\b/i],
];

/** Where one is meant, and why it does no harm there. */
const ALLOWED: readonly (readonly [file: string, what: string])[] = [
  ["db/src/migrations/postgres.ts", "an advisory lock"], // whether somebody migrates
  ["db/src/postgres/change-schema.ts", "an advisory lock"], // of one transaction, past the pooler
  ["db/src/postgres/pool.ts", "an advisory lock"], // of one transaction of `gatehouse migrate`
  ["db/migrations/handwritten/postgres.sql", "a constraint that can be deferred"], // the triggers that count totals
  ["db/migrations/postgres/0000_initial.sql", "a constraint that can be deferred"],
];

const sources = ["db/src", "db/migrations", "console/src", "work/src", "installation/src", "product"].flatMap(
  (folder) =>
    readdirSync(join(PACKAGES, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|sql)$/.test(file) && !/node_modules|\.test\.ts$|testing\//.test(file))
      .map((file) => join(PACKAGES, folder, file)),
);

/** Without comments, which may name what is not used. */
const codeOf = (file: string) =>
  readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$|^--(?!>).*$/gm, "");

test("OP-39 queries and migrations use nothing that ties them to one server of PostgreSQL", () => {
  const found = sources.flatMap((file) => {
    const code = codeOf(file);
    return BANNED.filter(([, pattern]) => pattern.test(code)).map(([what]) => [relative(PACKAGES, file), what]);
  });
  expect(sources.length).toBeGreaterThan(300);
  expect(found.toSorted()).toEqual([...ALLOWED].toSorted());
});

test.each([
  ["a sequence", "id bigserial PRIMARY KEY"],
  ["a sequence", '"id" bigint GENERATED ALWAYS AS IDENTITY'],
  ["LISTEN or NOTIFY", 'client.query("LISTEN jobs")'],
  ["LISTEN or NOTIFY", "NOTIFY changes;"],
  ["an advisory lock", "select pg_advisory_lock(1)"],
  ["the place of a row", "delete from jobs where ctid = any($1)"],
  ["a constraint that can be deferred", "UNIQUE (name) DEFERRABLE"],
])("OP-39 finds %s in %s", (what, code) => {
  expect(BANNED.filter(([, pattern]) => pattern.test(code)).map(([name]) => name)).toEqual([what]);
});
