import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation } from "../testing/installation.ts";
import { auditWrite, changedFields } from "./entry.ts";

const ADA = {
  role: "developer",
  id: "u1",
  name: "Ada",
  via: "console",
  freshSince: NOON,
  address: "192.0.2.1",
} as const;

describe.each(engines)("the audit log on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  const rows = () => it.deps.db.select().from(it.deps.db.tables.audit).orderBy(it.deps.db.tables.audit.id);

  test("CO-64 a row names who did what to what, where from and when, and rows sort by time", async () => {
    const first = auditWrite(ADA, { action: "webhook.reveal", object: "d1", environment: "staging" }, it.deps);
    it.clock.now += 1;
    const detail = { count: 3 };
    const second = auditWrite(
      { ...ADA, via: "api", address: null },
      { action: "webhook.export", object: "all", detail },
      it.deps,
    );
    await it.deps.db.transaction([second, first]);
    expect(await rows()).toMatchObject([
      {
        id: expect.any(String),
        at: NOON,
        actorId: "u1",
        actorName: "Ada",
        role: "developer",
        via: "console",
        action: "webhook.reveal",
        object: "d1",
        environment: "staging",
        detail: {},
        address: "192.0.2.1",
      },
      { at: NOON + 1, via: "api", action: "webhook.export", environment: null, detail, address: null },
    ]);
  });

  test("CO-64 no row is written if the change that it belongs to fails", async () => {
    const { db } = it.deps;
    const taken = db.insert(db.tables.users).values({
      id: "admin",
      email: "admin@example.com",
      name: "Twin",
      role: "user",
      passwordHash: "none",
      registeredBy: "operator",
      createdAt: NOON,
    });
    await expect(
      db.transaction([auditWrite(ADA, { action: "user.create", object: "admin" }, it.deps), taken]),
    ).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });
});

test("changed fields ignore the order of an object's members, which databases change", () => {
  const before = { name: null, settings: { a: 1, b: [2] }, environment: "staging" };
  expect(changedFields(before, { settings: { b: [2], a: 1 }, name: "EU" })).toEqual({
    name: { before: null, after: "EU" },
  });
});
