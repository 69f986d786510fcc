import type { GrantStatus } from "@gatehouse/auth";
import { and, eq, gt, inArray, isNull, lte, notExists, type SQL, sql } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { grantStatus, grantStatusColumns } from "./grant-status.ts";

/**
 * A run of a client that an operator started in the console. Its codes and tokens belong to one grant, which is written
 * when the run starts: revoking it ends the run and everything issued in it, including what is being written. CO-38.
 */
export type TestRun = {
  id: string;
  clientId: string;
  /** The only user who can sign in, allow and get tokens. */
  operatorId: string;
  grantId: string;
  /** Unix seconds. */
  expiresAt: number;
};

/** A run to write. `accessEpoch`: that of its operator. */
export type NewTestRun = TestRun & { createdAt: number; accessEpoch: number };

/**
 * Writes the run with its grant, and ends every other live run of this client by the same operator. `also` is written
 * in the same transaction.
 */
export async function insertTestRun(
  db: Db,
  { accessEpoch, ...run }: NewTestRun,
  also: readonly WriteQuery[] = [],
): Promise<void> {
  const { testRuns: runs, grants } = db.tables;
  const { grantId, clientId, operatorId: userId, createdAt } = run;
  const others = db
    .select({ id: runs.grantId })
    .from(runs)
    .where(and(eq(runs.operatorId, userId), eq(runs.clientId, clientId), gt(runs.expiresAt, createdAt)));
  const grant = { id: grantId, clientId, userId, scope: "", createdAt, accessEpoch };
  await db.transaction([
    db
      .update(grants)
      .set({ revokedAt: createdAt, revokedReason: "another test run was started" })
      .where(and(inArray(grants.id, others), isNull(grants.revokedAt))),
    db.insert(grants).values(grant),
    db.insert(runs).values(run),
    ...also,
  ]);
}

/** The run with the status of its grant, in any state. CO-38. */
export async function findTestRun(db: ReadDb, id: string): Promise<(TestRun & GrantStatus) | undefined> {
  const { tables } = db;
  const { testRuns: runs, grants, clients, users } = tables;
  const [row] = await db
    .select({ run: runs, ...grantStatusColumns(tables) })
    .from(runs)
    .leftJoin(grants, eq(grants.id, runs.grantId))
    .leftJoin(clients, eq(clients.id, runs.clientId))
    .leftJoin(users, eq(users.id, runs.operatorId))
    .where(eq(runs.id, id));
  if (!row) return undefined;
  const { id: runId, clientId, operatorId, grantId, expiresAt } = row.run;
  const run = { id: runId, clientId, operatorId, grantId, expiresAt };
  return { ...run, ...grantStatus({ grantId, userId: operatorId }, row) };
}

/** Revokes the run's grant with everything issued under it. False, without `also`, if it was revoked before. */
export function endTestRun(
  db: Db,
  { grantId }: Pick<TestRun, "grantId">,
  now: number,
  also: readonly WriteQuery[],
): Promise<boolean> {
  const { grants } = db.tables;
  const ended = db
    .update(grants)
    .set({ revokedAt: now, revokedReason: "test run ended" })
    .where(and(eq(grants.id, grantId), isNull(grants.revokedAt)))
    .returning({ id: grants.id });
  return db.guarded(ended, also);
}

/** The grants of runs that expired before `instant`, for the sweeper. */
export function grantsOfRunsBefore(db: ReadDb, instant: number) {
  const { testRuns: runs } = db.tables;
  return db.select({ id: runs.grantId }).from(runs).where(lte(runs.expiresAt, instant));
}

/** Matches grants that belong to no test run: a run leaves nothing in the lists of what users allowed. CO-42. */
export function notInTestRun(db: ReadDb): SQL {
  const { testRuns: runs, grants } = db.tables;
  const own = db.select({ one: sql`1` }).from(runs).where(eq(runs.grantId, grants.id));
  return notExists(own);
}
