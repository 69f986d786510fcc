import { timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import { lte } from "drizzle-orm";
import type { ReadDb } from "../query/db.ts";
import { type DeadRows, matching, oldKeys } from "./dead-rows.ts";
import { excessGroups, excessRejections, excessUngrouped, olderThanNewest, timeBeyondNewest } from "./newest.ts";

const DAY = 86_400;

/**
 * How many of the newest rows are kept where rows do not expire and anyone can cause them. Of rejected deliveries, at
 * each endpoint: what a stranger sends to one deletes nothing of another.
 */
export const NEWEST = {
  refusals: 10_000,
  failureGroups: 5_000,
  rejectedDeliveries: 10_000,
  signIns: 200_000,
  statHours: 200_000,
  statDays: 100_000,
};

/** For how long the sign-in log is kept where no setting says otherwise. */
const SIGN_IN_DAYS = 90;

/** Of rejected deliveries at each endpoint, if the inbox takes too much space. */
const NEWEST_IF_FULL = 200;

/** How many seconds counts are kept. */
const KEPT = { statHour: 35 * DAY, statDay: 400 * DAY } as const;

/** What {@link deadCrowds} needs to know. */
export type CrowdLimits = {
  /** How many of the newest rows are kept; {@link NEWEST} by default. */
  newest?: typeof NEWEST;
  /** The inbox takes too much space. */
  inboxIsFull?: boolean;
  /** For how many days attempts to sign in are kept. */
  signInDays?: number;
};

/** What is too old, or more than the newest that are kept, where anyone can cause rows. */
export async function deadCrowds(
  db: ReadDb,
  now: number,
  { newest = NEWEST, inboxIsFull = false, signInDays = SIGN_IN_DAYS }: CrowdLimits,
): Promise<DeadRows[]> {
  const { refusals, refusalGroups, statHour, statDay, signIns, webhookDeliveries } = db.tables;
  const hours = (await timeBeyondNewest(db, statHour, newest.statHours)) ?? 0;
  const days = (await timeBeyondNewest(db, statDay, newest.statDays)) ?? 0;
  const ungrouped = await excessUngrouped(db, newest.refusals);
  const groups = await excessGroups(db, newest.failureGroups);
  const attempts = await olderThanNewest(db, { table: signIns, id: signIns.id }, newest.signIns);
  const rejections = await excessRejections(db, inboxIsFull ? NEWEST_IF_FULL : newest.rejectedDeliveries);
  return [
    matching(statHour, statHour.at, lte(statHour.at, Math.max(hours, now - KEPT.statHour))),
    matching(statDay, statDay.at, lte(statDay.at, Math.max(days, now - KEPT.statDay))),
    ...(ungrouped ? [matching(refusals, refusals.errorId, ungrouped)] : []),
    ...(groups ? [matching(refusalGroups, refusalGroups.key, groups)] : []),
    ...rejections.map((condition) => matching(webhookDeliveries, webhookDeliveries.id, condition)),
    oldKeys(signIns, signIns.id, timeOrderedIdsFrom(now - signInDays * DAY), timeOfId),
    ...(attempts ? [matching(signIns, signIns.id, attempts)] : []),
  ];
}
