// What other packages use: opening a database, the stores, backups, and the queries behind the console and the command line.
export { backUp, type Manifest, manifestOf } from "./backup/backup.ts";
export { checkFile, contentsOf, hashFile, withFile } from "./backup/file.ts";
export { restoreFile } from "./backup/restore.ts";
export { type Database, openDatabase, sqliteFile } from "./database.ts";
export { SchemaError } from "./migrations/plan.ts";
export type { MigrationSource } from "./migrations/read.ts";
export { deleteResource, insertResource, listResources, updateResource } from "./queries/api-resources.ts";
export {
  type ApplicationClientRow,
  type ApplicationRow,
  deleteApplication,
  findApplication,
  findApplicationByName,
  insertApplication,
  listApplicationRows,
  listClientsOfApplications,
  updateApplicationRow,
} from "./queries/applications.ts";
export { type AuditRow, auditInsert } from "./queries/audit.ts";
export { deleteBlock, findBlocks, listBlocks, saveBlock } from "./queries/client-blocks.ts";
export {
  type ClientRow,
  type ClientSecretRow,
  type ClientSettingsRow,
  deleteClient,
  discardClientSecret,
  expireClientSecret,
  findClientRow,
  insertClient,
  insertClientSecret,
  keepOnlyClientSecret,
  listBrowserRedirectUris,
  listClientRows,
  listClientSecrets,
  listEnabledClients,
  retireClientSecret,
  updateClientRow,
} from "./queries/clients.ts";
export {
  type DeliveryRow,
  deliveryFacetRows,
  findDeliveryContents,
  findDeliveryRows,
  findEventOfDelivery,
  listDeliveryRows,
} from "./queries/deliveries.ts";
export {
  findBriefDeliveries,
  findDeliveryDetail,
  findEventAtEndpoints,
  listAttempts,
  listDuplicates,
  listEndpointSettings,
  listEndpointSlugs,
  listJobsOfDelivery,
  listNeighbours,
} from "./queries/delivery-detail.ts";
export { findDeliveries, findDeliveryBody, listDeliveriesAfter } from "./queries/delivery-tail.ts";
export { countEventsSince, type Ended, endAllAccess, latestEventAt } from "./queries/end-all.ts";
export { type EndpointFacts, endpointFacts, listEndpointFacts } from "./queries/endpoint-sets.ts";
export { EVICTED_SINCE, evictedSince } from "./queries/eviction.ts";
export { revokeUserGrants } from "./queries/grants.ts";
export { type InboxLimits, sweepInbox } from "./queries/inbox-retention.ts";
export { insertFact, readFact, replaceFact } from "./queries/installation.ts";
export { type Claim, claimJobs, hasDueJob, type Job } from "./queries/job-claims.ts";
export { buryJob, extendLeases, finishJob, type JobLease, leaseFence, releaseJobs, retryJob } from "./queries/job-outcomes.ts";
export {
  addJobs,
  dropJob,
  findJobPayload,
  type JobChange,
  type JobRow,
  jobInsert,
  LOGOUT_NOTICE_QUEUE,
  listJobRows,
  type NewJob,
  requeueJob,
} from "./queries/jobs.ts";
export { endLease, holdLease } from "./queries/leases.ts";
export { type Position, readCursor, toPage, writeCursor } from "./queries/page.ts";
export { findRefusal, listRefusalRows, type RefusalRow } from "./queries/refusals.ts";
export { deleteInitialAccessToken, insertInitialAccessToken, listInitialAccessTokens } from "./queries/registrations.ts";
export { listNewestSessions } from "./queries/sessions.ts";
export { statSeries, statTotals } from "./queries/stat-rows.ts";
export { sweep } from "./queries/sweep.ts";
export { adoptUser, changeUser, switchUser, vouchForUser } from "./queries/user-changes.ts";
export { type Everywhere, signOutEverywhere } from "./queries/user-sessions.ts";
export { findUser, findUserByEmail, hasAdmin, insertUser, listUserRows, type UserRow } from "./queries/users.ts";
export {
  type EndpointChange,
  type EndpointRow,
  endpointDelete,
  endpointInsert,
  endpointUpdate,
  findEndpointRow,
  listAcceptingDays,
  listEndpoints,
  type NewEndpoint,
} from "./queries/webhook-endpoints.ts";
export {
  findReconciliation,
  listDueReconciliations,
  listReconciliations,
  saveReconciliation,
  takeReconciliation,
} from "./queries/webhook-reconciliations.ts";
export { cancelRerun, findRerun, insertRerun, type RerunProgress, type RerunRow, saveRerun } from "./queries/webhook-reruns.ts";
export {
  type EventRef,
  findEventState,
  findStoredDelivery,
  hasEffect,
  insertAttempt,
  insertEffect,
  listEventAttempts,
  listKnownEventKeys,
  setEventState,
} from "./queries/webhook-runs.ts";
export {
  findSameSecrets,
  findWebhookSecret,
  listWebhookSecrets,
  type WebhookSecretChange,
  type WebhookSecretRow,
  type WebhookSecretWrite,
  webhookSecretEnd,
  webhookSecretsRemoval,
  webhookSecretWrite,
} from "./queries/webhook-secrets.ts";
export type { Handle, ReadHandle, WriteQuery } from "./query/handle.ts";
export type { RerunProblem, RerunSelection, RerunState } from "./schema/sqlite/webhook-runs.ts";
export { DatabaseInUseError } from "./sqlite/file-lock.ts";
export { createAuthStore } from "./stores/auth-store.ts";
export { createRateLimiter, type RateLimiter } from "./stores/rate-limiter.ts";
export { createStats, type Stat, type Stats } from "./stores/stats.ts";
export { createWebhookStore, WEBHOOK_SECRET_PURPOSE } from "./stores/webhook-store.ts";
