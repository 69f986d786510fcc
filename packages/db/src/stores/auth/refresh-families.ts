import type { FoundRefreshFamily, NewAccessToken, NewRefreshFamily, RefreshFamily, Rotation } from "@gatehouse/auth";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { appendRow, lookUp } from "../../query/batching.ts";
import type { Db } from "../../query/db.ts";
import { preparedWrite } from "../../query/prepared.ts";
import { familyOf, userColumns } from "./grant-status.ts";
import { refreshFamilyRow, tokenInserts } from "./token-inserts.ts";

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
      .innerJoin(grants, eq(grants.id, families.grantId))
      .innerJoin(users, eq(users.id, grants.userId))
      .where(matching(families.id));
  },
  keyOf: ({ family }: { family: Pick<RefreshFamily, "id"> }) => family.id,
};

/** The family with what can end it. Without its grant there is none. */
export async function findRefreshFamily(db: Db, id: string): Promise<FoundRefreshFamily | undefined> {
  const [row] = await lookUp(db, BY_ID, id);
  return row && familyOf(row.family, row.grant, row.user);
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
  const { tables } = db;
  const { refreshFamilies: families } = tables;
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
  const { tables } = db;
  const { refreshFamilies: families } = tables;
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
