import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation, seedApplication } from "../testing/callers.ts";

const DAY = 86_400;
const TODAY = NOON - (NOON % DAY);

describe.each(engines)("the use of a client, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  test("CO-35 tokens by grant, sign-ins and refusals on each of the last 90 days, of this client only", async () => {
    const { clientId } = await seedApplication(it.deps, "Shop");
    const other = await seedApplication(it.deps, "Other");
    const { db } = it.deps;
    const { tables } = db;
    const row = (day: number, metric: string, count: number) => ({ clientId, day, metric, count });
    await db
      .insert(tables.clientDay)
      .values([
        row(TODAY - 90 * DAY, "sign_in", 1),
        row(TODAY - 89 * DAY, "sign_in", 2),
        row(TODAY - 89 * DAY, "token.refresh_token", 3),
        row(TODAY, "token.refresh_token", 4),
        row(TODAY, "token.authorization_code", 9),
        row(TODAY, "refusal", 5),
        { ...row(TODAY, "refusal", 6), clientId: other.clientId },
      ]);
    const use = await it.as("viewer").clients.use({ clientId });
    expect(use).toMatchObject({ at: NOON, from: TODAY - 89 * DAY, stepSeconds: DAY });
    expect(use.tokens.series).toEqual([
      { name: "authorization_code", total: 9 },
      { name: "refresh_token", total: 7 },
    ]);
    const ends = (chart: typeof use.tokens) => [
      chart.total,
      chart.bars.length,
      chart.bars[0]?.counts,
      chart.bars[89]?.counts,
    ];
    expect(ends(use.tokens)).toEqual([16, 90, [0, 3], [9, 4]]);
    expect(ends(use.signIns)).toEqual([2, 90, [2], [0]]);
    expect(ends(use.refusals)).toEqual([5, 90, [0], [5]]);
  });

  test("CO-35 a client that did nothing has empty charts, and an unknown one is not found", async () => {
    const { clientId } = await seedApplication(it.deps, "Shop");
    expect(await it.as("viewer").clients.use({ clientId })).toMatchObject({
      tokens: { total: 0, series: [] },
      refusals: { total: 0 },
    });
    await expect(it.as("viewer").clients.use({ clientId: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
