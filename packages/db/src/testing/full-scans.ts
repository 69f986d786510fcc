import pg from "pg";
import { FOLLOW_INDEX } from "../postgres/db.ts";
import type { TestDatabase } from "./engines.ts";
import type { Sent } from "./plans.ts";

/** Tables that grow with the use of an installation. Groups of refusals are at most 5,000. */
const LARGE = new Set(
  `applications clients client_hosts client_secrets client_use application_use users sessions identities passkeys grants consents access_tokens
   refresh_families account_events sign_ins invitations mails jobs audit refusals webhook_deliveries webhook_events webhook_attempts
   webhook_effects removed_objects`.split(/\s+/),
);

/** What the database is asked from now on, by every connection whose statements this process runs. */
export function recordStatements({ engine }: TestDatabase): { sent: Sent[]; stop: () => void } {
  const sent: Sent[] = [];
  if (engine.dialect === "sqlite") {
    const { connection } = engine;
    const { prepare } = connection;
    connection.prepare = ((text: string) => {
      sent.push({ sql: text, params: [] });
      return prepare.call(connection, text);
    }) as typeof prepare;
    return { sent, stop: () => Reflect.deleteProperty(connection, "prepare") };
  }
  const { query } = pg.Client.prototype;
  const name = new URL(engine.pool.options.connectionString ?? "").pathname.slice(1);
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const [config, params = []] = args as [string | pg.QueryConfig, unknown[]?];
    if (typeof config !== "string" && this.database === name)
      sent.push({ sql: config.text, params: config.values ?? params });
    return Reflect.apply(query, this, args);
  } as typeof query;
  return {
    sent,
    stop: () => {
      pg.Client.prototype.query = query;
    },
  };
}

/**
 * The large tables that a statement reads from end to end. One that is read in the order of an index up to a limit is
 * not, nor one in a subquery that has nothing but a limit; how much a filter skips there is left to the tests of CO-55.
 * On PostgreSQL the planner is told to avoid it, as for the console's reads, so that what remains is what no index
 * serves.
 */
export async function fullScans({ engine }: TestDatabase, { sql: text, params }: Sent): Promise<string[]> {
  if (engine.dialect === "sqlite") {
    const anything = Array.from(text.matchAll(/\?/g), () => null); // the plan does not depend on the values
    return scannedTables(engine.connection.prepare(`explain query plan ${text}`).all(...anything) as Step[], text);
  }
  const client = await engine.pool.connect();
  try {
    await client.query(FOLLOW_INDEX);
    const { rows } = await client.query(`explain (format json) ${text}`, params);
    return scansOf(rows[0]["QUERY PLAN"][0].Plan, false);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

type Step = { id: number; parent: number; detail: string };

function scannedTables(plan: readonly Step[], text: string): string[] {
  const onlyLimited = new Set([...text.matchAll(/ from "(\w+)" limit \?\)/g)].map(([, table]) => table));
  return plan.flatMap(({ parent, detail }) => {
    const [, table = "", byIndex] = /^SCAN (\w+)( USING (?:COVERING )?INDEX)?/.exec(detail) ?? [];
    if (!LARGE.has(table) || onlyLimited.has(table)) return [];
    const query = /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(plan.find(({ id }) => id === parent)?.detail ?? "")?.[1];
    const limited = query === undefined ? text.endsWith(" limit ?") : text.includes(` limit ?) "${query}"`);
    const sorted = plan.some((other) => other.parent === parent && other.detail.includes("TEMP B-TREE"));
    return byIndex && limited && !sorted ? [] : [table];
  });
}

type Plan = { "Node Type": string; "Relation Name"?: string; "Index Cond"?: string; Plans?: Plan[] };

function scansOf(plan: Plan, limited: boolean): string[] {
  const table = plan["Relation Name"];
  const whole =
    table !== undefined &&
    LARGE.has(table) &&
    !limited &&
    plan["Index Cond"] === undefined &&
    plan["Node Type"] !== "ModifyTable";
  const within = limited || plan["Node Type"] === "Limit";
  return [...(whole ? [table] : []), ...(plan.Plans ?? []).flatMap((part) => scansOf(part, within))];
}
