import type { Db } from "../query/db.ts";

export type Bound<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (db: Db, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never;
};

/** Binds every query to the database. */
export function bind<Queries extends Record<string, (db: Db, ...rest: never[]) => unknown>>(
  queries: Queries,
  db: Db,
): Bound<Queries> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [name, (...rest: never[]) => query(db, ...rest)]),
  ) as Bound<Queries>;
}
