import { OAuthError, recordRefusal } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation, seedApplication } from "./testing/callers.ts";

/** More than a page of an export. */
const COUNT = 205;
/** The ledger keeps up to 50 rows of a group. CO-51. */
const ENDPOINTS = ["/token", "/introspect", "/revoke", "/par", "/device_authorization"];
const addressOf = (one: number) => `198.51.${one}.7`;

type Page<Item> = { items: Item[]; nextCursor: string | null };

/** All rows of a started export, and how many pages they took. */
async function rowsOf<Item>(load: (cursor: string | null) => Promise<Page<Item>>) {
  const pages: Page<Item>[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await load(cursor);
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === null) return { pages: pages.length, rows: pages.flatMap(({ items }) => items) };
  }
}

describe.each(engines)("CO-85 exports of failures and applications, on $name", (engine) => {
  let it: Installation;
  beforeAll(async () => {
    it = await openInstallation(engine);
    const { clientId } = await seedApplication(it.deps);
    for (let one = 0; one < COUNT; one++) {
      it.clock.now += 1;
      const error = new OAuthError("invalid_client", one === 0 ? "secret_wrong" : "client_unknown", "refused");
      await recordRefusal(error, { endpoint: ENDPOINTS[one % 5] ?? "", clientId }, it.deps, {
        address: addressOf(one),
      });
      await it.as("admin").applications.create({ name: `Exported ${one}` });
    }
  });
  afterAll(() => it.close());

  const failures = async (role: "admin" | "viewer", filter = {}) => {
    const { refusals } = it.as(role);
    const { ticket } = await refusals.export({ filter });
    return rowsOf((cursor) => refusals.exportPage({ ticket, cursor }));
  };
  const applications = async (filter = {}) => {
    const console = it.as("viewer").applications;
    const { ticket } = await console.export({ filter });
    return rowsOf((cursor) => console.exportPage({ ticket, cursor }));
  };

  test("hold every failure once, newest first, with the address that this person may see", async () => {
    const { pages, rows } = await failures("admin");
    expect(pages).toBeGreaterThan(1);
    expect(rows.map(({ at }) => at)).toEqual(Array.from({ length: COUNT }, (_, back) => NOON + COUNT - back));
    expect(rows.at(-1)?.address).toBe(addressOf(0));
    expect((await failures("viewer")).rows.at(-1)?.address).toBe("198.51.0.0/24");
  });

  test("hold every application once, with its clients and without secrets", async () => {
    const { pages, rows } = await applications({ query: "Exported" });
    expect(pages).toBeGreaterThan(1);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(COUNT);
    expect(rows).toHaveLength(COUNT);
    expect(JSON.stringify(rows)).not.toMatch(/gcs_|hash/i);
  });

  test("hold what matches the filters", async () => {
    expect((await failures("admin", { cause: "secret_wrong" })).rows).toMatchObject([{ cause: "secret_wrong" }]);
    const { items } = await it.as("viewer").refusals.groups({ cause: "secret_wrong" });
    await it.as("admin").refusals.decide({ key: items[0]?.key ?? "", decision: { kind: "resolved" } });
    expect((await failures("viewer", { state: "resolved" })).rows).toMatchObject([{ cause: "secret_wrong" }]); // CO-46
    expect((await failures("viewer", { state: "open" })).rows).toHaveLength(COUNT - 1);
    expect((await applications({ query: "Exported 204" })).rows).toMatchObject([{ name: "Exported 204" }]);
  });

  test("need a fresh sign-in, leave an audit row with the filter, and their pages are for who started them", async () => {
    const { refusals, applications: list } = it.as("viewer");
    const { ticket } = await refusals.export({ filter: { cause: "secret_wrong" } });
    const { db } = it.deps;
    const { tables } = db;
    expect(await db.select().from(tables.audit)).toContainEqual(
      expect.objectContaining({
        action: "failure.export",
        actorId: "viewer",
        detail: expect.objectContaining({ filter: { cause: "secret_wrong" } }),
      }),
    );
    const refused = { code: "NOT_FOUND" };
    await expect(it.as("admin").refusals.exportPage({ ticket, cursor: null })).rejects.toMatchObject(refused);
    await expect(list.exportPage({ ticket, cursor: null })).rejects.toMatchObject(refused);
    const old = it.as("viewer", undefined, { authTime: it.deps.now() - 3_600 });
    await expect(old.refusals.export({})).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(old.applications.export({})).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});
