import type { Standing } from "@gatehouse/auth";
import type { Handle } from "../handle.ts";

/** What a credential hangs on, read with it in one statement: for the `select` of a query that joins all three. */
export const standingColumns = ({ grants, clients, users }: Handle["tables"]) => ({
  foundGrant: grants.id,
  grantRevokedAt: grants.revokedAt,
  foundClient: clients.id,
  clientDisabledAt: clients.disabledAt,
  foundUser: users.id,
  userDisabledAt: users.disabledAt,
});

type Row = { [Column in keyof ReturnType<typeof standingColumns>]: string | number | null };
type Owner = { grantId: string | null; userId: string | null };

/** What is gone counts as revoked at the beginning of time, so that a credential left behind by a deletion is dead. */
export function standingOf(owner: Owner, row: Row): Standing {
  return {
    grantRevokedAt: owner.grantId !== null && row.foundGrant === null ? 0 : (row.grantRevokedAt as number | null),
    clientEnabled: row.foundClient !== null && row.clientDisabledAt === null,
    userDisabledAt: owner.userId !== null && row.foundUser === null ? 0 : (row.userDisabledAt as number | null),
  };
}
