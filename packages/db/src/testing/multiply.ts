import type { Engine } from "../database.ts";

/**
 * Tables that grow with the use of an installation, whatever the release calls them, in the order of their references.
 */
const TABLES = [
  "grants",
  "refresh_families",
  "refresh_tokens",
  "access_tokens",
  "webhook_deliveries",
  "webhook_events",
] as const;
/** Shorter values are names, not generated ids. */
const SHORTEST_ID = 16;
const CHUNK = 100_000;
/** After so many rows of a table, SQLite's log is copied into the database. */
const LOG_ROWS = 2_000_000;

type Value = string | number | boolean | Buffer | null;
type Row = Record<string, Value>;
/** `isNumbered`: the database numbers it itself. */
type Column = { name: string; isUnique: boolean; isNumbered: boolean };
/**
 * How the value of a template becomes that of its copy: by its time prefix, or spread over the whole range if it has
 * none.
 */
type Kind = "time-ordered" | "random";

/** How many copies each table gets: the same number, or only those named. */
export type Copies = number | Readonly<Partial<Record<(typeof TABLES)[number], number>>>;

/**
 * Adds copies of a real row to each large table, which needs two rows. Copies have ids and keys of their own in
 * the template's form, older than what is minted later, and refer to each other as the templates do. No table's layout
 * is known here, so that any release can be measured.
 */
export async function multiplyRows(engine: Engine, copies: Copies): Promise<Record<string, number>> {
  const countOf = (table: (typeof TABLES)[number]) => (typeof copies === "number" ? copies : (copies[table] ?? 0));
  const db = engine.dialect === "sqlite" ? sqlite(engine.connection) : postgres(engine.pool);
  const templates: { table: string; count: number; columns: Column[]; row: Row; other: Row }[] = [];
  for (const table of TABLES.filter((one) => countOf(one) > 0)) {
    const columns = await db.columns(table);
    const [row, other] = columns.length > 0 ? await db.twoRows(table) : [];
    if (row && other) templates.push({ table, count: countOf(table), columns, row, other });
  }

  const kinds = new Map<string, Kind>();
  for (const { columns, row, other } of templates)
    for (const { name } of columns.filter(({ isUnique }) => isUnique)) {
      const [value, its] = [row[name] ?? null, other[name] ?? null];
      if (isId(value) && isId(its))
        kinds.set(keyOf(value), beginning(value) === beginning(its) ? "time-ordered" : "random");
    }

  await db.begin();
  for (const { table, count, columns, row } of templates) {
    const filled = columns.filter(({ isNumbered }) => !isNumbered);
    const names = filled.map(({ name }) => `"${name}"`).join(", ");
    const values = filled.map(({ name }) => {
      const value = row[name] ?? null;
      const kind = isId(value) ? kinds.get(keyOf(value)) : undefined;
      return kind ? db.copied(`r."${name}"`, kind, typeof value !== "string") : `r."${name}"`;
    });
    const id = filled.find(({ name, isUnique }) => isUnique && isId(row[name] ?? null));
    if (!id) throw new Error(`${table} has no id that its copies could differ in`);
    for (let from = 1; from <= count; from += CHUNK)
      await db.insert(
        table,
        names,
        values.join(", "),
        id.name,
        row[id.name] ?? null,
        from,
        Math.min(count, from + CHUNK - 1),
      );
  }
  await db.end(templates.map(({ table }) => table));
  return Object.fromEntries(templates.map(({ table, count }) => [table, count]));
}

const isId = (value: Value): value is string | Buffer =>
  (typeof value === "string" || Buffer.isBuffer(value)) && value.length >= SHORTEST_ID;
const keyOf = (value: string | Buffer) => (typeof value === "string" ? value : value.toString("hex"));
/** What two values of the same minute share if they begin with the time. */
const beginning = (value: string | Buffer) => keyOf(value).slice(0, 4);

type Sqlite = Extract<Engine, { dialect: "sqlite" }>["connection"];

