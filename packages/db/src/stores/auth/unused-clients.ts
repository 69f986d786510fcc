import { type ClientOrigin, LIFETIME, LIFETIME_BOUNDS, UNCONFIRMED_CROWD } from "@gatehouse/auth";
import { and, asc, eq, exists, gt, inArray, isNull, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, ReadDb, Tables } from "../../query/db.ts";
import { isNeverUsed, isUnconfirmed, noAdminRegistered } from "../../schema/index-conditions.ts";
import { type Pace, UNPACED } from "../../sweep/pace.ts";
import { countUnconfirmedClients } from "./dynamic-registrations.ts";

/**
 * Seconds after which a client that no admin registered is deleted: if no user has allowed it, sooner while many wait
 * for that, and if it got no token. DC-06.
 */
const UNUSED_AFTER = { unconfirmed: 86_400, crowded: 2 * 3600, idle: 90 * 86_400 };

/** Clients that one statement examines. */
const SLICE = 500;

/** For how long an access token can live after its grant was made, or after the refresh token that it came with. */
const ACCESS_SECONDS =
  Math.max(LIFETIME.codeSeconds, LIFETIME.deviceCodeSeconds) + LIFETIME_BOUNDS.accessTokenSeconds.max;

const ORIGINS: readonly ClientOrigin[] = ["dynamic", "metadata_document"];

/**
 * A reason to delete a client of this origin: `condition` holds, and `since` is at or before `until`. A partial index
 * for `condition` has `origin`, `since` and the id.
 */
type Unused = { origin: ClientOrigin; condition: SQL | undefined; since: PgColumn; until: number };

/**
 * Deletes the unused clients that no admin registered, with their applications. A client with a live grant is in use,
 * however old. Returns how many were deleted.
 */
export async function deleteUnusedClients(db: Db, now: number, pace: Pace = UNPACED): Promise<number> {
  const { clients } = db.tables;
  const isCrowded = (await countUnconfirmedClients(db, UNCONFIRMED_CROWD)) === UNCONFIRMED_CROWD;
  const unconfirmed = now - (isCrowded ? UNUSED_AFTER.crowded : UNUSED_AFTER.unconfirmed);
  const idle = now - UNUSED_AFTER.idle;
  let deleted = 0;
  for (const origin of ORIGINS) {
    for (const unused of [
      { condition: isUnconfirmed(clients), since: clients.createdAt, until: unconfirmed },
      { condition: isNeverUsed(clients), since: clients.confirmedAt, until: idle },
      { condition: noAdminRegistered(clients), since: clients.lastUsedAt, until: idle },
    ]) {
      deleted += await deleteInSlices(db, { origin, ...unused }, now, pace);
    }
  }
  return deleted;
}

async function deleteInSlices(db: Db, unused: Unused, now: number, pace: Pace): Promise<number> {
  let deleted = 0;
  let after = { at: -1, id: "" };
  while (!pace.stopped) {
    const rows = await pace.run(() => listSlice(db, unused, after));
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) deleted += await pace.run(() => deleteUnlessInUse(db, unused, ids, now));
    const last = rows.at(-1);
    if (!last || rows.length < SLICE) break;
    after = { at: Number(last.at), id: last.id };
  }
  return deleted;
}

/**
 * Compares all columns of the index at once. With `origin = value`, a planner might follow an index of the times alone.
 */
function listSlice(db: ReadDb, { origin, condition, since, until }: Unused, after: { at: number; id: string }) {
  const { clients } = db.tables;
  const columns = sql`(${clients.origin}, ${since}, ${clients.id})`;
  const range = and(
    sql`${columns} > (${origin}, ${after.at}, ${after.id})`,
    sql`${columns} < (${origin}, ${until + 1}, '')`,
  );
  return db
    .select({ id: clients.id, at: sql<number | string>`${since}` })
    .from(clients)
    .where(and(condition, range))
    .orderBy(asc(clients.origin), asc(since), asc(clients.id))
    .limit(SLICE);
}

/** Looks at each client again in the same statement, since it may have been used meanwhile. */
async function deleteUnlessInUse(
  db: Db,
  { origin, condition, since, until }: Unused,
  ids: string[],
  now: number,
): Promise<number> {
  const { tables } = db;
  const { applications, clients } = tables;
  const unused = db
    .select({ id: clients.applicationId })
    .from(clients)
    .where(
      and(
        inArray(clients.id, ids),
        eq(clients.origin, origin),
        condition,
        lte(since, until),
        notExists(liveGrants(db, tables, now)),
      ),
    );
  const rows = await db.delete(applications).where(inArray(applications.id, unused)).returning({ id: applications.id });
  return rows.length;
}

/** The grants of a client in the surrounding query under which a token is or may be live. */
function liveGrants(db: ReadDb, { clients, grants, refreshFamilies: families }: Tables, now: number) {
  const one = { one: sql`1` };
  const since = now - ACCESS_SECONDS;
  const used = or(gt(families.expiresAt, now), gt(families.createdAt, since), gt(families.rotatedAt, since));
  const family = db
    .select(one)
    .from(families)
    .where(and(eq(families.grantId, grants.id), used));
  return db
    .select(one)
    .from(grants)
    .where(
      and(eq(grants.clientId, clients.id), isNull(grants.revokedAt), or(gt(grants.createdAt, since), exists(family))),
    );
}
