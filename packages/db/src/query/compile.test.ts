import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import type { Db } from "./db.ts";
import { prepared } from "./prepared.ts";

/** Each reads what a hot query may: a whole table, one column, an expression, a table that a join may not find. */
const QUERIES = {
  "a whole table": (db: Db) => {
    const { clients } = db.tables;
    return db
      .select()
      .from(clients)
      .where(eq(clients.id, sql.placeholder("id")));
  },
  "some columns and an expression": (db: Db) => {
    const { clients } = db.tables;
    return db
      .select({
        scopes: clients.scopes,
        firstParty: clients.firstParty,
        twice: sql<string>`${clients.type} || ${clients.type}`,
      })
      .from(clients)
      .where(eq(clients.id, sql.placeholder("id")));
  },
  "what a join may not find": (db: Db) => {
    const { clients, applications, clientSecrets: secrets } = db.tables;
    return db
      .select({
        client: clients,
        name: applications.name,
        secret: secrets,
        one: { hint: secrets.hint, application: applications.id },
      })
      .from(clients)
      .innerJoin(applications, eq(applications.id, clients.applicationId))
      .leftJoin(secrets, eq(secrets.clientId, clients.id))
      .where(eq(clients.id, sql.placeholder("id")));
  },
};

describe.each(engines)("a compiled query returns what drizzle's own returns, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    await seed(database.db);
  });
  afterAll(() => database.close());

  describe.each(Object.entries(QUERIES))("%s", (name, build) => {
    test.each(["shop-dev", "shop-prod", "nobody"])("of %s", async (id) => {
      const { db } = database;
      const rows = await prepared(db, name, build as (typeof QUERIES)["a whole table"]).execute({ id });
      expect(rows).toEqual(await build(db).prepare(`drizzle ${name}`).execute({ id }));
      expect(rows).toHaveLength(id === "nobody" ? 0 : 1);
    });
  });

  test("a write returns its columns; a missing value is an error, not null", async () => {
    const insert = (db: Db) => {
      const { installation } = db.tables;
      return db
        .insert(installation)
        .values({ key: sql.placeholder("key"), value: sql.placeholder("value") })
        .returning({ written: installation.key });
    };
    const written = prepared(database.db, "write a fact", insert);
    expect(await written.execute({ key: "a", value: String(NOW) })).toEqual([{ written: "a" }]);
    await expect(written.execute({ key: "b" })).rejects.toThrow("value");
  });
});
