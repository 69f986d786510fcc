import type { Environment, RefusalCause } from "@gatehouse/auth";
import { and, desc, eq, gte, isNotNull, notInArray, type SQL } from "drizzle-orm";
import type { ReadHandle } from "../query/handle.ts";

/** What an installation has, apart from the clients that the server registers itself (`builtIn`). CO-15. */
export type FirstSteps = {
  application: boolean;
  developmentClient: boolean;
  productionClient: boolean;
  token: boolean;
  endpoint: boolean;
  delivery: boolean;
};

export async function readFirstSteps(
  { db, tables: { clients, clientUse, webhookEndpoints: e } }: ReadHandle,
  builtIn: readonly string[],
): Promise<FirstSteps> {
  const client = (condition?: SQL) =>
    db
      .select({ id: clients.id })
      .from(clients)
      .where(and(notInArray(clients.id, [...builtIn]), eq(clients.origin, "registered"), condition))
      .limit(1);
  const inEnvironment = (environment: Environment) => client(eq(clients.environment, environment));
  const token = db
    .select({ id: clientUse.clientId })
    .from(clientUse)
    .where(notInArray(clientUse.clientId, [...builtIn]))
    .limit(1);
  const endpoint = (condition?: SQL) => db.select({ slug: e.slug }).from(e).where(condition).limit(1);
  const found = await Promise.all([
    client(),
    inEnvironment("development"),
    inEnvironment("production"),
    token,
    endpoint(),
    endpoint(isNotNull(e.lastAcceptedAt)),
  ]);
  const [application, developmentClient, productionClient, hasToken, hasEndpoint, delivery] = found.map((rows) => rows.length > 0);
  return {
    ...{ application: application === true, developmentClient: developmentClient === true, productionClient: productionClient === true },
    ...{ token: hasToken === true, endpoint: hasEndpoint === true, delivery: delivery === true },
  };
}

/** The newest refusal of a client since `from`, Unix seconds. CO-16. */
export async function findNewestRefusal(
  { db, tables: { refusals: r } }: ReadHandle,
  clientId: string,
  from: number,
): Promise<{ errorId: string; cause: RefusalCause; at: number; endpoint: string } | undefined> {
  const [row] = await db
    .select({ errorId: r.errorId, cause: r.cause, at: r.at, endpoint: r.endpoint })
    .from(r)
    .where(and(eq(r.clientId, clientId), gte(r.at, from)))
    .orderBy(desc(r.at))
    .limit(1);
  return row;
}
