// What an administrator or a user can do. tRPC procedures, server pages and the command line all call these functions.

export { createApiToken, listApiTokens, revokeApiToken } from "./api-tokens/api-tokens.ts";
export { type ApiTokenFailure, apiTokenIn, authenticateApiToken, type LiveApiToken } from "./api-tokens/authenticate.ts";
export { API_TOKEN_SCOPES, type ApiTokenScope } from "./api-tokens/scopes.ts";
export { applicationExportPage, startApplicationExport } from "./application-export.ts";
export {
  createApplication,
  getApplication,
  listApplications,
  updateApplication,
} from "./applications.ts";
export { checkAuditLog } from "./audit/check.ts";
export type { Conflict } from "./audit/conflict.ts";
export { auditChainProblem } from "./audit/health.ts";
export {
  auditExportPage,
  getAuditEntry,
  listAuditLog,
  listObjectHistory,
  startAuditExport,
} from "./audit/log.ts";
export { pruneAuditLog } from "./audit/prune.ts";
export { beginAuditSegment, createAuditSealer, sealAuditLog } from "./audit/sealer.ts";
export { type AuditHead, type Verification, verifyAuditLog } from "./audit/verify.ts";
export { type AuditEntry, auditWrite, changedFields } from "./audit.ts";
export { type Brand, brandOf, getBranding, getLogo, setBranding, setLogo } from "./branding.ts";
export { openBrandingPreview, previewBranding } from "./branding-preview.ts";
export {
  CLI_APPLICATION_NAME,
  CLI_CLIENT_ID,
  CLI_SCOPES,
  CONSOLE_APPLICATION_NAME,
  CONSOLE_CLIENT_ID,
  isBuiltInClient,
} from "./clients/built-in-clients.ts"; // The audit log
// Clients
export { blockClients, blockImpact, listClientBlocks, unblockClients } from "./clients/client-blocks.ts";
export { clientNameOf, clientNames, DEFAULT_CLIENT_NAME, MAX_CLIENTS, renameClient } from "./clients/client-names.ts";
export { type ClientDraft, clientProblems } from "./clients/client-rules.ts";
export {
  addSecret,
  enforceSecret,
  ensureSecret,
  keepSecret,
  mintClientSecret,
  retireSecret,
  secretStanding,
} from "./clients/client-secrets.ts";
export { getClientUse } from "./clients/client-use.ts";
export { getClient, isLiveSecret } from "./clients/client-view.ts";
export { holdsSecret, registerClient, setClientEnabled, updateClient } from "./clients/clients.ts";
export { getFirstUse } from "./clients/first-use.ts";
export { judgeRedirectUri } from "./clients/judge-redirect-uri.ts";
export { comparePromotion, promote } from "./clients/promotion.ts";
export { createRegistrationToken, listRegistrationTokens, revokeRegistrationToken } from "./clients/registration-tokens.ts";
export { listSecrets } from "./clients/secret-list.ts";
export { testRedirectUri } from "./clients/test-redirect-uri.ts";
export { findUnacceptedClients } from "./clients/unaccepted-clients.ts";
export type { ConsoleConfig, OperationDeps } from "./deps.ts";
export { DomainError, type DomainErrorKind, invalid, type Problem } from "./domain-error.ts";
export { type ExportKind, holderOfTicket } from "./export-ticket.ts";
export { failureExportPage, startFailureExport } from "./failures/export.ts";
// Jobs
export {
  decideFailure,
  type FailureDecision,
  type FailureGroupView,
  type FailureState,
  getFailureGroup,
  listFailures,
} from "./failures/groups.ts";
export type { Mend } from "./failures/mend.ts";
export { getRefusal, listRefusals, type RefusalView, type UriEvidence } from "./failures/refusals.ts";
export { type ClientChange, type ClientImpact, getApplicationImpact, getClientImpact } from "./impact/impact.ts";
export { dropJob, type JobView, listJobs, retryJob } from "./jobs.ts";
// Signing keys
export { type KeyState, type KeyView, listKeys, rotateKeys } from "./keys/keys.ts";
// What a pasted id names
export { type LookupMatch, lookUp } from "./lookup/lookup.ts";
// Mails
export {
  getMail,
  getMailboxMail,
  listMailbox,
  listMails,
  mailStatus,
  type Outbox,
  retryMail,
  sendTestMail,
  type WholeMail,
} from "./mails.ts";
// Objects that a file manages
export { assertUnlocked } from "./managed/lock.ts";
export { MANAGED_KINDS, type ManagedView } from "./managed/managed-view.ts";
export { unlockManaged } from "./managed/unlock.ts";
// The overview
export { type Attention, getAttention, noteAttention } from "./overview/attention.ts";
export { getFirstSteps } from "./overview/getting-started.ts";
export { getOverview } from "./overview/overview.ts";
export { positionOf } from "./page.ts";
export {
  ABILITIES,
  type Actor,
  type Author,
  assertFresh,
  assertMayManage,
  FRESH_SECONDS,
  freshForSeconds,
  mayManage,
  scopesOfRole,
} from "./permissions.ts";
export { changePreviewFrame, listPreviews } from "./previews/frame.ts";
export { endSlot, putNumberedSlots, putPreviewSlot } from "./previews/preview-slots.ts";
export { isPublicSuffix } from "./public-suffix.ts";
// The failure ledger
export { removeApplication, removeClient } from "./removed/remove.ts";
export { usedClientIdProblem } from "./removed/removed-clients.ts";
export { getRemovedObject, listRemovedObjects, restoreRemoved } from "./removed/restore.ts";
export { createRequestPolicy } from "./request-policy.ts";
export { apiResourceProblems, clientResourceProblems, type ResourceDraft } from "./resources/resource-rules.ts";
// API resources
export { resourceUsage } from "./resources/resource-usage.ts";
export {
  createResource,
  listResources,
  type ResourceView,
  removeResource,
  setResourceEnabled,
  updateResource,
} from "./resources/resources.ts";
export { listViews, removeView, type SavedViewView, saveView } from "./saved-views.ts";
export type { SentCredential } from "./secrets/destinations.ts";
// Clients that no admin registered
export {
  approveSelfRegistered,
  fetchDocumentAgain,
  getSelfRegisteredClient,
  listIdleSelfRegistered,
  listSelfRegisteredClients,
  listSelfRegisteredGroups,
  pruneSelfRegistered,
} from "./self-registered/self-registered.ts";
export { SETTING_SECTIONS, type SettingSection, type SettingsInForce, type SettingView } from "./settings/in-force.ts";
export { getInstallationLogo, readInstallationLogo, setInstallationLogo } from "./settings/installation-logo.ts";
export { countOlder, RETAINED_LOGS, type RetainedLog } from "./settings/retention.ts";
export { changeSettings, listSettings } from "./settings/settings.ts";
// Sign-in providers
export {
  configureSignInProvider,
  type SignInProviderFile,
  signInProviderChanges,
  signInProviderFileProblems,
} from "./sign-in-providers/configure-provider.ts";
export { listSignInPresets, type SignInProviderView } from "./sign-in-providers/provider-view.ts";
export {
  createSignInProvider,
  getSignInProvider,
  listSignInProviders,
  removeSignInProvider,
  type SignInProviderDraft,
  setSignInProviderEnabled,
  updateSignInProvider,
} from "./sign-in-providers/providers.ts";
export { testSignInProvider } from "./sign-in-providers/test-provider.ts";
export { startApplication } from "./start-application.ts";
export { checkTry } from "./try/negative-checks.ts";
export { endRun } from "./try/run.ts";
export { startTry } from "./try/start.ts";
export { stepTry } from "./try/steps.ts";
// Users
export { listConnectedApps, revokeConnectedApp } from "./users/connected-apps.ts";
export { type ExportedUser, exportUsers, startUserExport, userExportPage } from "./users/export.ts";
export { exportAccount } from "./users/export-account.ts";
export { type ImportOutcome, importUser } from "./users/import.ts";
export {
  type InvitationSent,
  inviteUser,
  type ListedInvitation,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from "./users/invitations.ts";
export {
  disconnectUserApp,
  disconnectUserApps,
  endUserSession,
  endUserSessions,
  type ManagedUser,
  requireNewPassword,
  resetUserSecondFactors,
  sendResetLink,
  setUserDisabled,
  updateUser,
} from "./users/manage-users.ts";
export { operatorPasswordErrors, shortPasswordNotice } from "./users/password.ts";
export {
  getPicture,
  getPublicPicture,
  listActivity,
  listUserActivity,
  type ProfileOf,
  pictureTime,
  recordActivity,
  renameUser,
  saveLocale,
  setPicture,
  unsetPicture,
} from "./users/profile.ts";
export { listSessions, listUserSessions, revokeAllSessions, revokeSession } from "./users/sessions.ts";
export { getUserSecurity, type HistoryEntry, listUserHistory } from "./users/user-history.ts";
export {
  createUser,
  getUser,
  isVouchedFor,
  listUsers,
  NOT_VOUCHED_FOR,
} from "./users/users.ts";
// Webhooks
export { deliveryFacets, listDeliveries } from "./webhooks/deliveries.ts";
export { exportPage, startExport } from "./webhooks/delivery-export.ts";
export { deliveryStats } from "./webhooks/delivery-stats.ts";
export {
  bodiesFor,
  createDeliveryStreams,
  type DeliveryStreams,
  recordTail,
  type StreamedDelivery,
  type StreamReader,
} from "./webhooks/delivery-stream.ts";
export { listDeliveryAttempts } from "./webhooks/detail/attempts.ts";
export { deliveryAsCurl } from "./webhooks/detail/curl.ts";
export { deletePayload } from "./webhooks/detail/delete-body.ts";
export { getDelivery } from "./webhooks/detail/delivery.ts";
export { diagnoseDelivery } from "./webhooks/detail/diagnosis.ts";
export { listRelatedDeliveries } from "./webhooks/detail/related.ts";
export { revealPayload } from "./webhooks/detail/reveal.ts";
export { addressFor } from "./webhooks/detail/rights.ts";
export { doctorTarget, examineTarget, listDoctorTargets, runDoctor } from "./webhooks/doctor.ts";
export {
  configureEndpoint,
  type EndpointFile,
  endpointFileProblems,
  planEndpoint,
  storedEndpointProblems,
} from "./webhooks/endpoints/configure-endpoint.ts";
export { type EndpointView, endpointUrl } from "./webhooks/endpoints/endpoint-view.ts";
export {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  setWebhookEndpointEnabled,
  updateWebhookEndpoint,
} from "./webhooks/endpoints/endpoints.ts";
export { listWebhookProviders } from "./webhooks/endpoints/provider-facts.ts";
export { isActiveSecret, MAX_WEBHOOK_SECRETS } from "./webhooks/endpoints/secret-rows.ts";
export { testSample } from "./webhooks/endpoints/test-sample.ts";
export { addWebhookSecret, endWebhookSecret, listWebhookSecrets, type WebhookSecretView } from "./webhooks/endpoints/webhook-secrets.ts";
export { isProbe } from "./webhooks/probe.ts";
export { listReconciliations } from "./webhooks/reconciliations.ts";
export { cancelRerun, getRerun, RERUN_QUEUE, type RerunView, rerunDeliveries, rerunDelivery, rerunMatching } from "./webhooks/reruns.ts";
