import type { AccountEventKind } from "@gatehouse/accounts";
import { LIFETIME, timeOrderedIdsFrom } from "@gatehouse/auth";
import { and, eq, gt, inArray, isNull, lt, lte, notExists, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../query/db.ts";
import { isUnverifiedSignUp } from "../schema/index-conditions.ts";

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

/** Rows of one table that can be deleted. */
export type DeadRows = { table: PgTable; key: PgColumn; condition: SQL | undefined };

/** What the sweeper deletes of accounts. SN-05, RG-07, RG-10. */
export function deadAccountRows(db: Db, now: number, { mailWorks }: { mailWorks: boolean }): DeadRows[] {
  const { tables: t } = db;
  const { users } = t;
  const requested = and(sql`${users.deleteAfter} is not null`, lte(users.deleteAfter, now));
  return [
    {
      table: t.mailedTokens,
      key: t.mailedTokens.hash,
      condition: lte(t.mailedTokens.expiresAt, now - KEPT.mailedToken),
    },
    {
      table: t.rememberedBrowsers,
      key: t.rememberedBrowsers.hash,
      condition: lte(t.rememberedBrowsers.expiresAt, now),
    },
    { table: t.invitations, key: t.invitations.id, condition: lte(t.invitations.expiresAt, now - KEPT.invitation) },
    { table: t.mails, key: t.mails.id, condition: lt(t.mails.id, timeOrderedIdsFrom(now - KEPT.mail)) },
    { table: t.accountEvents, key: t.accountEvents.id, condition: lte(t.accountEvents.at, now - KEPT.accountEvent) },
    { table: users, key: users.id, condition: requested },
    ...(mailWorks ? [{ table: users, key: users.id, condition: neverVerified(db, now - KEPT.neverVerified) }] : []),
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
