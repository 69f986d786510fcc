import { type Database, openDatabase } from "@gatehouse/db/database";
import { environment } from "./stage.ts";

type Dialect = "sqlite" | "postgres";

/** Opens the database of the running installation for `use`. */
export async function withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(environment["DATABASE_URL"] ?? "");
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/**
 * Runs statements in the database of the running installation. A function gets the dialect, for what the engines spell
 * differently.
 */
export const execute = (statements: string | ((dialect: Dialect) => string)): Promise<void> =>
  withDatabase(async ({ dialect, engine }) => {
    const sql = typeof statements === "string" ? statements : statements(dialect);
    if (engine.dialect === "sqlite") engine.connection.exec(sql);
    else await engine.pool.query(sql);
  });

/** The VALUES of `count` rows, numbered from `first`. Its strings are ours, without quotes. */
export function valuesOf(count: number, row: (i: number) => readonly (string | number | null)[], first = 1): string {
  const shown = (value: string | number | null) => (typeof value === "string" ? `'${value}'` : String(value));
  const rows = Array.from({ length: count }, (_, n) => row(first + n).map(shown));
  return `VALUES ${rows.map((values) => `(${values.join(", ")})`).join(", ")}`;
}

/** Makes the sign-ins of a user an hour older, with the tokens that came from them. */
export function ageSignIns(email: string): Promise<void> {
  const user = `(SELECT id FROM users WHERE email = '${email}')`;
  const older = {
    sqlite: "json_set(context, '$.authTime', json_extract(context, '$.authTime') - 3600)",
    postgres: "jsonb_set(context::jsonb, '{authTime}', to_jsonb((context->>'authTime')::bigint - 3600))::json",
  };
  return execute(
    (dialect) => `
    UPDATE sessions SET auth_time = auth_time - 3600 WHERE user_id = ${user};
    UPDATE access_tokens SET context = ${older[dialect]} WHERE grant_id IN (SELECT id FROM grants WHERE user_id = ${user});
    UPDATE refresh_families SET context = ${older[dialect]} WHERE grant_id IN (SELECT id FROM grants WHERE user_id = ${user})`,
  );
}
