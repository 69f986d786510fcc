import type { Role } from "@gatehouse/auth";
import type { ReadDb } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { and, desc, eq, isNull, sql } from "drizzle-orm";

/** An invitation as the console lists it, without the hash of its link. */
export type InvitationRow = {
  id: string;
  email: string;
  role: Role;
  createdAt: number;
  expiresAt: number;
  acceptedAt: number | null;
  /** Null for an invitation of the command line. */
  invitedByName: string | null;
};

/**
 * Invitations that were not withdrawn, newest first: those of the last 90 days. One more than `limit` if there is a
 * next page.
 */
export function listInvitationRows(
  db: ReadDb,
  position: Position | undefined,
  limit: number,
): Promise<InvitationRow[]> {
  const { invitations, users } = db.tables;
  const below = position && sql`(${invitations.createdAt}, ${invitations.id}) < (${position.at}, ${position.id})`;
  return db
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
      acceptedAt: invitations.acceptedAt,
      invitedByName: users.name,
    })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(isNull(invitations.withdrawnAt), below))
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(limit + 1);
}
