import { createRateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { subjectKey } from "@gatehouse/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDeviceAttempts, DEVICE_LIMITS } from "./attempts.ts";

describe.each(engines)("entering a user code, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const account = (name: string, session = name) => ({ session: { id: session }, user: { id: name } }) as never;
  const enter = (name: string, address: string, session?: string) =>
    createDeviceAttempts(database).code(account(name, session), { address }).begin();

  test("DF-05 wrong codes are limited by session, and by account whatever its session and address", async () => {
    for (let at = 0; at < 5; at++) expect(await enter("ada", "192.0.2.1", "one")).toBe(0);
    expect(await enter("ada", "192.0.2.1", "one")).toBeGreaterThan(0);
    for (let at = 0; at < 5; at++) expect(await enter("ada", `198.51.100.${at}`, `session ${at}`)).toBe(0);
    expect(await enter("ada", "203.0.113.1", "another")).toBeGreaterThan(0);
  });

  test("DF-05 codes in links have limits of their own, so that a site cannot lock its visitors out", async () => {
    const attempts = createDeviceAttempts(database);
    const follow = () => attempts.link(account("carol"), { address: "192.0.2.77" }).begin();
    for (let at = 0; at < 5; at++) expect(await follow()).toBe(0);
    expect(await follow()).toBeGreaterThan(0);
    expect(await enter("carol", "192.0.2.77")).toBe(0);
  });

  test("DF-05 what strangers guess in all locks out nobody from another network, who then has as many tries as one session", async () => {
    const everybody = createRateLimiter(database, DEVICE_LIMITS.codeByAnybody);
    await Promise.all(Array.from({ length: 500 }, () => everybody.attempt(subjectKey("everybody"))));
    for (let at = 0; at < 5; at++) expect(await enter(`eve-${at}`, `2001:db8:bad:${at}::1`)).toBe(0);
    expect(await enter("eve-5", "2001:db8:bad:5::1")).toBeGreaterThan(0);

    const attempts = createDeviceAttempts(database).code(account("bob"), { address: "2001:db8:900d::1" });
    for (let at = 0; at < 12; at++) {
      expect(await attempts.begin()).toBe(0);
      await attempts.succeeded();
    }
  });
});
