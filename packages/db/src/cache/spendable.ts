import type { Store } from "@gatehouse/auth";
import { eq, sql } from "drizzle-orm";
import type { Db, LocalReads } from "../query/db.ts";
import { familyOf, grantStatus, NO_STATUS, STATUS_COLUMNS } from "../stores/auth/grant-status.ts";
import { lazy } from "./lazy.ts";
import type { Owners } from "./owners.ts";

/**
 * Finds what is spent once where reads take no round trip: a code or a family of refresh tokens is read each time, with
 * its grant. Client and user come from their caches.
 */
export function readSpendable(
  db: Db,
  local: LocalReads,
  { findClient, findUser }: Owners,
): Pick<Store, "findCode" | "findRefreshFamily"> {
  const { tables } = db;
  const { authorizationCodes: codes, grants, refreshFamilies: families } = tables;
  const key = sql.placeholder("key");
  const readCode = lazy(() =>
    local.prepare(
      db
        .select({ code: codes, ends: STATUS_COLUMNS.grants(tables) })
        .from(codes)
        .leftJoin(grants, eq(grants.id, codes.grantId))
        .where(eq(codes.hash, key)),
      "read_code",
    ),
  );
  const grant = {
    clientId: grants.clientId,
    userId: grants.userId,
    revokedAt: grants.revokedAt,
    epoch: grants.accessEpoch,
  };
  const readFamily = lazy(() =>
    local.prepare(
      db
        .select({ family: families, grant })
        .from(families)
        .innerJoin(grants, eq(grants.id, families.grantId))
        .where(eq(families.id, key)),
      "read_refresh_family",
    ),
  );

  return {
    async findCode(hash) {
      const versions = local.versions();
      const row = readCode()(hash);
      if (!row) return undefined;
      const client = findClient(row.code.clientId, versions);
      const user = findUser(row.code.userId, versions);
      const status = grantStatus(row.code, { ...NO_STATUS, ...client, ...row.ends, ...user?.ends });
      return { ...row.code, ...status, user: user?.user ?? null };
    },
    async findRefreshFamily(id) {
      const versions = local.versions();
      const row = readFamily()(id);
      const user = row && findUser(row.grant.userId, versions);
      if (!user) return undefined;
      const { userEpoch, userDisabledAt } = user.ends;
      return familyOf(row.family, { ...row.grant, userEpoch, userDisabledAt }, user.user);
    },
  };
}
