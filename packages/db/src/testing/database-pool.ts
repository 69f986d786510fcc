import { randomBytes } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../database.ts";
import { partitionTable } from "../partitions/convert.ts";
import { keepPartitions } from "../partitions/keep.ts";
import { PARTITIONED_NAMES } from "../partitions/tables.ts";
import { FINGERPRINT } from "./empty-database.ts";
import { databaseUrl, startPostgresServer } from "./postgres-server.ts";

/** A migrated PostgreSQL database without rows. `fingerprint` is absent if its user cannot empty it again. */
export type LentDatabase = { name: string; url: string; fingerprint: string | undefined };

/** The PostgreSQL databases of a run. */
export type DatabasePool = {
  /** The URL of a database of the server, whose user can create others. */
  server: string;
  /** A new copy of a migrated database; with `shared`, for one test after the other. */
  lend(options: { shared: boolean }): Promise<LentDatabase>;
  /** Deletes a database that no test uses any more. */
  takeBack(name: string): Promise<void>;
  stop(): Promise<void>;
};

/** As long as a test may take: on a busy machine, the product's limits would judge its speed. */
const LIMIT_MS = "60000";
const LIMITS = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "query_timeout"];

/**
 * In the whole suite, databases sort as people do: upper and lower case beside each other. Nothing may depend on it but
 * what people read. OP-34
 */
const EMPTY =
  process.env["GATEHOUSE_TEST_FULL"] === "1" ? "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'" : "";

/**
 * In the whole suite, databases that tests share have partitions: rows of every time that tests use are in the first
 * one, and those with random keys in the default one. Others are ahead, so that the status has no complaint. OP-35
 */
const PARTITIONED = process.env["GATEHOUSE_TEST_FULL"] === "1";
const LATE = Date.UTC(2060, 0) / 1000;

/** Starts the run's own server, or uses that of DATABASE_URL_TEST, whose user can create databases. */
export async function createDatabasePool(): Promise<DatabasePool> {
  const given = process.env["DATABASE_URL_TEST"];
  const own = given ? undefined : await startPostgresServer({ autovacuum: false });
  const server = given ?? `${own?.url}/postgres`;
  const admin = new pg.Pool({ connectionString: server, max: 3 });
  const run = randomBytes(4).toString("hex");
  admin.on("error", () => {}); // an idle connection was closed
  const created: string[] = [];

  async function create(from: string | null): Promise<string> {
    const name = `gatehouse_test_${run}_${created.length}`;
    created.push(name);
    await admin.query(`CREATE DATABASE ${name} ${from === null ? EMPTY : `TEMPLATE ${from}`}`);
    return name;
  }
  /** Waits a few seconds for connections that are being closed. */
  const drop = (name: string) => admin.query(`DROP DATABASE IF EXISTS ${name}`);
  async function stop(): Promise<void> {
    if (!own) for (const name of created) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
    await own?.stop();
  }

  try {
    const template = await create(null);
    const plain = await migrate(databaseUrl(server, template));
    const usual = PARTITIONED ? await create(template) : template;
    const fingerprint = PARTITIONED ? await partition(databaseUrl(server, usual)) : plain;
    const { rows } = await admin.query<{ is_superuser: string }>("SHOW is_superuser");
    const canEmpty = rows[0]?.is_superuser === "on";
    return {
      server,
      async lend({ shared }) {
        const name = await create(shared ? usual : template);
        const url = new URL(databaseUrl(server, name));
        for (const limit of LIMITS) url.searchParams.set(limit, LIMIT_MS);
        return { name, url: url.href, fingerprint: canEmpty ? fingerprint : undefined };
      },
      async takeBack(name) {
        if (!own && created.includes(name)) await drop(name).catch(() => {}); // still in use: `stop` deletes it
      },
      stop,
    };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

async function migrate(url: string): Promise<string> {
  const database = await openDatabase(url);
  await database.migrate();
  await database.close();
  return withClient(url, fingerprintOf);
}

function partition(url: string): Promise<string> {
  return withClient(url, async (client) => {
    for (const table of PARTITIONED_NAMES) await partitionTable(client, table, LATE);
    await keepPartitions(client, LATE);
    return fingerprintOf(client);
  });
}

async function fingerprintOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ fingerprint: string }>(`SELECT ${FINGERPRINT} AS fingerprint`);
  return rows[0]?.fingerprint ?? "";
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
