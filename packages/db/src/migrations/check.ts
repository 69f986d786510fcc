import { PARTITIONED_NAMES } from "../partitions/tables.ts";
import { isAdditive } from "./additive.ts";
import { type Dialect, INITIAL, type Migration } from "./read.ts";
import { firstLine, stepsOf } from "./steps.ts";

const INDEX = /^create (?:unique )?index "\w+" on "(\w+)"/i;
const CREATE_TABLE = /^create table "(\w+)"/i;
const CONSTRAINT = /^alter table "(\w+)" add constraint .*(?:foreign key|check)/is;
const NOT_VALID = /\bnot valid\s*;?$/i;
const CONCURRENTLY = /\bconcurrently\b/i;
const CHANGES_ROWS = /^(update|insert into|delete from) /i;
/** What an `expand` may do to a table that is there, besides what {@link isAdditive} knows. */
const HARMLESS = [
  /^alter table "\w+" validate constraint /i,
  /^alter table "\w+" set \(/i,
  /^create (or replace )?(function|trigger) /i,
];

/**
 * What is wrong with a migration of Gatehouse, as sentences: whether it keeps what its phase promises to programs of the
 * release before (OP-60), and on PostgreSQL to requests that run meanwhile (OP-63). The initial one starts from nothing.
 */
export function problemsOf(migration: Migration, dialect: Dialect): string[] {
  if (migration.name === INITIAL) return [];
  const { name, statements } = migration;
  const found = [
    ...problemsOfPhase(migration),
    ...(dialect === "postgres" ? statements.flatMap(blocking(statements)) : []),
    ...(dialect === "postgres" ? statements.flatMap(impossibleOnPartitions) : []),
  ];
  try {
    stepsOf(migration);
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  }
  return found.map((problem) => `${name}: ${problem}`);
}

function problemsOfPhase({ name, phase, statements, minProgram }: Migration): string[] {
  if (phase === "contract") {
    return minProgram === null || minProgram === name
      ? [
          "a contract names, as min_program, the migration of an earlier release whose programs no longer read what it removes",
        ]
      : [];
  }
  const needsMore = minProgram !== null ? [`an ${phase} must run beside every program, so it has no min_program`] : [];
  if (phase === "backfill") {
    const others = statements.filter((one) => !CHANGES_ROWS.test(one));
    const unbounded = statements.filter((one) => !/\blimit \d+/i.test(one));
    return [
      ...needsMore,
      ...others.map((one) => `a backfill only changes rows: ${firstLine(one)}`),
      ...unbounded.map((one) => `a backfill changes at most 1,000 rows at a time, by LIMIT: ${firstLine(one)}`),
    ];
  }
  const known = statements.map((one) => one.replace(/ concurrently(?: if not exists)?/i, "").replace(NOT_VALID, ""));
  const rest = known.filter((one) => !HARMLESS.some((pattern) => pattern.test(one)) && !isNotValid(statements, one));
  return isAdditive(rest)
    ? needsMore
    : [...needsMore, "an expand only adds tables, indexes, optional columns and constraints that are not valid yet"];
}

/** A constraint on a table that exists, which is added without looking at its rows. */
const isNotValid = (statements: readonly string[], stripped: string) =>
  CONSTRAINT.test(stripped) && statements.some((one) => one.startsWith(stripped.trim()) && NOT_VALID.test(one));

/** What holds up requests on a large table. */
const blocking =
  (statements: readonly string[]) =>
  (statement: string): string[] => {
    const created = new Set(statements.map((one) => CREATE_TABLE.exec(one)?.[1]));
    const [, indexed] = INDEX.exec(statement) ?? [];
    if (indexed !== undefined && !created.has(indexed) && !CONCURRENTLY.test(statement))
      return [`an index on a table that exists is built CONCURRENTLY: ${firstLine(statement)}`];
    const [, constrained] = CONSTRAINT.exec(statement) ?? [];
    if (constrained !== undefined && !created.has(constrained) && !NOT_VALID.test(statement))
      return [`a constraint on a table that exists is added NOT VALID, then validated: ${firstLine(statement)}`];
    return [];
  };

const UNIQUE = /^create unique index .*? on "(\w+)"/i;
const STORAGE = /^alter table "(\w+)" (?:re)?set \(/i;
const FOREIGN_KEY = /^alter table "(\w+)" add constraint .*foreign key/is;
const REFERS = /\breferences (?:"public"\.)?"(\w+)"/is;

/** What PostgreSQL refuses for a partitioned table: some installations have partitions of these. OP-35 */
function impossibleOnPartitions(statement: string): string[] {
  const found: [RegExp, string][] = [
    [UNIQUE, "another unique index"],
    [STORAGE, "storage parameters"],
    [FOREIGN_KEY, "a foreign key"],
    [REFERS, "a foreign key to it"],
  ];
  return found.flatMap(([pattern, what]) => {
    const [, table = ""] = pattern.exec(statement) ?? [];
    return (PARTITIONED_NAMES as readonly string[]).includes(table)
      ? [`${table} can be partitioned, and cannot have ${what} then: ${firstLine(statement)}`]
      : [];
  });
}
