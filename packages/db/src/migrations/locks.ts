/** What a statement of a migration does to the table that it touches, on PostgreSQL. */
export type Lock = { table: string | undefined; lock: string; meanwhile: string };

const NOTHING = "reads and writes go on";
const NAME = '"?(\\w+)"?';

/** The first that fits. https://www.postgresql.org/docs/current/explicit-locking.html */
const LOCKS: readonly [pattern: RegExp, lock: string, meanwhile: string][] = [
  [
    new RegExp(`^create (?:unique )?index concurrently (?:if not exists )?${NAME} on ${NAME}`, "i"),
    "SHARE UPDATE EXCLUSIVE",
    NOTHING,
  ],
  [new RegExp(`^create (?:unique )?index (?:if not exists )?${NAME} on ${NAME}`, "i"), "SHARE", "writes wait"],
  [new RegExp(`^alter table ()${NAME} validate constraint`, "i"), "SHARE UPDATE EXCLUSIVE", NOTHING],
  [new RegExp(`^alter table ()${NAME} add constraint .*foreign key`, "is"), "SHARE ROW EXCLUSIVE", "writes wait"],
  [
    new RegExp(`^create (?:or replace )?(?:constraint )?trigger ${NAME} .*? on ${NAME}`, "is"),
    "SHARE ROW EXCLUSIVE",
    "writes wait",
  ],
  [new RegExp(`^(alter table|drop table(?: if exists)?) ${NAME}`, "i"), "ACCESS EXCLUSIVE", "reads and writes wait"],
  [new RegExp(`^(update|insert into|delete from) ${NAME}`, "i"), "ROW EXCLUSIVE", NOTHING],
  [new RegExp(`^create (table)(?: if not exists)? ${NAME}`, "i"), "none", "it is new"],
  [/^create (?:or replace )?(function)()/i, "none", NOTHING],
];

/** The lock that a statement takes. One that is not known counts as the strongest. OP-64 */
export function lockOf(statement: string): Lock {
  const sql = statement.replace(/^(?:--.*\n)+/, "");
  for (const [pattern, lock, meanwhile] of LOCKS) {
    const match = pattern.exec(sql);
    if (match) return { table: match[2] || undefined, lock, meanwhile };
  }
  return { table: undefined, lock: "unknown, counted as ACCESS EXCLUSIVE", meanwhile: "reads and writes wait" };
}
