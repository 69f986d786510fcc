import type { AccountRecord, Invitation, Maker } from "@gatehouse/accounts";
import type { Hash } from "@gatehouse/auth";
import { and, eq, gt, ne } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { isUnanswered } from "../../schema/index-conditions.ts";
import { accountRecordWrites } from "./account-records.ts";
import { writeIfStillAuthorized } from "./authorized-writes.ts";

/**
 * Saves an invitation and withdraws the pending one of its address, in one transaction. False, without effect, if the
 * credential of the user who invites has ended. RG-08.
 */
export function saveInvitation(
  db: Db,
  invitation: Omit<Invitation, "acceptedAt" | "withdrawnAt">,
  also: AccountRecord,
  maker?: Maker,
): Promise<boolean> {
  const { invitations } = db.tables;
  return writeIfStillAuthorized(db, maker, [
    db
      .update(invitations)
      .set({ withdrawnAt: invitation.createdAt })
      .where(and(eq(invitations.email, invitation.email), isUnanswered(invitations))),
    db.insert(invitations).values(invitation),
    ...accountRecordWrites(db, also),
  ]);
}

export async function findInvitation(db: ReadDb, id: string): Promise<Invitation | undefined> {
  const { invitations } = db.tables;
  const [row] = await db.select().from(invitations).where(eq(invitations.id, id));
  return row;
}

export async function findInvitationByHash(db: ReadDb, hash: Hash): Promise<Invitation | undefined> {
  const { invitations } = db.tables;
  const [row] = await db.select().from(invitations).where(eq(invitations.hash, hash));
  return row;
}

/** The pending invitation of an address. */
export async function findPendingInvitation(db: ReadDb, email: string, now: number): Promise<Invitation | undefined> {
  const { invitations } = db.tables;
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.email, email), isUnanswered(invitations), gt(invitations.expiresAt, now)));
  return row;
}

/** False if it is not pending. */
export function withdrawInvitation(db: Db, id: string, also: AccountRecord, now: number): Promise<boolean> {
  const { invitations } = db.tables;
  const first = db
    .update(invitations)
    .set({ withdrawnAt: now })
    .where(and(eq(invitations.id, id), isUnanswered(invitations), gt(invitations.expiresAt, now)))
    .returning({ id: invitations.id });
  return db.guarded(first, accountRecordWrites(db, also));
}

/** The write that withdraws every pending invitation of a user to a role above `user`. */
export function invitationsEnd(db: Db, invitedBy: string, now: number): WriteQuery {
  const { invitations } = db.tables;
  return db
    .update(invitations)
    .set({ withdrawnAt: now })
    .where(and(eq(invitations.invitedBy, invitedBy), ne(invitations.role, "user"), isUnanswered(invitations)));
}
