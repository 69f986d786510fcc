import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation } from "../../testing/callers.ts";

const HOUR = 3_600;

describe.each(engines)("the charts of the deliveries, CO-57, on $name", (engine) => {
  let it: Installation;
  const hour = Math.floor(NOON / HOUR) * HOUR;
  const day = Math.floor(NOON / (24 * HOUR)) * 24 * HOUR;
  const stats = (input: Parameters<ReturnType<Installation["as"]>["deliveries"]["stats"]>[0]) =>
    it.as("viewer").deliveries.stats(input);

  beforeAll(async () => {
    it = await openInstallation(engine);
    const { db } = it.deps;
    const { tables } = db;
    await db.insert(tables.webhookEndpoints).values({
      slug: "stripe-staging",
      provider: "stripe",
      environment: "staging",
      name: null,
      settings: {},
      createdAt: NOON,
    });
    const row = (at: number, environment: string, metric: string, key: string, count: number) => ({
      at,
      environment,
      metric,
      key,
      count,
    });
    await db
      .insert(tables.statHour)
      .values([
        row(hour, "production", "webhook_result", "stripe/accepted", 5),
        row(hour, "production", "webhook_result", "github/accepted", 2),
        row(hour - HOUR, "production", "webhook_result", "stripe/rejected", 3),
        row(hour, "staging", "webhook_result", "stripe-staging/duplicate", 4),
        row(hour - 40 * HOUR, "production", "webhook_result", "stripe/accepted", 100),
        row(hour - HOUR, "production", "webhook_reason", "stripe/signature_mismatch", 1),
        row(hour - HOUR, "production", "webhook_reason", "stripe/signature_missing", 2),
        row(hour, "production", "webhook_handler", "stripe/ok", 4),
        row(hour, "production", "webhook_handler", "stripe/dead", 1),
        row(hour, "production", "webhook_ack", "github/5", 99),
        row(hour, "production", "webhook_ack", "github/10000", 1),
        row(hour, "staging", "webhook_ack", "stripe-staging/inf", 1),
      ]);
    await db
      .insert(tables.statDay)
      .values([row(day - 29 * 24 * HOUR, "production", "webhook_result", "stripe/accepted", 9)]);
  });
  afterAll(() => it.close());

  const sumOf = (rows: readonly Record<string, number>[], name: string) =>
    rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);

  test("have a bar for every hour of the last 24, with zeros where nothing happened", async () => {
    const { from, stepSeconds, results, handlers } = await stats({ range: "24h" });
    expect({ from, stepSeconds, bars: results.length }).toEqual({
      from: hour - 24 * HOUR,
      stepSeconds: HOUR,
      bars: 25,
    });
    expect(results.at(-1)).toEqual({ at: hour, accepted: 7, duplicate: 4, rejected: 0 });
    expect(results.at(-2)).toEqual({ at: hour - HOUR, accepted: 0, duplicate: 0, rejected: 3 });
    expect(results[0]).toEqual({ at: from, accepted: 0, duplicate: 0, rejected: 0 });
    expect(handlers.at(-1)).toEqual({ at: hour, ok: 4, failed: 0, dead: 1 });
  });

  test("list the results of every endpoint, the busiest first", async () => {
    const { endpoints } = await stats({ range: "24h" });
    expect(endpoints).toEqual([
      { endpoint: "stripe", provider: "stripe", accepted: 5, duplicate: 0, rejected: 3 },
      { endpoint: "stripe-staging", provider: "stripe", accepted: 0, duplicate: 4, rejected: 0 },
      { endpoint: "github", provider: "github", accepted: 2, duplicate: 0, rejected: 0 },
    ]);
    const ofStaging = await stats({ range: "24h", environment: "staging" });
    expect(ofStaging.endpoints.map(({ endpoint }) => endpoint)).toEqual(["stripe-staging"]);
    expect((await stats({ range: "24h", provider: "github" })).endpoints).toEqual([endpoints[2]]);
  });

  test("list reasons by frequency, and response times against the time that the provider waits", async () => {
    const { reasons, responses } = await stats({ range: "24h" });
    expect(reasons).toEqual([
      { reason: "signature_missing", count: 2 },
      { reason: "signature_mismatch", count: 1 },
    ]);
    expect(responses).toEqual([
      { provider: "github", count: 100, p50Ms: 5, p95Ms: 5, p99Ms: 5, budgetMs: 10_000 },
      { provider: "stripe", count: 1, p50Ms: null, p95Ms: null, p99Ms: null, budgetMs: null },
    ]);
  });

  test("are of one environment, provider or endpoint", async () => {
    const accepted = async (input: Omit<Parameters<typeof stats>[0], "range">) => {
      const { results } = await stats({ range: "24h", ...input });
      return ["accepted", "duplicate", "rejected"].map((name) => sumOf(results, name));
    };
    expect(await accepted({ environment: "staging" })).toEqual([0, 4, 0]);
    expect(await accepted({ provider: "stripe" })).toEqual([5, 4, 3]);
    expect(await accepted({ endpoint: "stripe" })).toEqual([5, 0, 3]);
    expect(await accepted({ endpoint: "stripe", environment: "staging" })).toEqual([0, 0, 0]);
  });

  test.each([
    ["1h", 2, HOUR, 7],
    ["7d", 29, 6 * HOUR, 107],
    ["30d", 31, 24 * HOUR, 9],
  ] as const)("of %s have %i bars of %i seconds", async (range, bars, stepSeconds, accepted) => {
    const found = await stats({ range });
    expect([found.results.length, found.stepSeconds, sumOf(found.results, "accepted")]).toEqual([
      bars,
      stepSeconds,
      accepted,
    ]);
  });

  test("say since when payloads are deleted early", async () => {
    expect((await stats({ range: "1h" })).evictedAt).toBeNull();
    const { db } = it.deps;
    const { tables } = db;
    await db.insert(tables.installation).values({ key: "deliveries_evicted_since", value: String(NOON) });
    expect((await stats({ range: "1h" })).evictedAt).toBe(NOON);
  });
});
