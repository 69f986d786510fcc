import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db, WriteQuery } from "../../query/db.ts";
import { endEarlierEpochs } from "./user-sessions.ts";

/** Matches accounts that an operator made, or whose owner has proved the address. RG-06. */
export const hasVerifiedOwner = ({ users }: Db["tables"]): SQL | undefined =>
  or(eq(users.registeredBy, "operator"), isNotNull(users.emailVerifiedAt));

/**
 * The writes for the first proof of an account's address: everything goes that could let back in who made the account,
 * and the address is verified. In an account with a verified owner they only record the proof, even if it became so a
 * moment ago. RG-05.
 */
export function discardUntrustedAccess(db: Db, userId: string, now: number): WriteQuery[] {
  const { tables } = db;
  const { users } = tables;
  const unproved = and(eq(users.id, userId), sql`not coalesce(${hasVerifiedOwner(tables)}, false)`);
  const owner = db.select({ id: users.id }).from(users).where(unproved);
  return [
    // First, because it locks the row: of two proofs at once, the second one finds the account proved.
    db
      .update(users)
      .set({
        passwordHash: null,
        passwordSetAt: null,
        mustChangePassword: false,
        webauthnUserId: null,
        deleteAfter: null, // its creator may have requested the deletion
        accessEpoch: sql`${users.accessEpoch} + 1`,
        signInEpoch: sql`${users.signInEpoch} + 1`,
      })
      .where(unproved),
    ...deleteCredentialsAndConsents(db, owner),
    ...endEarlierEpochs(db, userId, "the address was proved by somebody else", now),
    db
      .update(users)
      .set({ emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${now})` })
      .where(eq(users.id, userId)),
  ];
}

/**
 * Deletes all that an account signs in with besides its password, and what its user allowed and was mailed. `owner`
 * selects the account's id.
 */
export function deleteCredentialsAndConsents(db: Db, owner: SQL | { getSQL(): SQL }): WriteQuery[] {
  const { tables: t } = db;
  return [
    db.delete(t.passkeys).where(inArray(t.passkeys.userId, owner as SQL)),
    db.delete(t.totpSecrets).where(inArray(t.totpSecrets.userId, owner as SQL)),
    db.delete(t.recoveryCodes).where(inArray(t.recoveryCodes.userId, owner as SQL)),
    db.delete(t.identities).where(inArray(t.identities.userId, owner as SQL)),
    db.delete(t.rememberedBrowsers).where(inArray(t.rememberedBrowsers.userId, owner as SQL)),
    db.delete(t.mailedTokens).where(and(inArray(t.mailedTokens.userId, owner as SQL), isNull(t.mailedTokens.spentAt))),
    db.delete(t.consents).where(inArray(t.consents.userId, owner as SQL)),
    db.delete(t.apiTokens).where(inArray(t.apiTokens.makerId, owner as SQL)),
    db
      .update(t.users)
      .set({ pictureId: null })
      .where(inArray(t.users.id, owner as SQL)),
    db.delete(t.userPictures).where(inArray(t.userPictures.userId, owner as SQL)),
  ];
}
