import pg from "pg";
import type { Database } from "../database.ts";

export type BigSizes = {
  /** Users, grants and webhook deliveries, each. */
  rows: number;
  /** Each has a client in every environment. */
  applications: number;
  /** The newest row, Unix seconds. */
  now: number;
};

export const BIG: Omit<BigSizes, "now"> = { rows: 1_000_000, applications: 10_000 };

const DAY = 86_400;
/** As many groups of refusals as there can be, with up to 50 rows each. CO-51. */
const MOST_GROUPS = 5_000;
/** Small enough that no transaction needs much memory. */
const CHUNK = 100_000;

/**
 * Fills a migrated database as a large installation would: the engine generates the rows, in about a minute per
 * million. Ids are `big-…`, so it fails on a database that it filled before. CO-13, CO-99.
 */
export async function fillBig(
  database: Pick<Database, "engine">,
  { rows, applications, now }: BigSizes,
): Promise<void> {
  const run = await runner(database);
  const start = now - 365 * DAY;
  /** When row `i` of `of` was made: evenly over a year, the last one now. */
  const at = (of: number) => `(${start} + i * ${365 * DAY} / ${of})`;
  const environment = "case (i - 1) % 3 when 0 then 'development' when 1 then 'staging' else 'production' end";
  const clients = applications * 3;

  await run.fill(
    applications,
    "applications (id, name, description, created_at)",
    `'big-app-' || i, 'Application ' || i, 'Big', ${at(applications)}`,
  );
  await run.fill(
    clients,
    `clients (id, application_id, environment, type, redirect_uris, post_logout_redirect_uris, grant_types, scopes, first_party,
       resource_server, refresh_retry_seconds, created_at, updated_at, access_epoch, options)`,
    `'big-client-' || i, 'big-app-' || ((i + 2) / 3), ${environment}, 'web', JSON['https://big' || i || '.example/callback'],
     JSON[], JSON['authorization_code', 'refresh_token'], JSON['openid', 'api:read'], FALSE, FALSE, 30, ${at(clients)}, ${now}, 0, JSON{}`,
  );
  await run.fill(
    clients,
    "client_secrets (id, client_id, hash, hint, created_at, expires_at, last_used_at)",
    `'big-secret-' || i, 'big-client-' || i, 'big-hash-' || i, 'x' || (i % 1000), ${at(clients)},
     case when i % 100 = 0 then ${now} + (i % 60) * ${DAY} + 60 end, case when i % 3 > 0 then ${now} - (i % 50) * ${DAY} end`,
  );
  await run.fill(
    clients,
    "client_use (client_id, last_token_at)",
    `'big-client-' || i, ${now} - (i % 100) * ${DAY}`,
    "i % 10 > 0",
  );
  await run.fill(
    rows,
    "users (id, email, name, password_hash, role, created_at, email_verified_at, registered_by)",
    `'big-user-' || i, 'person' || i || '@example.com', 'Person ' || i, 'none', 'user', ${at(rows)}, ${at(rows)}, 'self'`,
  );
  await run.fill(
    rows,
    "grants (id, client_id, user_id, scope, created_at)",
    `'big-grant-' || i, 'big-client-' || (1 + i % ${clients}), 'big-user-' || i, 'openid api:read', ${at(rows)}`,
  );
  await run.fill(
    rows,
    "consents (user_id, client_id, scope, audience, identity, allowed_at)",
    `'big-user-' || i, 'big-client-' || (1 + i % ${clients}), 'openid api:read', 'https://gate.example/api', 'none', ${at(rows)}`,
  );
  const groups = Math.min(rows, MOST_GROUPS);
  const refusals = Math.min(rows, MOST_GROUPS * 50);
  await run.fill(
    groups,
    "refusal_groups (key, cause, endpoint, client_id, difference, first_at, last_at, count)",
    `'big-group-' || i, 'code_expired', '/token', 'big-client-' || (1 + i % ${clients}), '' || i, ${start}, ${at(groups)}, ${refusals} / ${groups}`,
  );
  await run.fill(
    refusals,
    "refusals (error_id, at, endpoint, error, cause, message, detail, client_id, group_key)",
    `'BIG' || i, ${at(refusals)}, '/token', 'invalid_grant', 'code_expired', '', JSON{}, 'big-client-' || (1 + i % ${clients}),
     'big-group-' || (1 + i % ${groups})`,
  );
  await run.fill(
    rows,
    "webhook_deliveries (id, endpoint, environment, received_at, method, outcome, reason, status, event_type, event_id, headers, body_bytes, ack_ms, source)",
    `ID(${at(rows)}), case when i % 3 = 0 then 'github' else 'stripe' end, 'production', ${at(rows)}, 'POST',
     case when i % 200 = 0 then 'rejected' else 'accepted' end, case when i % 200 = 0 then 'signature_mismatch' else 'accepted' end,
     case when i % 200 = 0 then 400 else 200 end, 'invoice.paid', 'evt-' || i, JSON{}, 0, 1, 'http'`,
  );
  const hour = now - (now % 3_600);
  const day = now - (now % DAY);
  const stats = "(at, environment, metric, key, count)";
  const keys = `case i % 12 when 0 then 'succeeded/password' when 1 then 'succeeded/passkey' when 2 then 'failed/password'
    when 3 then 'authorization_code' when 4 then 'refresh_token' when 5 then 'client_credentials' when 6 then 'secret_wrong'
    when 7 then 'redirect_uri_unregistered' when 8 then 'code_expired' when 9 then 'stripe/accepted' when 10 then 'github/accepted'
    else 'stripe/rejected' end`;
  const metric =
    "case when i % 12 < 3 then 'sign_in' when i % 12 < 6 then 'token' when i % 12 < 9 then 'refusal' else 'webhook_result' end";
  const row = `${metric}, ${keys}, 1 + (i * 7919) % 500`;
  await run.fill(35 * 24 * 12, `stat_hour ${stats}`, `${hour} - (i / 12) * 3600, 'production', ${row}`);
  await run.fill(400 * 12, `stat_day ${stats}`, `${day} - (i / 12) * ${DAY}, 'production', ${row}`);
  await run.fill(
    Math.min(1_000, clients) * 90,
    "client_day (client_id, day, metric, count)",
    `'big-client-' || (1 + i / 90), ${day} - (i % 90) * ${DAY}, 'token.refresh_token', 1 + i % 500`,
  );
  await run.finish();
}

