import { LIFETIME, timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import { and, eq, inArray, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import type { SweptPartitions } from "../partitions/due.ts";
import type { ReadDb } from "../query/db.ts";
import { KEPT } from "../retention.ts";
import { RESTORABLE_SECONDS } from "../schema/removed-rows.ts";
import { grantsOfRunsBefore } from "../stores/auth/test-runs.ts";
import { type DeadRows, expired, matching, oldKeys } from "./dead-rows.ts";

/** What has expired and was kept long enough, in the order in which it has to be deleted. */
export function deadRows(db: ReadDb, now: number, partitions: SweptPartitions = {}): DeadRows[] {
  const { tables: t } = db;
  return [
    oldKeys(
      t.accessTokens,
      t.accessTokens.hash,
      timeOrderedIdsFrom(now - KEPT.accessToken),
      timeOfId,
      partitions.access_tokens?.below,
    ),
    oldKeys(
      t.authorizationCodes,
      t.authorizationCodes.hash,
      timeOrderedIdsFrom(now - LIFETIME.codeSeconds - KEPT.code),
      timeOfId,
      partitions.authorization_codes?.below,
    ),
    expired(t.refreshFamilies, t.refreshFamilies.id, t.refreshFamilies.absoluteExpiresAt, now - KEPT.refreshToken),
    expired(t.deviceCodes, t.deviceCodes.hash, t.deviceCodes.expiresAt, now - KEPT.deviceCode),
    expired(t.sessions, t.sessions.hash, t.sessions.expiresAt, now - KEPT.session),
    matching(t.clientSecrets, t.clientSecrets.id, retiredBefore(t.clientSecrets, now - KEPT.clientSecret)),
    matching(t.webhookSecrets, t.webhookSecrets.id, endedBefore(t.webhookSecrets, now - KEPT.webhookSecret)),
    matching(
      t.apiTokens,
      t.apiTokens.id,
      or(lte(t.apiTokens.expiresAt, now - KEPT.apiToken), lte(t.apiTokens.endedAt, now - KEPT.apiToken)),
    ),
    { ...expired(t.rateLimits, t.rateLimits.key, t.rateLimits.expire, now * 1000), unit: "milliseconds" },
    expired(t.pushedRequests, t.pushedRequests.hash, t.pushedRequests.expiresAt, now - KEPT.pushedRequest),
    expired(t.previewSlots, t.previewSlots.id, t.previewSlots.endsAt, now - KEPT.previewSlot),
    expired(t.spentIds, t.spentIds.hash, t.spentIds.expiresAt, now),
    matching(t.webhookReruns, t.webhookReruns.id, lte(t.webhookReruns.createdAt, now - KEPT.webhookRerun)),
    expired(t.jobs, t.jobs.id, t.jobs.deadAt, now - KEPT.deadJob),
    matching(t.signingKeys, t.signingKeys.kid, lte(t.signingKeys.removeAfter, now)),
    expired(t.removedObjects, t.removedObjects.id, t.removedObjects.removedAt, now - RESTORABLE_SECONDS),
    matching(
      t.initialAccessTokens,
      t.initialAccessTokens.hash,
      lte(t.initialAccessTokens.expiresAt, now - KEPT.initialAccessToken),
    ),
    matching(t.grants, t.grants.id, inArray(t.grants.id, grantsOfRunsBefore(db, now - KEPT.testRun))),
    matching(t.grants, t.grants.id, abandoned(db, now - LIFETIME.refreshAbsoluteSeconds - KEPT.refreshToken)),
    expired(t.refusals, t.refusals.errorId, t.refusals.at, now - KEPT.refusal),
    matching(t.refusalGroupHours, t.refusalGroupHours.at, lte(t.refusalGroupHours.at, now - KEPT.refusalHours)),
    expired(t.refusalGroups, t.refusalGroups.key, t.refusalGroups.lastAt, now - KEPT.refusal),
  ];
}

function retiredBefore(secrets: ReadDb["tables"]["clientSecrets"], instant: number): SQL | undefined {
  return or(lte(secrets.revokedAt, instant), lte(secrets.expiresAt, instant));
}

function endedBefore(secrets: ReadDb["tables"]["webhookSecrets"], instant: number): SQL | undefined {
  return or(lte(secrets.removedAt, instant), lte(secrets.expiresAt, instant));
}

/** Grants older than any code, without refresh tokens: no access token of theirs can be live. */
function abandoned(db: ReadDb, instant: number): SQL | undefined {
  const { grants, refreshFamilies } = db.tables;
  const under = db.select({ one: sql`1` }).from(refreshFamilies).where(eq(refreshFamilies.grantId, grants.id));
  return and(lte(grants.createdAt, instant), notExists(under));
}
