import { randomBytes } from "node:crypto";
import { mintTimeOrderedId, timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import { asc, gte } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../database.ts";
import { testServer } from "../testing/engines.ts";
import { databaseUrl } from "../testing/postgres-server.ts";

/** As most servers create them: upper and lower case sort next to each other. */
const LOCALE = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
const SECONDS = 200;

describe("a PostgreSQL database that sorts as people do", () => {
  let server: string;
  let database: Database;
  const name = `gatehouse_icu_${randomBytes(6).toString("hex")}`;
  async function run(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql);
    await client.end();
  }
  beforeAll(async () => {
    server = await testServer();
    await run(`CREATE DATABASE ${name} TEMPLATE template0 ${LOCALE}`);
    database = await openDatabase(databaseUrl(server, name));
    await database.migrate();
  });
  afterAll(async () => {
    await database?.close();
    await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  test("OP-34 lists time-ordered ids by time, and finds those since a time", async () => {
    const { db } = database;
    const { tables } = db;
    const start = 1_800_000_000;
    const ids = Array.from({ length: SECONDS }, (_, at) =>
      mintTimeOrderedId({ now: () => start + at, random: randomBytes }),
    );
    const rows = ids.map((id, at) => ({
      id,
      userId: "ada",
      at: start + at,
      kind: "signed_in" as const,
      userAgent: null,
      address: null,
      detail: {},
    }));
    await db
      .insert(tables.users)
      .values({ id: "ada", email: "ada@example.com", name: "Ada", role: "user", createdAt: start });
    await db.insert(tables.accountEvents).values(rows.toReversed());
    const { id } = tables.accountEvents;
    const all = await db.select({ id }).from(tables.accountEvents).orderBy(asc(id));
    expect(all.map((row) => row.id)).toEqual(ids);
    const since = await db
      .select({ id })
      .from(tables.accountEvents)
      .where(gte(id, timeOrderedIdsFrom(start + 100)));
    expect(since.map((row) => timeOfId(row.id)).toSorted()).toEqual(
      Array.from({ length: 100 }, (_, at) => start + 100 + at),
    );
  });

  test("OP-34 every column that is ordered by such ids is compared by bytes", async () => {
    const ordered = [
      "access_tokens.hash",
      "account_events.id",
      "audit.id",
      "authorization_codes.hash",
      "jobs.id",
      "mails.id",
      "sign_ins.id",
      "webhook_attempts.delivery_id",
      "webhook_attempts.id",
    ];
    const client = new pg.Client({ connectionString: databaseUrl(server, name) });
    await client.connect();
    const { rows } = await client.query<{ column: string }>(
      `select table_name || '.' || column_name as column from information_schema.columns where collation_name = 'C' and table_schema = 'public'`,
    );
    await client.end();
    // Users are found by the beginning of their address or name, and clients by that of a host, which is a range of
    // bytes.
    const others = [
      "client_hosts.host",
      "managed_objects.audit_from",
      "refresh_families.id", // so that new rows are adjacent, and a lookup compares no words
      "users.email",
      "users.name",
      "webhook_deliveries.id",
      "webhook_events.delivery_id",
    ];
    expect(rows.map(({ column }) => column).toSorted()).toEqual([...ordered, ...others].toSorted());
  });
});