type Runner = {
  fill(rows: number, into: string, values: string, where?: string): Promise<void>;
  finish(): Promise<void>;
};

/** Runs `insert into … select …` for i = 1 … rows, in each engine's own SQL. */
async function runner({ engine }: Pick<Database, "engine">): Promise<Runner> {
  if (engine.dialect === "sqlite") {
    const { connection } = engine;
    const translate = (sql: string) =>
      sql
        .replaceAll(/JSON\[(.*?)\]/g, "json_array($1)")
        .replaceAll("JSON{}", "'{}'")
        .replaceAll("FALSE", "0")
        .replaceAll(/ID\((.*?\))\)/g, (_, seconds: string) => idOf(`printf('%012x', ${seconds} * 1000)`));
    return {
      async fill(rows, into, values, where = "true") {
        for (let from = 1; from <= rows; from += CHUNK) {
          const to = Math.min(rows, from + CHUNK - 1);
          const numbers = `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})`;
          connection.exec(`insert into ${into} ${numbers} select ${translate(values)} from n where ${where}`);
        }
      },
      finish: async () => {}, // the product never runs ANALYZE on SQLite
    };
  }
  // Its own connection: those of the pool have time limits.
  const client = new pg.Client({ connectionString: engine.pool.options.connectionString });
  await client.connect();
  await client.query("set statement_timeout = 0");
  const translate = (sql: string) =>
    sql
      .replaceAll(/JSON\[(.*?)\]/g, "json_build_array($1)")
      .replaceAll("JSON{}", "'{}'::json")
      .replaceAll(/ID\((.*?\))\)/g, (_, seconds: string) => idOf(`lpad(to_hex(${seconds} * 1000), 12, '0')`));
  return {
    async fill(rows, into, values, where = "true") {
      for (let from = 1; from <= rows; from += CHUNK) {
        const to = Math.min(rows, from + CHUNK - 1);
        const insert = `insert into ${into} select ${translate(values)} from generate_series(${from}::bigint, ${to}) as i where ${where};`;
        await client.query(insert);
      }
    },
    async finish() {
      await client.query("analyze");
      await client.end();
    },
  };
}

/** An id of a delivery: the time in milliseconds, then what tells rows of the same one apart. */
const idOf = (hex: string) => `substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || '-7000-8000-' || (100000000000 + i)`;
