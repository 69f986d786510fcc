import { engines } from "@gatehouse/db/testing/engines";
import { describe, expect, test } from "vitest";
import { POSTGRES_BUDGETS, SQLITE_BUDGETS } from "./budgets.ts";
import { HOT_PATHS } from "./hot-paths.ts";
import { measurePostgres, measureSqlite } from "./measure.ts";

// Equal, not at most: a change that makes a path cheaper lowers its budget too, so that a later one cannot spend the
// difference unnoticed. Raise a budget only for a reason that the commit names. Either way, run
// `npm run bench -- --costs` for the page.
describe("a request of a hot path spends exactly its budget", () => {
  test("of statements, PRAGMAs, commits and written B-trees on SQLite", async () => {
    const costs = await measureSqlite();
    for (const path of HOT_PATHS) {
      const { logBytes: _, trees, ...counts } = costs[path];
      const budget = SQLITE_BUDGETS[path];
      expect({ path, ...counts, trees: [...trees].sort() }).toEqual({
        path,
        ...budget,
        trees: [...budget.trees].sort(),
      });
    }
  });

  test("of statements and round trips on PostgreSQL", async () => {
    const database = await engines.find(({ name }) => name === "postgres")?.open({ fresh: true });
    if (!database) throw new Error("expected PostgreSQL");
    const costs = await measurePostgres(database.url).finally(() => database.close());
    for (const path of HOT_PATHS) expect({ path, ...costs[path] }).toEqual({ path, ...POSTGRES_BUDGETS[path] });
  });
});
