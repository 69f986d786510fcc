import { openInstallationOf } from "@gatehouse/console/testing/callers";
import { createCallerFactory } from "@gatehouse/console/trpc";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrations, scopes } from "../index.ts";
import { productRouter } from "../routers.ts";
import { type SubscriptionRow, writeSubscription } from "./queries.ts";

const callerOf = createCallerFactory(productRouter);

describe.each(engines)("subscriptions.list on $name", ({ name, open }) => {
  const openIt = () => openInstallationOf({ name, open: () => open({ further: migrations }) }, callerOf, scopes);
  let it: Awaited<ReturnType<typeof openIt>>;
  beforeAll(async () => {
    it = await openIt();
  });
  afterAll(() => it.close());

  test("a user is shown no subscription that a development endpoint was told of; members of the team see which one it is", async () => {
    const { db } = it.deps;
    const users = await db.select().from(db.tables.users);
    const rows = users.flatMap(({ id: userId }) =>
      (["development", "production"] as const).map(
        (environment): SubscriptionRow => ({
          endpoint: `stripe-${environment}`,
          id: `sub_${userId}`,
          environment,
          userId,
          customerId: "cus_1",
          status: "active",
          plan: "Team",
          periodEndAt: null,
          cancelAtPeriodEnd: false,
          lastEventId: "evt_1",
          lastEventType: "x",
          lastEventAt: 1,
          version: "1",
        }),
      ),
    );
    await db.transaction(rows.map((row) => writeSubscription(db, row)));
    const environments = async (role: "user" | "viewer") =>
      new Set((await it.as(role).subscriptions.list({ limit: 100 })).items.map(({ environment }) => environment));
    expect([...(await environments("user"))]).toEqual(["production"]);
    expect([...(await environments("viewer"))].sort()).toEqual(["development", "production"]);
  });
});
