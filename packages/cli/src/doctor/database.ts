import { existsSync } from "node:fs";
import { sqliteFile } from "@gatehouse/db/database";
import { type PostgresFacts, readPostgresFacts, readStandbyLag } from "@gatehouse/db/inspect/postgres-facts";
import { readSqliteFacts } from "@gatehouse/db/inspect/sqlite-facts";
import { unverifiedTransport } from "@gatehouse/db/postgres/transport";
import { connectionsOf, type Installation, listServers, type Settings } from "@gatehouse/installation";
import { type Finding, failed, ok, warning } from "@gatehouse/webhooks/doctor";
import { describeUrl } from "../database-place.ts";
import { check } from "./finding.ts";
import { judgeDirect, judgePostgres, judgeStandby } from "./postgres.ts";
import { judgeSqlite } from "./sqlite.ts";

const REACHABLE = "The database answers";

/** Examines the database that the settings name, on either engine. `open`: the installation on it. */
export async function* examineDatabase(
  settings: Settings,
  open: Pick<Installation, "database" | "deps">,
): AsyncGenerator<Finding> {
  const file = sqliteFile(settings.databaseUrl);
  const place = describeUrl(settings.databaseUrl);
  try {
    if (file === undefined) yield* examinePostgres(settings, open);
    else {
      const facts = await readSqliteFacts(file);
      yield check("db_reachable", REACHABLE, ok(place, "It can be read."));
      yield* judgeSqlite(facts);
    }
  } catch (error) {
    yield check(
      "db_reachable",
      REACHABLE,
      failed(place, messageOf(error), "Check DATABASE_URL, the network and the server's log."),
    );
    return;
  }
  yield await examineSchema(open);
}

/** Nothing is opened where a database would only be made by it. */
export function missingDatabase({ databaseUrl }: Pick<Settings, "databaseUrl">): Finding | undefined {
  const file = sqliteFile(databaseUrl);
  if (file === undefined || existsSync(file)) return undefined;
  return check(
    "db_reachable",
    REACHABLE,
    failed(
      file,
      "There is no database yet.",
      "Run gatehouse bootstrap, or set GATEHOUSE_DATA_DIR to the server's value.",
    ),
  );
}

async function* examinePostgres(settings: Settings, { deps }: Pick<Installation, "deps">): AsyncGenerator<Finding> {
  const { databaseUrl: url, databaseDirectUrl: direct, databaseReadUrl: standby } = settings;
  const facts = await readPostgresFacts(url);
  yield check("db_reachable", REACHABLE, ok(describeUrl(url), "It can be read."));
  const unverified = unverifiedTransport(url);
  yield check(
    "db_transport",
    "The connection is private",
    unverified === undefined
      ? ok("verified, or on this machine", "Nobody between can read it.")
      : warning("not verified", unverified, "Use TLS with a certificate that is checked."),
  );
  const servers = Math.max(1, await serversOf(deps));
  const wanted = { connections: servers * connectionsOf(settings), servers, prepare: settings.databasePrepare };
  yield* judgePostgres(facts, wanted);
  if (direct !== undefined)
    yield await reached("db_direct", "DATABASE_DIRECT_URL answers", () => ofDirect(direct, facts));
  if (standby !== undefined)
    yield await reached("db_standby", "DATABASE_READ_URL answers", async () =>
      judgeStandby(await readStandbyLag(standby, facts.logPosition)),
    );
}

const ofDirect = async (url: string, pooled: PostgresFacts) => judgeDirect(await readPostgresFacts(url), pooled);

/** Before the first migration there is no table of them. */
async function serversOf({ db, now }: Pick<Installation["deps"], "db" | "now">): Promise<number> {
  return listServers(db, now()).then(
    ({ length }) => length,
    () => 1,
  );
}

async function reached(id: string, title: string, examine: () => Promise<Finding>): Promise<Finding> {
  return examine().catch((error) =>
    check(id, title, failed("no answer", messageOf(error), "Check the URL, the network and that server's log.")),
  );
}

async function examineSchema({ database }: Pick<Installation, "database">): Promise<Finding> {
  const title = "The schema is that of this version";
  try {
    const { kind, missing } = await database.schema();
    if (missing.length === 0) return check("db_schema", title, ok(kind, "Every migration was applied."));
    return check(
      "db_schema",
      title,
      failed(
        `${missing.length} migrations missing, first ${missing[0]}`,
        "Servers wait for it.",
        "Run gatehouse migrate.",
      ),
    );
  } catch (error) {
    return check(
      "db_schema",
      title,
      failed("another schema", messageOf(error), "Use the version that fits, or migrate."),
    );
  }
}

const messageOf = (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
};
