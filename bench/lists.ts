// How long the console's list of webhook deliveries takes with a thousand, a hundred thousand and a million rows, on
// both engines: node --import tsx bench/lists.ts. Prints the table of docs/performance.md.
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listDeliveryRows } from "../packages/console/src/deliveries/queries.ts";
import type { DeliveryFilter } from "../packages/console/src/lists/lists.ts";
import { statSeries } from "../packages/console/src/overview/stat-queries.ts";
import { type Database, openDatabase } from "../packages/db/src/database.ts";
import { startPostgresServer } from "../packages/db/src/testing/postgres-server.ts";
import { deliveryIdsFrom, eventKeyOf } from "../packages/webhooks/src/index.ts";

const SIZES = [1_000, 100_000, 1_000_000] as const;
const RUNS = 200;
const OLDEST = 1_750_000_000;
const DAY = 86_400;
const LIMIT = 50;

/**
 * A delivery a second. One in 100 is of a staging endpoint, one in 200 a duplicate, one in 500 rejected, one in 400
 * never handled.
 */
function fillStatements(from: number, to: number, dialect: "sqlite" | "postgres"): string[] {
  const sqlite = dialect === "sqlite";
  const hex = sqlite
    ? "printf('%012x', (1750000000 + i) * 1000)"
    : "lpad(to_hex((1750000000 + i::bigint) * 1000), 12, '0')";
  const numbers = sqlite
    ? `(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to}) select i from n)`
    : `(select generate_series(${from}, ${to}) as i)`;
  const key = sqlite
    ? "event_key('id:evt_' || i)"
    : "convert_to(rpad(i::text, 8), 'UTF8') || substring(sha256(convert_to('id:evt_' || i, 'UTF8')) for 16)";
  const id = `substr(h, 1, 8) || '-' || substr(h, 9) || '-7000-8000-000000000000'`;
  const endpoint = "case when i % 100 = 0 then 'stripe-staging' when i % 3 = 0 then 'polar' else 'stripe' end";
  const outcome = "case when i % 500 = 3 then 'rejected' when i % 200 = 7 then 'duplicate' else 'accepted' end";
  return [
    `insert into webhook_deliveries (id, endpoint, environment, received_at, method, outcome, reason, status, event_type, event_id, event_key, headers, body,
       body_bytes, ack_ms, source)
     select ${id}, ${endpoint}, 'production', ${OLDEST} + i, 'POST', ${outcome}, case when ${outcome} = 'rejected' then 'signature_mismatch' else ${outcome} end,
       200, case when i = 2 then 'rare.type' else 'type.' || (i % 20) end, 'evt_' || i, case when ${outcome} = 'rejected' then null else ${key} end,
       '{"content-type":"application/json"}', ${sqlite ? "x'7b7d'" : "'{}'::bytea"}, 2, 1, 'http'
     from (select i, ${hex} as h from ${numbers} as m) as r order by i`,
    `insert into webhook_events (endpoint, key, delivery_id, received_at, event_type, state)
     select endpoint, event_key, id, received_at, event_type, case when received_at % 400 = 11 then 'dead' else 'handled' end
     from webhook_deliveries where outcome = 'accepted' and received_at between ${OLDEST + from} and ${OLDEST + to} order by 1, 2`,
  ];
}

const ENDPOINTS = `insert into webhook_endpoints (slug, provider, environment, settings, created_at) values
  ('stripe', 'stripe', 'production', '{}', 1), ('polar', 'polar', 'production', '{}', 1), ('stripe-staging', 'stripe', 'staging', '{}', 1)`;

/** Rows that one statement inserts; a million take longer than a statement may. */
const PART = 20_000;

async function fill({ engine }: Database, rows: number): Promise<void> {
  const parts = Array.from(
    { length: Math.ceil(rows / PART) },
    (_, at) => [at * PART + 1, Math.min(rows, (at + 1) * PART)] as const,
  );
  if (engine.dialect === "postgres") {
    for (const statement of [ENDPOINTS, ...parts.flatMap(([from, to]) => fillStatements(from, to, "postgres"))])
      await engine.pool.query(statement);
    await engine.pool.query("analyze");
    return;
  }
  engine.connection.pragma("synchronous = OFF");
  engine.connection.function("event_key", { deterministic: true }, (text) => Buffer.from(eventKeyOf(String(text))));
  for (const statement of [ENDPOINTS, ...fillStatements(1, rows, "sqlite")]) engine.connection.exec(statement);
}

function queries(database: Database, rows: number): Record<string, () => Promise<unknown>> {
  const newest = OLDEST + rows;
  const list = (filter: DeliveryFilter, at?: number) => () => {
    const position = at === undefined ? undefined : { at, id: deliveryIdsFrom(at) };
    return listDeliveryRows(database.reads, filter, { position, limit: LIMIT });
  };
  return {
    "the newest page": list({}),
    "a page in the middle": list({}, OLDEST + Math.floor(rows / 2)),
    "one endpoint": list({ endpoint: "stripe-staging" }),
    "a provider": list({ provider: "stripe" }),
    "an environment": list({ environment: "staging" }),
    rejected: list({ outcome: "rejected" }),
    "a reason": list({ reason: "signature_mismatch" }),
    "an event type": list({ eventType: "type.7" }),
    "an event id": list({ eventId: `evt_${Math.floor(rows / 2)}` }),
    "events that were given up": list({ handlerState: "dead" }),
    "an hour of last week": list({ from: newest - Math.floor(rows / 2), to: newest - Math.floor(rows / 2) + 3600 }),
    "charts of 30 days": () =>
      statSeries(database.reads, { resolution: "day", from: newest - 30 * DAY, metrics: ["webhook_result"] }),
    "a type that does not occur": list({ eventType: "none" }),
  };
}

/** Median and 95th percentile in milliseconds. */
async function timesOf(run: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let at = 0; at < RUNS; at++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => (times[Math.floor(RUNS * share)] ?? Number.NaN).toFixed(2);
  return `${at(0.5)} · ${at(0.95)}`;
}

async function measure(engine: "sqlite" | "postgres", url: (rows: number) => Promise<string>): Promise<void> {
  const columns: Record<string, string>[] = [];
  for (const rows of SIZES) {
    const database = await openDatabase(await url(rows));
    await database.migrate();
    await fill(database, rows);
    const figures: Record<string, string> = {};
    for (const [name, run] of Object.entries(queries(database, rows))) {
      await run();
      figures[name] = await timesOf(run);
    }
    columns.push(figures);
    await database.close();
  }
  console.log(
    `\n| ${engine}, p50 · p95 in ms | ${SIZES.map((rows) => rows.toLocaleString("en")).join(" | ")} |\n| --- | --: | --: | --: |`,
  );
  for (const name of Object.keys(columns[0] ?? {})) {
    console.log(`| ${name} | ${columns.map((column) => column[name]).join(" | ")} |`);
  }
}

const folder = join(tmpdir(), `gatehouse-lists-${process.pid}`);
await measure("sqlite", async (rows) => `file:${join(folder, `${rows}.db`)}`);
rmSync(folder, { recursive: true, force: true });

const server = await startPostgresServer();
await measure("postgres", async (rows) => {
  const database = await openDatabase(`${server.url}/postgres`);
  if (database.engine.dialect === "postgres") await database.engine.pool.query(`create database lists_${rows}`);
  await database.close();
  return `${server.url}/lists_${rows}`;
});
await server.stop();
