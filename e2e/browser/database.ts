import { openDatabase } from "@gatehouse/db";
import { environment } from "./stage.ts";

/** Runs statements in the database of the running installation, which is SQLite here. */
export async function execute(sql: string): Promise<void> {
  const database = await openDatabase(environment["DATABASE_URL"] ?? "");
  if (database.engine.dialect !== "sqlite") throw new Error("expected SQLite");
  database.engine.connection.exec(sql);
  await database.close();
}

/** Makes the sign-ins of a user an hour older, with the tokens that came from them. */
export function ageSignIns(email: string): Promise<void> {
  const user = `(SELECT id FROM users WHERE email = '${email}')`;
  const older = "json_set(context, '$.authTime', json_extract(context, '$.authTime') - 3600)";
  return execute(`
    UPDATE sessions SET auth_time = auth_time - 3600 WHERE user_id = ${user};
    UPDATE access_tokens SET context = ${older} WHERE grant_id IN (SELECT id FROM grants WHERE user_id = ${user});
    UPDATE refresh_tokens SET context = ${older} WHERE grant_id IN (SELECT id FROM grants WHERE user_id = ${user})`);
}
