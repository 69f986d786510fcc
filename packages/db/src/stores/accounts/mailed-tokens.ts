import {
  type AccountRecord,
  MAILED_CODE_TRIES,
  type MailedToken,
  type NewMailedToken,
  OF_ONE_BROWSER,
  OF_THE_ACCOUNTS_ADDRESS,
  OUTLIVE_DELETION,
  type SoughtToken,
} from "@gatehouse/accounts";
import type { Hash } from "@gatehouse/auth";
import { and, desc, eq, exists, gt, inArray, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { Db, ReadDb, Tables, WriteQuery } from "../../query/db.ts";
import { accountRecordWrites } from "./account-records.ts";

const columns = ({ mailedTokens, users }: Tables) => ({
  token: mailedTokens,
  user: {
    email: users.email,
    disabledAt: users.disabledAt,
    deleteAfter: users.deleteAfter,
    signInEpoch: users.signInEpoch,
  },
});

/**
 * Saves a token and deletes the earlier ones of its purpose and address, in one transaction with `also`. ML-03, FP-02.
 * A code for a new browser replaces those of that browser alone. AB-03.
 */
export async function saveMailedToken(db: Db, token: NewMailedToken, also: AccountRecord = {}): Promise<void> {
  await db.transaction([...mailedTokenWrites(db, token), ...accountRecordWrites(db, also)]);
}

/**
 * The writes of {@link saveMailedToken}, for the transaction of another change. `signInEpoch`: instead of the token's,
 * where the change raises the epoch.
 */
export function mailedTokenWrites(db: Db, token: NewMailedToken, signInEpoch?: SQL): WriteQuery[] {
  const { mailedTokens } = db.tables;
  return [
    db.delete(mailedTokens).where(sameCause(db, token)),
    db.insert(mailedTokens).values({ ...token, ...(signInEpoch && { signInEpoch }) }),
  ];
}

/** Matches live links that undo a change from this address. EA-03. */
export function isLiveUndoLink({ tables: { mailedTokens } }: ReadDb, email: string, now: number): SQL | undefined {
  const { purpose, spentAt, expiresAt } = mailedTokens;
  return and(eq(purpose, "email_undo"), eq(mailedTokens.email, email), isNull(spentAt), gt(expiresAt, now));
}

function sameCause({ tables: { mailedTokens } }: Db, { purpose, email, browser }: NewMailedToken): SQL | undefined {
  const ofBrowser = OF_ONE_BROWSER.has(purpose) && browser !== null ? eq(mailedTokens.browser, browser) : undefined;
  return and(eq(mailedTokens.purpose, purpose), eq(mailedTokens.email, email), ofBrowser);
}

export async function findMailedToken(db: ReadDb, hash: Hash): Promise<MailedToken | undefined> {
  return findOne(db, eq(db.tables.mailedTokens.hash, hash));
}

/** The newest token of a purpose and address, and of a browser or account if one is given, if it has not expired. */
export async function findNewestMailedToken(
  db: ReadDb,
  { purpose, email, browser, userId, now }: SoughtToken,
): Promise<MailedToken | undefined> {
  const { mailedTokens } = db.tables;
  const ofBrowser = browser === undefined ? undefined : eq(mailedTokens.browser, browser);
  const ofUser = userId === undefined ? undefined : eq(mailedTokens.userId, userId);
  const sought = [eq(mailedTokens.purpose, purpose), eq(mailedTokens.email, email), gt(mailedTokens.expiresAt, now)];
  return findOne(db, and(...sought, ofBrowser, ofUser));
}

async function findOne(db: ReadDb, condition: SQL | undefined): Promise<MailedToken | undefined> {
  const { tables } = db;
  const { mailedTokens, users } = tables;
  const [row] = await db
    .select(columns(tables))
    .from(mailedTokens)
    .leftJoin(users, eq(users.id, mailedTokens.userId))
    .where(condition)
    .orderBy(desc(mailedTokens.createdAt))
    .limit(1);
  return row && { ...row.token, user: row.user };
}

/**
 * Counts a try at a code, in one statement, so that racing tries cannot exceed the limit. False if the token is dead or
 * had its tries.
 */
export async function countCodeTry(db: Db, hash: Hash, now: number): Promise<boolean> {
  const { mailedTokens } = db.tables;
  const counted = await db
    .update(mailedTokens)
    .set({ tries: sql`${mailedTokens.tries} + 1` })
    .where(and(eq(mailedTokens.hash, hash), lt(mailedTokens.tries, MAILED_CODE_TRIES), isLive(db, now)))
    .returning({ hash: mailedTokens.hash });
  return counted.length === 1;
}

/** Spends a token in one transaction with `also`. Of any number of racing callers exactly one gets true. N47. */
export function spendMailedToken(db: Db, hash: Hash, now: number, also: AccountRecord = {}): Promise<boolean> {
  return db.guarded(mailedTokenSpend(db, hash, now), accountRecordWrites(db, also));
}

/**
 * The write that spends a live token, as the first of {@link Db.guarded}: what the proof allows is the rest. With
 * `condition` only where that holds as well.
 */
export function mailedTokenSpend(db: Db, hash: Hash, now: number, condition?: SQL): WriteQuery {
  const { mailedTokens } = db.tables;
  return db
    .update(mailedTokens)
    .set({ spentAt: now })
    .where(and(eq(mailedTokens.hash, hash), isLive(db, now), condition))
    .returning({ hash: mailedTokens.hash });
}

/** As `isMailedTokenLive`, in the statement: the account may have changed since the token was read. */
function isLive(db: Db, now: number): SQL | undefined {
  const { mailedTokens: token, users } = db.tables;
  const valid = and(
    eq(users.id, token.userId),
    isNull(users.disabledAt),
    or(isNull(users.deleteAfter), inArray(token.purpose, [...OUTLIVE_DELETION])),
    or(isNull(token.signInEpoch), eq(token.signInEpoch, users.signInEpoch)),
    or(not(inArray(token.purpose, [...OF_THE_ACCOUNTS_ADDRESS])), eq(token.email, users.email)),
  );
  const owner = db.select({ id: users.id }).from(users).where(valid);
  return and(isNull(token.spentAt), gt(token.expiresAt, now), or(isNull(token.userId), exists(owner)));
}
