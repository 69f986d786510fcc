import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { generateDrizzleJson, generateSQLiteDrizzleJson } from "drizzle-kit/api";
import * as postgres from "../schema/postgres/index.ts";
import * as sqlite from "../schema/sqlite/index.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

/**
 * The engines whose schema is not the one that their migrations end with: `npm run db:generate` would write something.
 */
export async function staleMigrations(): Promise<string[]> {
  const schemas = { postgres: generateDrizzleJson(postgres), sqlite: await generateSQLiteDrizzleJson(sqlite) };
  return Object.entries(schemas)
    .filter(([engine, schema]) => !isDeepStrictEqual(contentOf(schema), contentOf(latestSnapshot(engine))))
    .map(([engine]) => engine);
}

function latestSnapshot(engine: string): object {
  const folder = join(MIGRATIONS, engine, "meta");
  const latest = readdirSync(folder)
    .filter((name) => name.endsWith("_snapshot.json"))
    .toSorted()
    .at(-1);
  return JSON.parse(readFileSync(join(folder, latest ?? ""), "utf8"));
}

/** A snapshot as stored in JSON, without its place in the chain and what drizzle-kit notes for itself. */
function contentOf(snapshot: object): unknown {
  const { id, prevId, internal, _meta, ...content } = JSON.parse(JSON.stringify(snapshot));
  return content;
}
