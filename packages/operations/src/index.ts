// What an administrator or a user can do. tRPC procedures, server pages and the command line all call these functions.

export {
  createApplication,
  getApplication,
  listApplications,
  removeApplication,
  updateApplication,
} from "./applications.ts";
export { type AuditEntry, auditWrite, changedFields } from "./audit.ts";
export {
  CLI_APPLICATION_NAME,
  CLI_CLIENT_ID,
  CLI_SCOPES,
  CONSOLE_APPLICATION_NAME,
  CONSOLE_CLIENT_ID,
  isBuiltInClient,
} from "./clients/built-in-clients.ts"; // The audit log

// Clients
export { blockClients, listClientBlocks, unblockClients } from "./clients/client-blocks.ts";
export { type ClientDraft, clientProblems } from "./clients/client-rules.ts";
export {
  addSecret,
  enforceSecret,
  ensureSecret,
  mintClientSecret,
  retireSecret,
  secretStanding,
} from "./clients/client-secrets.ts";
export { getClient, isLiveSecret } from "./clients/client-view.ts";
export { holdsSecret, registerClient, removeClient, setClientEnabled, updateClient } from "./clients/clients.ts";
export { comparePromotion, promote } from "./clients/promotion.ts";
export { createRegistrationToken, listRegistrationTokens, revokeRegistrationToken } from "./clients/registration-tokens.ts";
export { findUnacceptedClients } from "./clients/unaccepted-clients.ts";
export type { OperationDeps } from "./deps.ts";
export { DomainError, type DomainErrorKind, invalid, type Problem } from "./domain-error.ts";
// Jobs
export { dropJob, type JobView, listJobs, retryJob } from "./jobs.ts";
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
// The failure ledger
export { getRefusal, listRefusals, type RefusalView } from "./refusals.ts";
// API resources
export { apiResourceProblems, clientResourceProblems, type ResourceDraft } from "./resources/resource-rules.ts";
export { createResource, listResources, removeResource, setResourceEnabled, updateResource } from "./resources/resources.ts";
// Users
export { listConnectedApps, revokeConnectedApp } from "./users/connected-apps.ts";
export { matchesPassword, passwordProblems } from "./users/password.ts";
export { listSessions, revokeAllSessions, revokeSession } from "./users/sessions.ts";
export {
  createUser,
  getUser,
  isVouchedFor,
  listUsers,
  NOT_VOUCHED_FOR,
  revokeUserTokens,
  setUserDisabled,
  signUpUser,
  updateUser,
  verifyPassword,
} from "./users/users.ts";
// Webhooks
export { deliveryFacets, listDeliveries } from "./webhooks/deliveries.ts";
export { exportPage, startExport } from "./webhooks/delivery-export.ts";
export { deliveryStats } from "./webhooks/delivery-stats.ts";
export { createDeliveryStreams, type DeliveryStreams, type StreamedDelivery, type StreamReader } from "./webhooks/delivery-stream.ts";
export { listDeliveryAttempts } from "./webhooks/detail/attempts.ts";
export { deliveryAsCurl } from "./webhooks/detail/curl.ts";
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
export { MAX_WEBHOOK_SECRETS } from "./webhooks/endpoints/secret-rows.ts";
export { testSample } from "./webhooks/endpoints/test-sample.ts";
export { addWebhookSecret, endWebhookSecret, listWebhookSecrets, type WebhookSecretView } from "./webhooks/endpoints/webhook-secrets.ts";
export { isProbe } from "./webhooks/probe.ts";
export { listReconciliations } from "./webhooks/reconciliations.ts";
export { cancelRerun, getRerun, RERUN_QUEUE, type RerunView, rerunDeliveries, rerunDelivery, rerunMatching } from "./webhooks/reruns.ts";
