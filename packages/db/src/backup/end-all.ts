import { latestTotpStep } from "@gatehouse/accounts";
import { and, asc, gt, inArray, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../query/db.ts";
import { isUnanswered } from "../schema/index-conditions.ts";

/** How many rows were ended, by table. Access tokens end without being counted: by the epoch of their client. */
export type EndedCounts = Record<
  | "sessions"
  | "grants"
  | "device_codes"
  | "pushed_requests"
  | "initial_access_tokens"
  | "mailed_tokens"
  | "invitations"
  | "remembered_browsers"
  | "recovery_codes"
  | "api_tokens"
  | "preview_slots",
  number
>;

const REASON = "restored from a backup";
/** Rows per statement, so that each finishes well within the server's time limit. */
const BATCH = 2000;

/**
 * Ends everything that may have been used, replaced or revoked after a backup was made, because the backup does not
 * know: the rows that {@link EndedCounts} counts, with the codes and tokens of grants, clients' own tokens, time steps
 * of authenticator apps, and what was sealed in an earlier epoch. What stays is in
 * docs/decisions/0024-what-a-restore-ends.md. Safe to repeat. OP-52.
 */
export async function endAllCredentials(db: Db, now: number): Promise<EndedCounts> {
  const { tables: t } = db;
  const end = (table: PgTable, key: PgColumn, change: Record<string, unknown>, live: SQL | undefined) =>
    inBatches(async () => {
      const some = db.select({ key }).from(table).where(live).limit(BATCH);
      return db.update(table).set(change).where(inArray(key, some)).returning({ key });
    });
  await spendTotpSteps(db, now);
  await raiseEpochs(db, now);
  await raiseClientEpochs(db, now);
  return {
    sessions: await end(t.sessions, t.sessions.hash, { revokedAt: now }, isNull(t.sessions.revokedAt)),
    grants: await end(t.grants, t.grants.id, { revokedAt: now, revokedReason: REASON }, isNull(t.grants.revokedAt)),
    device_codes: await end(
      t.deviceCodes,
      t.deviceCodes.hash,
      { expiresAt: now },
      and(isNull(t.deviceCodes.redeemedAt), gt(t.deviceCodes.expiresAt, now)),
    ),
    pushed_requests: await end(
      t.pushedRequests,
      t.pushedRequests.hash,
      { expiresAt: now },
      gt(t.pushedRequests.expiresAt, now),
    ),
    initial_access_tokens: await end(
      t.initialAccessTokens,
      t.initialAccessTokens.hash,
      { expiresAt: now },
      sql`(${t.initialAccessTokens.expiresAt} is null or ${t.initialAccessTokens.expiresAt} > ${now})`,
    ),
    mailed_tokens: await end(
      t.mailedTokens,
      t.mailedTokens.hash,
      { expiresAt: now },
      and(isNull(t.mailedTokens.spentAt), gt(t.mailedTokens.expiresAt, now)),
    ),
    invitations: await end(t.invitations, t.invitations.id, { withdrawnAt: now }, isUnanswered(t.invitations)),
    remembered_browsers: await end(
      t.rememberedBrowsers,
      t.rememberedBrowsers.hash,
      { expiresAt: now },
      gt(t.rememberedBrowsers.expiresAt, now),
    ),
    recovery_codes: await end(t.recoveryCodes, t.recoveryCodes.hash, { usedAt: now }, isNull(t.recoveryCodes.usedAt)),
    api_tokens: await end(
      t.apiTokens,
      t.apiTokens.id,
      { endedAt: now },
      and(isNull(t.apiTokens.endedAt), gt(t.apiTokens.expiresAt, now)),
    ),
    preview_slots: await end(t.previewSlots, t.previewSlots.id, { endsAt: now }, gt(t.previewSlots.endsAt, now)),
  };
}

/** Codes of authenticator apps count from the first step that no code can have been used in. MF-04. */
async function spendTotpSteps(db: Db, now: number): Promise<void> {
  const { totpSecrets: totp } = db.tables;
  const lastStep = latestTotpStep(now);
  await inBatches(async () => {
    const some = db.select({ key: totp.userId }).from(totp).where(lt(totp.lastStep, lastStep)).limit(BATCH);
    return db.update(totp).set({ lastStep }).where(inArray(totp.userId, some)).returning({ key: totp.userId });
  });
}

/**
 * Moves every account to epochs that it never had, before or after the backup: tickets and cookies that were sealed in
 * an epoch hold no row that could be ended.
 */
async function raiseEpochs(db: Db, now: number): Promise<void> {
  const { users: u } = db.tables;
  await inBatches(async () => {
    const earlier = or(lt(u.accessEpoch, now), lt(u.signInEpoch, now));
    const some = db.select({ key: u.id }).from(u).where(earlier).limit(BATCH);
    const raised = (epoch: PgColumn) => sql`case when ${epoch} < ${now} then ${now} else ${epoch} end`;
    const change = { accessEpoch: raised(u.accessEpoch), signInEpoch: raised(u.signInEpoch) };
    return db.update(u).set(change).where(inArray(u.id, some)).returning({ key: u.id });
  });
}

/**
 * Moves every client to an epoch that it never had, also if it was created or restored this second: its tokens have no
 * other mark.
 */
async function raiseClientEpochs(db: Db, now: number): Promise<void> {
  const { clients: c } = db.tables;
  for (let after = ""; ; ) {
    const some = await db.select({ id: c.id }).from(c).where(gt(c.id, after)).orderBy(asc(c.id)).limit(BATCH);
    const last = some.at(-1);
    if (!last) return;
    const accessEpoch = sql`case when ${c.accessEpoch} < ${now} then ${now} else ${c.accessEpoch} + 1 end`;
    await db
      .update(c)
      .set({ accessEpoch })
      .where(and(gt(c.id, after), lte(c.id, last.id)));
    after = last.id;
  }
}

async function inBatches(step: () => Promise<unknown[]>): Promise<number> {
  let ended = 0;
  for (;;) {
    const rows = await step();
    ended += rows.length;
    if (rows.length < BATCH) return ended;
  }
}
