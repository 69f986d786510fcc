import type { AccountEventKind } from "@gatehouse/accounts";
import { LIFETIME, timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import { and, eq, gt, inArray, isNull, lte, notExists, type SQL, sql } from "drizzle-orm";
import type { Db } from "../query/db.ts";
import { isUnverifiedSignUp } from "../schema/index-conditions.ts";
import { type DeadRows, expired, matching, oldKeys } from "./dead-rows.ts";

const DAY = 86_400;
/** How many seconds rows of accounts are kept. */
const KEPT = {
  /** Long enough to tell a spent or old link from an unknown one. */
  mailedToken: 7 * DAY,
  invitation: 90 * DAY,
  mail: 30 * DAY,
  accountEvent: 180 * DAY,
  neverVerified: 30 * DAY,
} as const;

/** Events that begin a session. */
const SESSION_BEGINNINGS: AccountEventKind[] = ["signed_up", "signed_in"];

/** What the sweeper deletes of accounts. SN-05, RG-07, RG-10. */
export function deadAccountRows(db: Db, now: number, { mailWorks }: { mailWorks: boolean }): DeadRows[] {
  const { tables: t } = db;
  const { users } = t;
  const requested = and(sql`${users.deleteAfter} is not null`, lte(users.deleteAfter, now));
  return [
    expired(t.mailedTokens, t.mailedTokens.hash, t.mailedTokens.expiresAt, now - KEPT.mailedToken),
    expired(t.rememberedBrowsers, t.rememberedBrowsers.hash, t.rememberedBrowsers.expiresAt, now),
    expired(t.invitations, t.invitations.id, t.invitations.expiresAt, now - KEPT.invitation),
    oldKeys(t.mails, t.mails.id, timeOrderedIdsFrom(now - KEPT.mail), timeOfId),
    expired(t.accountEvents, t.accountEvents.id, t.accountEvents.at, now - KEPT.accountEvent),
    matching(users, users.id, requested),
    ...(mailWorks ? [matching(users, users.id, neverVerified(db, now - KEPT.neverVerified))] : []),
  ];
}

/**
 * Accounts from the sign-up page that nobody verified, without a grant, and without a session since `instant`. The rows
 * of sessions are deleted a day after they expire; the events that began them stay longer. One that began before
 * `instant` may have lasted until after it.
 */
function neverVerified(db: Db, instant: number): SQL | undefined {
  const { users, sessions, grants, accountEvents } = db.tables;
  const begunSince = gt(accountEvents.at, instant - LIFETIME.sessionAbsoluteSeconds);
  const one = { one: sql`1` };
  return and(
    isUnverifiedSignUp(users),
    lte(users.createdAt, instant),
    notExists(db.select(one).from(sessions).where(eq(sessions.userId, users.id))),
    notExists(
      db
        .select(one)
        .from(accountEvents)
        .where(and(eq(accountEvents.userId, users.id), inArray(accountEvents.kind, SESSION_BEGINNINGS), begunSince)),
    ),
    notExists(
      db
        .select(one)
        .from(grants)
        .where(and(eq(grants.userId, users.id), isNull(grants.revokedAt))),
    ),
  );
}
