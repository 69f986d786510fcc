// What other packages use: opening a database, the stores, backups, and the queries behind the console and the command line.
export { backUp, type Manifest, manifestOf } from "./backup/backup.ts";
export { checkFile, contentsOf, hashFile, withFile } from "./backup/file.ts";
export { restoreFile } from "./backup/restore.ts";
export { requestArrived } from "./cache/turn.ts";
export { type Database, openDatabase, sqliteFile } from "./database.ts";
export { SchemaError } from "./migrations/plan.ts";
export type { MigrationSource } from "./migrations/read.ts";
export { type AccountChange, changeAccount } from "./queries/account-changes.ts";
export { emptyAccount } from "./queries/account-emptying.ts";
export { type Revocation, revocationWrites } from "./queries/account-ends.ts";
export { listAccountEvents, saveAccountEvent } from "./queries/account-events.ts";
export { readAccountExport } from "./queries/account-export.ts";
export { accountRecordWrites, saveAccountRecord } from "./queries/also.ts";
export { type ApiResourceRow, deleteResource, insertResource, listResources, updateResource } from "./queries/api-resources.ts";
export {
  type ApiTokenRow,
  countLiveApiTokens,
  endApiToken,
  findApiToken,
  findListedApiToken,
  insertApiToken,
  type ListedApiToken,
  listApiTokenRows,
  touchApiToken,
} from "./queries/api-tokens.ts";
export { type ApplicationListRow, applicationPosition, listApplicationRows } from "./queries/application-list.ts";
export {
  type ApplicationClientRow,
  type ApplicationRow,
  deleteApplication,
  findApplication,
  findApplicationByName,
  insertApplication,
  listClientsOfApplications,
  updateApplicationRow,
} from "./queries/applications.ts";
export { type AuditRow, auditInsert } from "./queries/audit.ts";
export {
  type AuditChain,
  type AuditCheckpoint,
  findAuditChain,
  listSealedRows,
  listUnsealedRows,
  pruneAuditRows,
  type RowSeal,
  type SealedRow,
  sealAuditRows,
} from "./queries/audit-chain.ts";
export {
  findAuditRow,
  findLastAudit,
  type ListedAuditRow,
  listAuditHistory,
  listAuditRows,
  listSecretCreators,
  type SecretCreator,
} from "./queries/audit-list.ts";
export { type BrandingRow, findBranding, findLogo, saveBranding } from "./queries/branding.ts";
export { countBlockable, deleteBlock, findBlocks, listBlocks, saveBlock } from "./queries/client-blocks.ts";
export {
  type ClientSecretRow,
  cancelClientSecretEnd,
  endClientSecret,
  insertAnotherSecret,
  insertClientSecret,
  listClientSecrets,
  setOnlyClientSecret,
} from "./queries/client-secrets.ts";
export {
  type ClientRow,
  type ClientSettingsRow,
  deleteClient,
  findClientRow,
  insertClient,
  listBrowserRedirectUris,
  listClientRows,
  listEnabledClients,
  renameClientRows,
  updateClientRow,
} from "./queries/clients.ts";
export { type ConfiguredApplication, listConfiguredApplications, listConfiguredClients } from "./queries/configuration.ts";
export {
  type DeliveryRow,
  deliveryFacetRows,
  findDeliveryContents,
  findDeliveryRows,
  findEventOfDelivery,
  listDeliveryRows,
} from "./queries/deliveries.ts";
export { bodyDeletion, isBodyNeeded } from "./queries/delivery-body.ts";
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
export { type EndedCounts, endAllCredentials } from "./queries/end-all.ts";
export { type EndpointFacts, endpointFacts, listEndpointFacts } from "./queries/endpoint-sets.ts";
export { EVICTED_SINCE, evictedSince } from "./queries/eviction.ts";
export {
  type FailureGroupRow,
  failureHours,
  findFailureGroup,
  groupStateUpdate,
  listFailureGroups,
  listRegressedGroups,
  listSpikingGroups,
  type SpikingGroup,
} from "./queries/failure-group-list.ts";
export { findNewestRefusal, readFirstSteps } from "./queries/first-steps.ts";
export { revokeUserGrants } from "./queries/grants.ts";
export { listLiveGrants } from "./queries/impact.ts";
export {
  type ExportRow,
  findExportRows,
  findIdentityOwners,
  hasTotp,
  type ImportedChange,
  type ImportedFactors,
  type ImportedIdentity,
  insertImportedPerson,
  listExportRows,
  updateImportedPerson,
} from "./queries/imported-people.ts";
export { type InboxLimits, sweepInbox } from "./queries/inbox-retention.ts";
export { factReplacement, insertFact, readFact, writeFact } from "./queries/installation.ts";
export { findInstallationLogo, findLogoVersion, type LogoVersion, saveInstallationLogo } from "./queries/installation-logo.ts";
export { type InvitationRow, listInvitationRows } from "./queries/invitation-list.ts";
export { findPendingInvitation } from "./queries/invitations.ts";
export { type Claim, claimJobs, hasDueJob } from "./queries/job-claims.ts";
export { buryJob, extendLeases, finishJob, type Job, type JobLease, leaseFence, releaseJobs, retryJob } from "./queries/job-outcomes.ts";
export {
  addJobs,
  dropJob,
  findJob,
  type JobChange,
  type JobRow,
  jobInsert,
  LOGOUT_NOTICE_QUEUE,
  listJobRows,
  type NewJob,
  requeueJob,
  SELF_DESCRIBED_NOTICE_QUEUE,
} from "./queries/jobs.ts";
export { endLease, holdLease } from "./queries/leases.ts";
export { findMailedToken, mailedTokenSpend } from "./queries/mailed-tokens.ts";
export {
  findMail,
  listMailRows,
  listNewestMails,
  listWholeMails,
  MAIL_QUEUE,
  type MailEnd,
  type MailJob,
  type MailRow,
  mailEnd,
  recordMailAttempt,
  requeueMail,
  wipeOldMails,
} from "./queries/mails.ts";
export {
  findManagedObject,
  hasManagedObjects,
  listManagedBy,
  listManagedObjects,
  listTouchedObjects,
  type ManagedKey,
  type ManagedRow,
  managedObjectRelease,
  managedObjectWrite,
  unlockManagedObject,
} from "./queries/managed-objects.ts";
export {
  countAdmins,
  type EndingSecret,
  listClientsWithoutSecret,
  listEndingSecrets,
  listEndpointActivity,
  readSchedule,
} from "./queries/overview.ts";
export { type Page, type Position, readCursor, toPage, writeCursor } from "./queries/page.ts";
export { findPerson, findPersonByEmail, findPersonByExternalId, personInsert } from "./queries/people.ts";
export {
  bindGrantToSlot,
  endPreviewSlot,
  findPreviewFrame,
  findPreviewSlot,
  insertPreviewSlot,
  listEndedSlots,
  listLiveSlots,
  type PreviewSlotRow,
  renewPreviewSlot,
  setPreviewFrame,
} from "./queries/preview-slots.ts";
export {
  changeProfile,
  findPicture,
  findPictureTime,
  findPublicPicture,
  removePicture,
  type StoredPicture,
  savePicture,
} from "./queries/profile.ts";
export { findRefusal, listRefusalRows, type RefusalRow } from "./queries/refusals.ts";
export { deleteInitialAccessToken, insertInitialAccessToken, listInitialAccessTokens } from "./queries/registrations.ts";
export {
  findRemoved,
  findUsedClientId,
  listRemoved,
  moveApplicationToRemoved,
  moveClientToRemoved,
  type RemovedObject,
  restoreApplicationRows,
  restoreClientRow,
} from "./queries/removed-objects.ts";
export { listClientsOfResource } from "./queries/resource-clients.ts";
export { countAuditBefore, countBodiesBefore } from "./queries/retention.ts";
export { deleteSavedView, findSavedView, insertSavedView, listSavedViews, type SavedView } from "./queries/saved-views.ts";
export {
  approveClient,
  findSelfRegistered,
  groupSelfRegistered,
  listIdleClients,
  listSelfRegistered,
  MOST_USERS,
  pruneClient,
  type SelfRegisteredRow,
} from "./queries/self-registered.ts";
export { findSessionIdBySid, listNewestSessions, revokeSession } from "./queries/sessions.ts";
export { findSavedSettings, type SavedSettings, saveSettings } from "./queries/settings.ts";
export {
  countIdentities,
  listSignInProviders,
  type SignInProviderChange,
  signInProviderDelete,
  signInProviderInsert,
  signInProviderUpdate,
} from "./queries/sign-in-providers.ts";
export { listSigningKeys, saveSigningKey } from "./queries/signing-keys.ts";
export { hoursWithCounts, statSeries, statTotals } from "./queries/stat-rows.ts";
export { sweep } from "./queries/sweep.ts";
export { endTestRun, findTestRun, insertTestRun } from "./queries/test-runs.ts";
export type {
  ClientDayRow,
  ScopeDayRow,
  SecretDayRow,
  UriDayRow,
} from "./queries/usage.ts";
export { clientTotals, clientUse, lastTokens, readTotals, scopeUse, secretUse, uriUse } from "./queries/usage-rows.ts";
export {
  disconnectApp,
  disconnectApps,
  findUserSecurity,
  listAuditOf,
  requirePasswordChange,
  resetSecondFactors,
  type UserSecurity,
} from "./queries/user-admin.ts";
export { changeUser, markRegisteredByOperator, type ReadProfile, takeOverUser, updateUserDisabled } from "./queries/user-changes.ts";
export { type SignOutScope, signOutEverywhere } from "./queries/user-sessions.ts";
export { findUser, findUserByEmail, hasAdmin, insertUser, listUserRows, type UserRow } from "./queries/users.ts";
export {
  type EndpointAsRead,
  type EndpointChange,
  type EndpointRow,
  endpointDelete,
  endpointInsert,
  endpointUnchanged,
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
  countEventsSince,
  type EventOfDelivery,
  type EventRef,
  findEventState,
  findStoredDelivery,
  hasEffect,
  hasHandlerSucceeded,
  insertAttempt,
  insertEffect,
  latestEventAt,
  listEventAttempts,
  listKnownEventKeys,
  lockEvent,
  setEventState,
  setHandledIfComplete,
  setStateUnlessSucceeded,
} from "./queries/webhook-runs.ts";
export {
  endpointLock,
  endpointSecretsRemoval,
  endWebhookSecret,
  findSameSecrets,
  findWebhookSecret,
  listWebhookSecrets,
  type WebhookSecretChange,
  type WebhookSecretRow,
  type WebhookSecretWrite,
  webhookSecretsRemoval,
  webhookSecretWrite,
} from "./queries/webhook-secrets.ts";
export type { Handle, ReadHandle, WriteQuery } from "./query/handle.ts";
export { RESTORABLE_SECONDS } from "./schema/removed-rows.ts";
export type { ManagedKind } from "./schema/sqlite/managed-objects.ts";
export type { RerunProblem, RerunSelection, RerunState } from "./schema/sqlite/webhook-runs.ts";
export { DatabaseInUseError } from "./sqlite/file-lock.ts";
export { createAccountStore } from "./stores/account-store.ts";
export { createAuthStore } from "./stores/auth-store.ts";
export { createRateLimiter, type RateLimiter } from "./stores/rate-limiter.ts";
export { createStats, type Stat, type Stats, type WriteHealth } from "./stores/stats.ts";
export { createWebhookStore, WEBHOOK_SECRET_PURPOSE } from "./stores/webhook-store.ts";