function sqlite(connection: Sqlite) {
  const all = (sql: string, ...params: unknown[]) => connection.prepare(sql).all(...params) as Row[];
  return {
    async columns(table: string): Promise<Column[]> {
      const unique = all(
        `SELECT i.name FROM pragma_index_list('${table}') l JOIN pragma_index_info(l.name) i WHERE l."unique" = 1
         UNION SELECT name FROM pragma_table_info('${table}') WHERE pk > 0`,
      ).map(({ name }) => name);
      const columns = all(`SELECT name, type, pk FROM pragma_table_xinfo('${table}') WHERE hidden = 0`);
      const keys = columns.filter(({ pk }) => Number(pk) > 0).length;
      return columns.map(({ name, type, pk }) => {
        const isNumbered = Number(pk) > 0 && keys === 1 && String(type).toUpperCase() === "INTEGER";
        return { name: String(name), isUnique: unique.includes(name ?? null), isNumbered };
      });
    },
    twoRows: async (table: string) => all(`SELECT * FROM "${table}" LIMIT 2`),
    copied(column: string, kind: Kind, isBytes: boolean): string {
      const number = kind === "time-ordered" ? "printf('%08x', n)" : "printf('%08x', (n * 2654435761) % 4294967296)";
      if (!isBytes)
        return kind === "time-ordered"
          ? `substr(${column}, 1, 6) || ${number} || substr(${column}, 15)`
          : `${number} || substr(${column}, 9)`;
      return kind === "time-ordered"
        ? `unhex(hex(substr(${column}, 1, 6)) || ${number} || hex(substr(${column}, 11)))`
        : `unhex(${number} || hex(substr(${column}, 5)))`;
    },
    async begin() {
      connection.pragma("synchronous = OFF");
      connection.pragma("busy_timeout = 60000"); // the server writes its statistics meanwhile, and copies the log
      connection.pragma("cache_size = -4000000"); // keys spread over the whole range come back to each page many times
      connection.pragma("foreign_keys = OFF"); // the copies are consistent; checking each takes as long as inserting it
    },
    async insert(table: string, names: string, values: string, id: string, value: Value, from: number, to: number) {
      const numbers = `WITH RECURSIVE numbers(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})`;
      connection
        .prepare(
          `INSERT INTO "${table}" (${names}) ${numbers} SELECT ${values} FROM "${table}" r, numbers WHERE r."${id}" = ? ORDER BY n`,
        )
        .run(value);
      if (to % LOG_ROWS === 0) connection.pragma("wal_checkpoint(PASSIVE)"); // or the log outgrows the database
    },
    async end() {
      connection.pragma("wal_checkpoint(TRUNCATE)");
      connection.exec("ANALYZE");
    },
  };
}

type Pool = Extract<Engine, { dialect: "postgres" }>["pool"];

function postgres(pool: Pool) {
  const all = async (sql: string, params: unknown[] = []) => (await pool.query<Row>(sql, params)).rows;
  return {
    async columns(table: string): Promise<Column[]> {
      const unique = (
        await all(
          `SELECT DISTINCT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
           WHERE i.indisunique AND i.indrelid = to_regclass($1)`,
          [table],
        )
      ).map(({ name }) => name);
      const columns = await all(
        `SELECT column_name AS name, is_identity = 'YES' OR coalesce(column_default LIKE 'nextval%', false) AS numbered FROM information_schema.columns
         WHERE table_schema = current_schema AND table_name = $1 AND is_generated = 'NEVER'`,
        [table],
      );
      return columns.map(({ name, numbered }) => ({
        name: String(name),
        isUnique: unique.includes(name ?? null),
        isNumbered: Boolean(numbered),
      }));
    },
    twoRows: (table: string) => all(`SELECT * FROM "${table}" LIMIT 2`),
    copied(column: string, kind: Kind, isBytes: boolean): string {
      const number = `lpad(to_hex(${kind === "time-ordered" ? "n" : "(n * 2654435761) % 4294967296"}), 8, '0')`;
      if (!isBytes)
        return kind === "time-ordered"
          ? `substr(${column}, 1, 6) || ${number} || substr(${column}, 15)`
          : `${number} || substr(${column}, 9)`;
      const bytes = `decode(${number}, 'hex')`;
      return kind === "time-ordered"
        ? `substr(${column}, 1, 6) || ${bytes} || substr(${column}, 11)`
        : `${bytes} || substr(${column}, 5)`;
    },
    async begin() {},
    async insert(table: string, names: string, values: string, id: string, value: Value, from: number, to: number) {
      const numbers = `generate_series(${from}::bigint, ${to}::bigint) n`;
      const insert = `INSERT INTO "${table}" (${names}) SELECT ${values} FROM "${table}" r, ${numbers} WHERE r."${id}" = $1 ORDER BY n`;
      const client = await pool.connect();
      try {
        await client.query("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL synchronous_commit = off");
        await client.query(insert, [value]);
        await client.query("COMMIT");
      } finally {
        client.release();
      }
    },
    /** With what autovacuum would do: it would otherwise read everything again while the server is measured. */
    async end(tables: string[]) {
      const client = await pool.connect();
      try {
        await client.query("SET statement_timeout = 0");
        for (const table of tables) await client.query(`VACUUM (ANALYZE) "${table}"`);
        await client.query("CHECKPOINT");
      } finally {
        client.release(true);
      }
    },
  };
}
