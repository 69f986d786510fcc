import type { Database } from "@gatehouse/db/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixture } from "../harness/fixture.ts";
import { serviceToken } from "../harness/flow.ts";
import { FULL, type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

const DELIVERIES = FULL ? 1_000_000 : 200_000;
const OLDEST = 1_700_000_000;
/** How many rows one search examines. */
const EXAMINED = 25_000;

/** Inserts accepted deliveries, a second apart, by one statement; a million take about five seconds. */
async function fillInbox(database: Pick<Database, "engine">): Promise<void> {
  if (database.engine.dialect !== "sqlite") throw new Error("expected SQLite");
  const { connection } = database.engine;
  connection.pragma("synchronous = OFF");
  connection.exec(`
    INSERT INTO webhook_deliveries (id, endpoint, environment, received_at, method, outcome, reason, status, event_type, event_id, headers, body, ack_ms, source)
    WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${DELIVERIES})
    SELECT printf('%s-%s-7000-8000-%012x', substr(ms, 1, 8), substr(ms, 9), i), 'stripe', 'production', ${OLDEST} + i, 'POST', 'accepted', 'accepted', 200, 'invoice.paid', printf('evt_%07d', i), '{}', x'7b7d', 1, 'http'
    FROM (SELECT i, printf('%012x', (${OLDEST} + i) * 1000) AS ms FROM numbers)`);
}

describe("an inbox of many deliveries", () => {
  let own: Gatehouse;
  let issuer: string;
  let token: string;

  beforeAll(async () => {
    own = await startGatehouse({ engine: "sqlite", fixture: fixture(), fill: fillInbox });
    issuer = own.issuer;
    token = await consoleToken(issuer, "admin");
  });
  afterAll(() => own?.stop());

  type Page = { items: unknown[]; nextCursor: string | null; searchedBackTo: number | null };
  const search = async (input: object) => dataOf<Page>(await query(issuer, "deliveries.list", input, token));
  /** No index supports it, and nothing matches. */
  const worst = { eventType: "none.such" };

  test("CO-55 a filter that matches nothing says how far back it searched, and its cursor continues there", async () => {
    const first = await search(worst);
    expect(first).toEqual({
      items: [],
      nextCursor: expect.any(String),
      searchedBackTo: OLDEST + DELIVERIES - EXAMINED + 1,
    });
    const second = await search({ ...worst, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [], searchedBackTo: OLDEST + DELIVERIES - 2 * EXAMINED + 1 });
    expect(await search({ ...worst, from: OLDEST + DELIVERIES - 1000 })).toEqual({
      items: [],
      nextCursor: null,
      searchedBackTo: null,
    });
  });

  test("a list shows a change made just before it", async () => {
    const names = Array.from({ length: 20 }, (_, at) => `Application ${at} of the large inbox`);
    for (const name of names) {
      await mutate(issuer, "applications.create", { name, description: "" }, token);
      const { items } = dataOf<{ items: { name: string }[] }>(
        await query(issuer, "applications.list", { limit: 100 }, token),
      );
      expect(items.map((item) => item.name)).toContain(name);
    }
  });

  test("CO-55 while the worst filter runs without a pause, the p99 of /token stays under 50 ms, or twice what a busy machine allows", async () => {
    const rounds: { quiet: number; searching: number }[] = [];
    const isGood = ({ quiet, searching }: (typeof rounds)[number]) => searching < Math.max(50, 2 * quiet);
    while (rounds.length < 3 && !rounds.some(isGood)) {
      const quiet = await p99OfToken();
      const stop = startSearching();
      const searching = await p99OfToken();
      expect(await stop()).toBeGreaterThan(2);
      rounds.push({ quiet, searching });
    }
    expect(rounds.some(isGood), `milliseconds: ${JSON.stringify(rounds)}`).toBe(true);
  }, 120_000);

  /** Keeps two searches running until the returned function is called, which returns their number. */
  function startSearching(): () => Promise<number> {
    let running = true;
    let searches = 0;
    const searching = [1, 2].map(async () => {
      for (; running; searches++) await search(worst);
    });
    return async () => {
      running = false;
      await Promise.all(searching);
      return searches;
    };
  }

  async function p99OfToken(): Promise<number> {
    const times: number[] = [];
    for (let at = 0; at < 200; at++) {
      const began = performance.now();
      await serviceToken(issuer);
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  }
});
