import type { SignInAttempt } from "@gatehouse/accounts";
import { type Environment, timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import type { ReadDb, Tables } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { equalsUnindexed, type FoundRows, scanPage } from "@gatehouse/db/query/scan";
import { and, eq, exists, sql } from "drizzle-orm";
import { type NamedClientColumns, namedClientColumns } from "../clients/named-client.ts";
import type { SignInFilter } from "../lists/lists.ts";

/** An attempt with the user that it is of and the client that it names; null where there is none. */
export type SignInRow = SignInAttempt &
  NamedClientColumns & {
    userName: string | null;
    userEmail: string | null;
  };

const rowColumns = ({ signIns, users, ...tables }: Tables) => ({
  id: signIns.id,
  at: signIns.at,
  outcome: signIns.outcome,
  cause: signIns.cause,
  factor: signIns.factor,
  userId: signIns.userId,
  emailHash: signIns.emailHash,
  typedEmail: signIns.typedEmail,
  level: signIns.level,
  clientId: signIns.clientId,
  address: signIns.address,
  userAgent: signIns.userAgent,
  detail: signIns.detail,
  userName: users.name,
  userEmail: users.email,
  ...namedClientColumns(tables),
});

const selectRows = (db: ReadDb) => {
  const { signIns, users, clients, applications } = db.tables;
  return db
    .select(rowColumns(db.tables))
    .from(signIns)
    .leftJoin(users, eq(users.id, signIns.userId))
    .leftJoin(clients, eq(clients.id, signIns.clientId))
    .leftJoin(applications, eq(applications.id, clients.applicationId));
};

/** Whose attempts: a user's, or those with this keyed hash of an address. */
export type SignInsOf = { userId: string } | { emailHash: string };

type Filter = Omit<SignInFilter, "user"> & { of?: SignInsOf | undefined };

/** Newest first. `of` is served by an index; the other filters are checked row by row, in at most `maxRows` rows. */
export function listSignInRows(
  db: ReadDb,
  { of, outcome, cause, factor, clientId, environment, address, from, to }: Filter,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<FoundRows<SignInRow>> {
  const { signIns } = db.tables;
  const equal =
    of &&
    ("userId" in of
      ? { column: signIns.userId, value: of.userId }
      : { column: signIns.emailHash, value: of.emailHash });
  const index = {
    table: signIns,
    id: signIns.id,
    idsFrom: timeOrderedIdsFrom,
    timeOf: timeOfId,
    equal,
    partial: of && "emailHash" in of ? sql`${signIns.emailHash} is not null` : undefined,
  };
  const residual = and(
    equalsUnindexed(signIns.outcome, outcome),
    equalsUnindexed(signIns.cause, cause),
    equalsUnindexed(signIns.factor, factor),
    equalsUnindexed(signIns.clientId, clientId),
    equalsUnindexed(signIns.address, address),
    environment && exists(clientOf(db, environment)),
  );
  return scanPage(db, { index, from, to, residual, position, limit, maxRows }, (condition, order) =>
    selectRows(db)
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}

/** The client that the attempt names, if it is of this environment. */
function clientOf(db: ReadDb, environment: Environment) {
  const { clients, signIns } = db.tables;
  return db
    .select({ one: sql`1` })
    .from(clients)
    .where(and(eq(clients.id, signIns.clientId), eq(clients.environment, environment)));
}

export async function findSignIn(db: ReadDb, id: string): Promise<SignInRow | undefined> {
  const [row] = await selectRows(db).where(eq(db.tables.signIns.id, id));
  return row;
}
