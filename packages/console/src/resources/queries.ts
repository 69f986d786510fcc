import type { ReadDb } from "@gatehouse/db/query/db";
import { asc, eq, type SQL, sql } from "drizzle-orm";

/** How many clients are examined at most. */
const EXAMINED_CLIENTS = 50_000;

/**
 * Clients with settings that contain this resource id, by id; at most `limit`. The caller checks in which setting it
 * is.
 */
export function listClientsOfResource(db: ReadDb, id: string, limit: number) {
  const { clients, applications } = db.tables;
  const examined = db
    .select({ id: clients.id, options: clients.options })
    .from(clients)
    .orderBy(asc(clients.id))
    .limit(EXAMINED_CLIENTS)
    .as("examined");
  return db
    .select({
      clientId: clients.id,
      name: clients.name,
      environment: clients.environment,
      scopes: clients.scopes,
      options: clients.options,
      applicationId: applications.id,
      applicationName: applications.name,
    })
    .from(examined)
    .innerJoin(clients, eq(clients.id, examined.id))
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(containsLiteral(sql`cast(${examined.options} as text)`, JSON.stringify(id)))
    .orderBy(asc(clients.id))
    .limit(limit);
}

/** `%` and `_` in the text are literal. */
function containsLiteral(value: SQL, text: string): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql`${value} like ${pattern} escape '\\'`;
}
