import { expect, test } from "vitest";
import { staleMigrations } from "../packages/db/src/testing/stale-migrations.ts";
import { staleFiles } from "./generate.ts";

test("CO-22 PW-03 every generated file is what npm run generate writes", () => {
  expect(staleFiles().map(({ file }) => file)).toEqual([]);
});

test("the migrations end with the schema: db:generate would write nothing", async () => {
  expect(await staleMigrations()).toEqual([]);
});
