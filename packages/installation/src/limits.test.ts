import { openDatabase } from "@gatehouse/db";
import { networkKey } from "@gatehouse/net";
import { expect, test } from "vitest";
import { createLimits } from "./limits.ts";

test("PA-01 a client that registered itself can push 60 requests a minute from one address, one of an admin 3,000", async () => {
  const database = await openDatabase(":memory:");
  await database.migrate();
  let now = 1_800_000_000;
  const { pushLimits } = createLimits(database, () => now, { available: true });
  const key = networkKey({ address: "192.0.2.1" });
  /** How many of so many pushes at once pass. */
  async function passed(limit: keyof typeof pushLimits, pushes: number): Promise<number> {
    let count = 0;
    for (let push = 0; push < pushes && pushLimits[limit].waitSeconds(key) === 0; push++, count++) await pushLimits[limit].failed(key);
    return count;
  }

  expect(await passed("client", 100)).toBe(60);
  expect(await passed("trustedClient", 3001)).toBe(3000);
  now += 61;
  expect(await passed("client", 1)).toBe(1);
  await database.close();
});
