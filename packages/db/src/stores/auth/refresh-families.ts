import {
  type FoundRefreshFamily,
  NEVER_ROTATED,
  type NewAccessToken,
  type NewRefreshFamily,
  type NewTokens,
  type RefreshFamily,
  type Rotation,
  type Store,
} from "@gatehouse/auth";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { lazy } from "../../cache/lazy.ts";
import type { Owners } from "../../cache/owners.ts";
import { appendRow, lookedUp, lookUp } from "../../query/batching.ts";
import type { Db, LocalReads, RowInsert } from "../../query/db.ts";
import { preparedWrite, rowInsert } from "../../query/prepared.ts";
import { accessTokenRow } from "./access-tokens.ts";
import { familyOf, userColumns } from "./grant-status.ts";

const refreshFamilyRow = (family: NewRefreshFamily) => ({ ...family, ...NEVER_ROTATED });

/** The inserts of the tokens that a code or a refresh token is exchanged for. */
export function tokenInserts(
  db: Db,
  { accessToken, refreshFamily }: Partial<NewTokens> & Pick<NewTokens, "accessToken">,
): RowInsert[] {
  const { accessTokens, refreshFamilies } = db.tables;
  const access = rowInsert(db, accessTokens, accessTokenRow(accessToken));
  return refreshFamily ? [access, rowInsert(db, refreshFamilies, refreshFamilyRow(refreshFamily))] : [access];
}

export function saveRefreshFamily(db: Db, family: NewRefreshFamily): Promise<void> {
  return appendRow(db, db.tables.refreshFamilies, refreshFamilyRow(family));
}

const BY_ID = {
  name: "find_refresh_family",
  build: (db: Db, matching: (column: PgColumn) => SQL) => {
    const { tables } = db;
    const { refreshFamilies: families, grants, users } = tables;
    const grant = {
      clientId: grants.clientId,
      userId: grants.userId,
      revokedAt: grants.revokedAt,
      epoch: grants.accessEpoch,
      userEpoch: users.accessEpoch,
      userDisabledAt: users.disabledAt,
    };
    return db
      .select({ family: families, grant, user: userColumns(tables) })
      .from(families)
      .innerJoin(grants, eq(grants.id, lookedUp(families.grantId)))
      .innerJoin(users, eq(users.id, lookedUp(grants.userId)))
      .where(matching(families.id));
  },
  keyOf: ({ family }: { family: Pick<RefreshFamily, "id"> }) => family.id,
};

/** The family with what can end it. Without its grant there is none. */
export async function findRefreshFamily(db: Db, id: string): Promise<FoundRefreshFamily | undefined> {
  const [row] = await lookUp(db, BY_ID, id);
  return row && familyOf(row.family, row.grant, row.user);
}

/**
 * {@link findRefreshFamily} where a read takes no round trip: the family is read each time, with its grant. The user
 * comes from a cache.
 */
export function localRefreshFamilies(
  db: Db,
  local: LocalReads,
  { findUser }: Pick<Owners, "findUser">,
): Store["findRefreshFamily"] {
  const { grants, refreshFamilies: families } = db.tables;
  const grant = {
    clientId: grants.clientId,
    userId: grants.userId,
    revokedAt: grants.revokedAt,
    epoch: grants.accessEpoch,
  };
  const read = lazy(() =>
    local.prepare(
      db
        .select({ family: families, grant })
        .from(families)
        .innerJoin(grants, eq(grants.id, families.grantId))
        .where(eq(families.id, sql.placeholder("key"))),
      "read_refresh_family",
    ),
  );
  return async (id) => {
    const versions = local.versions();
    const row = read()(id);
    const user = row && findUser(row.grant.userId, versions);
    if (!user) return undefined;
    const { userEpoch, userDisabledAt } = user.ends;
    return familyOf(row.family, { ...row.grant, userEpoch, userDisabledAt }, user.user);
  };
}

/** The row if this token can still be used. */
const ifCurrent = ({ tables: { refreshFamilies: families } }: Db) =>
  and(
    eq(families.id, sql.placeholder("id")),
    eq(families.currentHash, sql.placeholder("presentedHash")),
    gt(families.expiresAt, sql.placeholder("now")),
    gt(families.absoluteExpiresAt, sql.placeholder("now")),
  );

const ROTATE = (db: Db) => {
  const { refreshFamilies: families } = db.tables;
  return db
    .update(families)
    .set({
      context: sql`${sql.placeholder("context")}`,
      boundFrom: sql`${sql.placeholder("boundFrom")}`,
      expiresAt: sql`${sql.placeholder("expiresAt")}`,
      generation: sql`${families.generation} + 1`,
      currentHash: sql`${sql.placeholder("successorHash")}`,
      previousHash: families.currentHash,
      rotatedAt: sql`${sql.placeholder("now")}`,
      rotationId: sql`${sql.placeholder("rotationId")}`,
      accessExpiresAt: sql`${sql.placeholder("accessExpiresAt")}`,
      sealedResponse: sql`${sql.placeholder("sealedResponse")}`,
    })
    .where(ifCurrent(db))
    .returning({ generation: families.generation });
};

/**
 * Makes the successor current and writes the access token. One conditional statement decides, so exactly one of any
 * number of racing callers wins. RT-10, TK-14.
 */
export function rotateRefreshFamily(
  db: Db,
  id: string,
  rotation: Rotation,
  accessToken: NewAccessToken,
): Promise<boolean> {
  const { context, rotatedAt, ...rest } = rotation;
  const values = { ...rest, id, now: rotatedAt, context: context && JSON.stringify(context) };
  return db.spend(preparedWrite(db, "rotate_refresh_family", ROTATE, values), tokenInserts(db, { accessToken }));
}

const EXTEND = (db: Db) => {
  const { refreshFamilies: families } = db.tables;
  return db
    .update(families)
    .set({ expiresAt: sql`${sql.placeholder("expiresAt")}` })
    .where(ifCurrent(db))
    .returning({ generation: families.generation });
};

/** Extends the idle expiry if the token is still current, and writes the access token. */
export function extendRefreshFamily(
  db: Db,
  id: string,
  use: Pick<Rotation, "presentedHash" | "expiresAt"> & { now: number },
  accessToken: NewAccessToken,
): Promise<boolean> {
  return db.spend(
    preparedWrite(db, "extend_refresh_family", EXTEND, { id, ...use }),
    tokenInserts(db, { accessToken }),
  );
}
