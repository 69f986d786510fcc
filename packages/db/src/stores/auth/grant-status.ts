import type { FoundRefreshFamily, GrantStatus, RefreshFamily, Role, TokenUser } from "@gatehouse/auth";
import type { Db } from "../../query/db.ts";

/** What can end a credential, by the table that says so. */
export const STATUS_COLUMNS = {
  grants: ({ grants }: Db["tables"]) => ({
    foundGrant: grants.id,
    grantRevokedAt: grants.revokedAt,
    grantEpoch: grants.accessEpoch,
  }),
  clients: ({ clients }: Db["tables"]) => ({
    foundClient: clients.id,
    clientDisabledAt: clients.disabledAt,
    clientEpoch: clients.accessEpoch,
  }),
  users: ({ users }: Db["tables"]) => ({
    foundUser: users.id,
    userDisabledAt: users.disabledAt,
    userEpoch: users.accessEpoch,
  }),
};

/**
 * What can end a credential, read with it in one statement: for the `select` of a query that joins all three tables.
 */
export const grantStatusColumns = (tables: Db["tables"]) => ({
  ...STATUS_COLUMNS.grants(tables),
  ...STATUS_COLUMNS.clients(tables),
  ...STATUS_COLUMNS.users(tables),
});

/** As a join returns it that may find no grant, client or user. */
export type GrantStatusRow = { [Column in keyof ReturnType<typeof grantStatusColumns>]: string | number | null };

/** That of a join that finds none of the three. */
export const NO_STATUS: GrantStatusRow = {
  foundGrant: null,
  grantRevokedAt: null,
  grantEpoch: null,
  foundClient: null,
  clientDisabledAt: null,
  clientEpoch: null,
  foundUser: null,
  userDisabledAt: null,
  userEpoch: null,
};

type Owner = { grantId: string | null; userId: string | null };

/** A deleted grant or user, and a grant from an earlier epoch, count as ended at time 0. */
export function grantStatus(owner: Owner, row: GrantStatusRow): GrantStatus {
  return {
    grantRevokedAt: owner.grantId !== null && isOutlived(owner, row) ? 0 : (row.grantRevokedAt as number | null),
    clientEnabled: row.foundClient !== null && row.clientDisabledAt === null,
    userDisabledAt: owner.userId !== null && row.foundUser === null ? 0 : (row.userDisabledAt as number | null),
  };
}

/** A grant, and what its user says of it. */
type FamilyGrant = {
  clientId: string;
  userId: string;
  revokedAt: number | null;
  epoch: number;
} & Pick<GrantStatusRow, "userEpoch" | "userDisabledAt">;

/** A grant from an earlier epoch of its user counts as revoked at time 0. */
export function familyOf(
  family: Omit<RefreshFamily, "clientId" | "userId">,
  { clientId, userId, revokedAt, epoch, userEpoch, userDisabledAt }: FamilyGrant,
  user: TokenUser,
): FoundRefreshFamily {
  const grantRevokedAt = revokedAt ?? (epoch === userEpoch ? null : 0);
  return { ...family, clientId, userId, grantRevokedAt, userDisabledAt: userDisabledAt as number | null, user };
}

/** The credential's user, read with it: for the `select` of a query that joins the users. */
export const userColumns = ({ users }: Db["tables"]) => ({
  email: users.email,
  name: users.name,
  role: users.role,
  emailVerifiedAt: users.emailVerifiedAt,
  locale: users.locale,
  pictureId: users.pictureId,
  profileChangedAt: users.profileChangedAt,
});

/** As a join returns it that may find no user. */
export type TokenUserRow = Omit<NonNullable<TokenUser>, "email" | "name" | "role"> & {
  email: string | null;
  name: string | null;
  role: Role | null;
};

/** Null if the credential has no user, or the user was deleted. */
export function userOf({
  email,
  name,
  role,
  emailVerifiedAt,
  locale,
  pictureId,
  profileChangedAt,
}: TokenUserRow): TokenUser {
  if (email === null || name === null || role === null) return null;
  return { email, name, role, emailVerifiedAt, locale, pictureId, profileChangedAt };
}

/**
 * True for a grant that was deleted, or is from an earlier epoch of its user. A revoked one keeps its own time. The
 * grant of a test run also has tokens that its client got for itself: no user is read with those.
 */
function isOutlived({ userId }: Owner, { foundGrant, grantRevokedAt, grantEpoch, userEpoch }: GrantStatusRow): boolean {
  return foundGrant === null || (userId !== null && grantRevokedAt === null && grantEpoch !== userEpoch);
}
