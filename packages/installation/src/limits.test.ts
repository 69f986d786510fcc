import type { Quota } from "@gatehouse/auth";
import { openDatabase } from "@gatehouse/db/database";
import { networkKey, siteKey, subjectKey, type ThrottleKey } from "@gatehouse/runtime";
import { expect, test } from "vitest";
import { createLimits } from "./limits.ts";

test("PA-01 a client that registered itself can push 60 requests a minute from one address, one of an admin 3,000", async () => {
  const database = await openDatabase(":memory:");
  await database.migrate();
  let now = 1_800_000_000;
  const { pushLimits } = createLimits(database, () => now, { mailWorks: true });
  const key = networkKey({ address: "192.0.2.1" });
  /** How many of so many pushes at once pass. */
  async function passed(limit: keyof typeof pushLimits, pushes: number): Promise<number> {
    let count = 0;
    for (let push = 0; push < pushes && pushLimits[limit].waitSeconds(key) === 0; push++, count++)
      await pushLimits[limit].failed(key);
    return count;
  }

  expect(await passed("client", 100)).toBe(60);
  expect(await passed("trustedClient", 3001)).toBe(3000);
  now += 61;
  expect(await passed("client", 1)).toBe(1);
  await database.close();
});

test("DC-06 DC-08 CI-10 one registration, and one network, use up their own quotas alone", async () => {
  const database = await openDatabase(":memory:");
  await database.migrate();
  const { quota } = createLimits(database, () => 1_800_000_000, { mailWorks: true });
  /** How many of so many at once pass. */
  async function passed(of: Quota, key: ThrottleKey, times: number): Promise<number> {
    let count = 0;
    for (let at = 0; at < times; at++) if ((await quota(of, key)) === 0) count += 1;
    return count;
  }
  const [one, other] = [siteKey({ address: "2001:db8:1:2::7" }), siteKey({ address: "2001:db8:2::7" })];

  expect(await passed("registration change", subjectKey("client", "one"), 25)).toBe(20);
  expect(await passed("registration change", subjectKey("client", "other"), 1)).toBe(1);
  expect(await passed("registration in a crowd", one, 10)).toBe(5);
  expect(await passed("registration in a crowd", siteKey({ address: "2001:db8:1:3::7" }), 1)).toBe(0);
  expect(await passed("registration in a crowd", other, 10)).toBe(5);
  expect(await passed("client fetch from host", one, 250)).toBe(240);
  expect(await passed("client fetch", one, 1)).toBe(1);
  await database.close();
});
