import type { Handle } from "../query/handle.ts";

export type Bound<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (handle: Handle, ...rest: infer Rest) => infer Answer ? (...rest: Rest) => Answer : never;
};

/** Binds every query to the handle. */
export function bind<Queries extends Record<string, (handle: Handle, ...rest: never[]) => unknown>>(
  queries: Queries,
  handle: Handle,
): Bound<Queries> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [name, (...rest: never[]) => query(handle, ...rest)]),
  ) as Bound<Queries>;
}
