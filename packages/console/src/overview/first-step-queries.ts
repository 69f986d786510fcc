import type { Environment, RefusalCause } from "@gatehouse/auth";
import type { ReadDb } from "@gatehouse/db/query/db";
import { hasConsoleRole } from "@gatehouse/db/schema/index-conditions";
import {
  and,
  desc,
  eq,
  exists,
  gte,
  inArray,
  isNotNull,
  isNull,
  ne,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";

/**
 * What an installation has, apart from the applications and clients that the server registers itself (`builtIn`).
 * CO-15.
 */
export type FirstSteps = {
  application: boolean;
  developmentClient: boolean;
  productionClient: boolean;
  token: boolean;
  secondAdmin: boolean;
  endpoint: boolean;
  delivery: boolean;
};

/** All in one statement, since the overview asks it every few seconds. CO-13. */
export async function readFirstSteps(db: ReadDb, builtIn: readonly string[]): Promise<FirstSteps> {
  const { applications, clients, clientUse, users, webhookEndpoints: e } = db.tables;
  const one = { one: sql`1` };
  const has = (query: Parameters<typeof exists>[0]) => exists(query).mapWith(Boolean);
  const inEnvironment = (environment: Environment) =>
    db
      .select(one)
      .from(clients)
      .where(
        and(
          notInArray(clients.id, [...builtIn]),
          eq(clients.origin, "registered"),
          eq(clients.environment, environment),
        ),
      );
  // Clients that registered themselves have applications too.
  const notByAdmin = db
    .select(one)
    .from(clients)
    .where(
      and(
        eq(clients.applicationId, applications.id),
        or(inArray(clients.id, [...builtIn]), ne(clients.origin, "registered")),
      ),
    );
  const token = db
    .select(one)
    .from(clientUse)
    .where(notInArray(clientUse.clientId, [...builtIn]));
  const secondAdmin = db
    .select(one)
    .from(users)
    .where(and(hasConsoleRole(users), eq(users.role, "admin"), isNull(users.disabledAt)))
    .limit(1)
    .offset(1);
  const endpoint = (condition?: SQL) => db.select(one).from(e).where(condition);
  const [row] = await db
    .select({
      application: has(db.select(one).from(applications).where(notExists(notByAdmin))).as("application"),
      developmentClient: has(inEnvironment("development")).as("development_client"),
      productionClient: has(inEnvironment("production")).as("production_client"),
      token: has(token).as("token"),
      secondAdmin: has(secondAdmin).as("second_admin"),
      endpoint: has(endpoint()).as("endpoint"),
      delivery: has(endpoint(isNotNull(e.lastAcceptedAt))).as("delivery"),
    })
    .from(sql`(select 1) as once`);
  if (!row) throw new Error("a select without a condition returned no row");
  return row;
}

/**
 * The newest refusal of a client since `from`, Unix seconds. Those of test runs, which are in no group, are left out.
 * CO-16, CO-42.
 */
export async function findNewestRefusal(
  db: ReadDb,
  clientId: string,
  from: number,
): Promise<{ errorId: string; cause: RefusalCause; at: number; endpoint: string } | undefined> {
  const { refusals: r } = db.tables;
  const [row] = await db
    .select({ errorId: r.errorId, cause: r.cause, at: r.at, endpoint: r.endpoint })
    .from(r)
    .where(and(eq(r.clientId, clientId), gte(r.at, from), isNotNull(r.groupKey)))
    .orderBy(desc(r.at))
    .limit(1);
  return row;
}
