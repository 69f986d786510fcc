import { expect, test } from "vitest";
import { createDatabaseProbe } from "./database-probe.ts";

test("OP-71 the database is asked at most once in two seconds, and all callers in between get that answer", async () => {
  let [time, asked, isUp] = [0, 0, true];
  const probe = createDatabaseProbe(
    async () => {
      asked += 1;
      if (!isUp) throw new Error("no database");
    },
    () => time,
  );
  expect(await Promise.all([probe(), probe(), probe()])).toEqual([true, true, true]);
  isUp = false;
  time = 1_999;
  expect(await probe()).toBe(true);
  time = 2_000;
  expect([await probe(), await probe()]).toEqual([false, false]);
  expect(asked).toBe(2);
});
