import { join, resolve } from "node:path";
import { rootFolder } from "@gatehouse/runtime/distribution";
import { z } from "zod";
import { wrongSetting } from "./error.ts";
import { SERVER_GROUP } from "./server.ts";
import { type SettingsTable, shapeOf, TEXT, wholeNumber } from "./setting.ts";

export type DatabaseSettings = {
  databaseUrl: string;
  /** The most PostgreSQL connections that each process uses for requests; 10 if undefined. */
  databasePool: number | undefined;
  /** The same database past a connection pooler, for migrations. OP-27. */
  databaseDirectUrl: string | undefined;
  /** A standby of the same database, for the console's lists and exports. OP-33 */
  databaseReadUrl: string | undefined;
  /** Whether statements on PostgreSQL have names. OP-27. */
  databasePrepare: "auto" | "on" | "off";
  /** Whether a server migrates an existing schema itself, or waits for `gatehouse migrate`. OP-62. */
  migrate: "auto" | "check";
  /** Who copies SQLite's log into its file. OP-54. */
  checkpoint: "own" | "external";
};

export const DATABASE = {
  DATABASE_URL: {
    secret: true,
    value: z
      .string()
      .regex(/^(file:|postgres(ql)?:\/\/)/, "must start with file: (SQLite) or postgres:// (PostgreSQL)")
      .optional(),
    docs: {
      default: "`file:` a database in the data folder",
      meaning: "or `postgres://…`",
      example: "postgres://gatehouse:password@localhost:5432/gatehouse",
    },
    console: {
      section: "general",
      group: SERVER_GROUP,
      label: "Database",
      about: "Shown without its password.",
      input: TEXT,
      show: ({ databaseUrl }) => withoutCredentials(databaseUrl),
    },
  },
  DATABASE_POOL: {
    value: wholeNumber("connections", 1, 1_000).value.optional(),
    docs: {
      default: "`10`",
      meaning:
        "PostgreSQL connections of each process for requests; each opens two more for jobs, scheduled tasks and the " +
        "console",
      example: "10",
    },
  },
  DATABASE_DIRECT_URL: {
    secret: true,
    value: z
      .string()
      .regex(
        /^postgres(ql)?:\/\//,
        "must start with postgres://: it is for migrations of PostgreSQL past a connection pooler",
      )
      .optional(),
    docs: {
      default: "none",
      meaning:
        "the same PostgreSQL database past a [connection pooler](storage.md#behind-a-connection-pooler), for " +
        "migrations",
      example: "postgres://gatehouse:password@localhost:5432/gatehouse",
    },
  },
  DATABASE_READ_URL: {
    secret: true,
    value: z
      .string()
      .regex(/^postgres(ql)?:\/\//, "must start with postgres://: it is for a standby of PostgreSQL")
      .optional(),
    docs: {
      default: "`DATABASE_URL`",
      meaning:
        "a standby of the same PostgreSQL database, which serves the console's lists and exports and nothing that " +
        "decides. They can be some seconds behind",
      example: "postgres://gatehouse:password@localhost:5432/gatehouse",
    },
  },
  DATABASE_PREPARE: {
    value: z.enum(["auto", "on", "off"], "must be auto, on or off").default("auto"),
    docs: {
      default: "`auto`",
      meaning:
        "whether PostgreSQL keeps statements prepared. `auto`: unless a [connection " +
        "pooler](storage.md#behind-a-connection-pooler) loses them. `off`: never. `on`: until one is lost",
      example: "auto",
    },
  },
  GATEHOUSE_CHECKPOINT: {
    value: z.enum(["own", "external"], "must be own or external").default("own"),
    docs: {
      default: "`own`",
      meaning:
        "`external`: another program, such as [Litestream](operations.md#litestream), copies SQLite's log into its file " +
        "and ships it; Gatehouse then never does",
      example: "own",
    },
  },
  GATEHOUSE_MIGRATE: {
    value: z.enum(["auto", "check"], "must be auto or check").optional(),
    docs: {
      default: "`auto` on SQLite and under `npm start`, else `check`",
      meaning:
        "`auto`: the server migrates an older database at start. `check`: it waits, not ready, until `gatehouse " +
        "migrate` has run",
      example: "auto",
    },
  },
} as const satisfies SettingsTable<DatabaseSettings>;

export const databaseVariables = shapeOf(DATABASE);

/** `databaseUrl`: of `databasePlace`. Throws SettingsError. */
export function databaseSettings(
  given: z.output<z.ZodObject<typeof databaseVariables>>,
  { databaseUrl }: Pick<DatabaseSettings, "databaseUrl">,
): DatabaseSettings {
  const isFile = databaseUrl.startsWith("file:");
  const { DATABASE_DIRECT_URL: databaseDirectUrl } = given;
  if (databaseDirectUrl && isFile)
    throw wrongSetting("DATABASE_DIRECT_URL", "is for PostgreSQL only: set DATABASE_URL too, or remove it");
  if (given.GATEHOUSE_CHECKPOINT === "external" && !isFile)
    throw wrongSetting("GATEHOUSE_CHECKPOINT", "is for SQLite only: remove it, or the DATABASE_URL of PostgreSQL");
  const { DATABASE_READ_URL: databaseReadUrl } = given;
  if (databaseReadUrl && isFile)
    throw wrongSetting("DATABASE_READ_URL", "is for PostgreSQL only: set DATABASE_URL too, or remove it");
  return {
    databaseUrl,
    databaseReadUrl,
    databasePool: given.DATABASE_POOL,
    databaseDirectUrl,
    databasePrepare: given.DATABASE_PREPARE,
    checkpoint: given.GATEHOUSE_CHECKPOINT,
    migrate: given.GATEHOUSE_MIGRATE ?? (isFile ? "auto" : "check"),
  };
}

/** The database's URL, and the variable that it comes from; undefined for the default. */
export type DatabasePlace = { url: string; namedBy: "DATABASE_URL" | "GATEHOUSE_DATA_DIR" | undefined };

/** Where the database is, from the variables alone. Creates nothing. */
export function databasePlace(variables: Record<string, string | undefined>, workingDirectory: string): DatabasePlace {
  const { DATABASE_URL: url, GATEHOUSE_DATA_DIR: dataDir } = variables;
  const root = rootFolder(workingDirectory);
  if (url) return { url: anchored(url, root), namedBy: "DATABASE_URL" };
  const file = join(resolve(root, dataDir || ".data"), "gatehouse.db");
  return { url: `file:${file}`, namedBy: dataDir ? "GATEHOUSE_DATA_DIR" : undefined };
}

/** A relative `file:` URL, made absolute. */
function anchored(url: string, root: string): string {
  return /^file:(?!\/)/.test(url) ? `file:${resolve(root, url.slice("file:".length))}` : url;
}

function withoutCredentials(databaseUrl: string): string {
  if (databaseUrl.startsWith("file:")) return databaseUrl;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}
