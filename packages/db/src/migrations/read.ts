import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MIGRATIONS } from "@gatehouse/runtime/distribution";
import { isAdditive } from "./additive.ts";

export type Dialect = "sqlite" | "postgres";

/**
 * A change of the schema takes three migrations, so that two releases run side by side: `expand` adds what the new
 * program writes, `backfill` fills it in, and `contract`, a minor release after the last program that reads it, removes
 * what is no longer used. OP-60, docs/decisions/0041-migrations-have-phases.md
 */
export type Phase = "expand" | "backfill" | "contract";

/** One migration of this program. */
export type Migration = {
  /** The name of its file without `.sql`. */
  name: string;
  /** SHA-256 of the file with LF line endings. */
  hash: string;
  statements: readonly string[];
  /** What it does to programs of the release before: see {@link Phase}. The line `-- phase: <phase>` names it. OP-60 */
  phase: Phase;
  /**
   * The migration that a program must know to run on a schema with this one; null if any program can. By default null
   * for an additive migration, an expand and a backfill, and the migration itself for any other. A line
   * `-- min_program: <name>` (or `any`) at the top of the file overrides it. OP-62.
   */
  minProgram: string | null;
  /** Only adds tables, columns and indexes, so it can also be applied after later migrations. */
  additive: boolean;
};

/** Migrations with their own numbers and ledger: Gatehouse's, or the product's. */
export type MigrationSource = {
  /** Contains a folder for each dialect. Relative to the repository's root. */
  folder: string;
  /** The table that records which of them were applied. */
  ledger: string;
};

/** The migrations of one source, for one dialect. */
export type Series = { ledger: string; migrations: readonly Migration[] };

/** The migration into which changes of Gatehouse's schema are folded until the first release. */
export const INITIAL = "0000_initial";

export const GATEHOUSE: MigrationSource = { folder: "packages/db/migrations", ledger: "gatehouse_migrations" };

/** Reads one source's migrations. Throws when the folder is not found. */
export function readSeries(dialect: Dialect, { folder, ledger }: MigrationSource): Series {
  return { ledger, migrations: readMigrations(findMigrations(dialect, folder)) };
}

/**
 * Gatehouse's migrations, and those that apply after them. `migrations`: the folder of Gatehouse's own; by default the
 * repository's.
 */
export function seriesOf(
  dialect: Dialect,
  { migrations, further = [] }: { migrations?: string; further?: readonly MigrationSource[] },
): Series[] {
  const own =
    migrations === undefined
      ? readSeries(dialect, GATEHOUSE)
      : { ledger: GATEHOUSE.ledger, migrations: readMigrations(migrations) };
  return [own, ...further.map((source) => readSeries(dialect, source))];
}

/**
 * The folder of one dialect's migrations. In a clone it is found by walking up from this file when it runs from source,
 * and from the working directory when it is bundled; in the published package it lies beside the bundle.
 */
export function findMigrations(dialect: Dialect, source = GATEHOUSE.folder): string {
  if (MIGRATIONS !== undefined && source === GATEHOUSE.folder)
    return join(/* turbopackIgnore: true */ MIGRATIONS, dialect);
  for (const start of [sourceFolder(), process.cwd()]) {
    for (let folder = start; folder !== undefined; folder = dirname(folder) === folder ? undefined : dirname(folder)) {
      const found = join(/* turbopackIgnore: true */ folder, source, dialect);
      if (existsSync(join(/* turbopackIgnore: true */ found, "meta/_journal.json"))) return found;
    }
  }
  throw new Error(
    `No migrations found: ${source}/${dialect} is not above ${process.cwd()}. Start inside the repository.`,
  );
}

function sourceFolder(): string | undefined {
  try {
    return dirname(fileURLToPath(import.meta.url));
  } catch {
    return undefined; // in a bundle, import.meta.url may not be a file
  }
}

type Journal = { entries: { tag: string }[] };

/**
 * The migrations of a folder, in the order of its journal. Throws when a file is missing or names an unknown
 * `min_program`.
 */
export function readMigrations(folder: string): Migration[] {
  const journal: Journal = JSON.parse(
    readFileSync(join(/* turbopackIgnore: true */ folder, "meta/_journal.json"), "utf8"),
  );
  const names = journal.entries.map(({ tag }) => tag);
  return journal.entries.map(({ tag }, at) => {
    const raw = readFileSync(join(/* turbopackIgnore: true */ folder, `${tag}.sql`), "utf8");
    return parseMigration(tag, raw, names.slice(0, at + 1));
  });
}

const BREAKPOINT = "--> statement-breakpoint";
const HEADER = /^-- (min_program|phase): (\S+)\n/;
const PHASES: readonly string[] = ["expand", "backfill", "contract"] satisfies Phase[];
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function parseMigration(name: string, raw: string, upToHere: readonly string[]): Migration {
  const text = raw.replaceAll("\r\n", "\n");
  const { min_program: declared, phase: named, rest } = readHeader(text);
  if (declared !== undefined && declared !== "any" && !upToHere.includes(declared))
    throw new Error(`The migration ${name} names an unknown min_program: ${declared}.`);
  if (named !== undefined && !PHASES.includes(named))
    throw new Error(`The migration ${name} names an unknown phase: ${named}. The phases are ${PHASES.join(", ")}.`);
  const statements = rest
    .split(BREAKPOINT)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  const additive = isAdditive(statements);
  const phase = (named ?? (additive || name === INITIAL ? "expand" : "contract")) as Phase;
  const byDefault = additive || (named !== undefined && phase !== "contract") ? null : name;
  const minProgram = declared === undefined ? byDefault : declared === "any" ? null : declared;
  return { name, hash: sha256(text), phase, statements, minProgram, additive };
}

type Header = { min_program?: string; phase?: string; rest: string };

/** The lines at the top of a file that say something about it. */
function readHeader(text: string): Header {
  const [line, key = "", value = ""] = HEADER.exec(text) ?? [];
  return line === undefined ? { rest: text } : { ...readHeader(text.slice(line.length)), [key]: value };
}
