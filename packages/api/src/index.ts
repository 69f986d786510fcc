export { ABILITIES, type Actor, scopesOfRole } from "./access.ts";
export { type AdminOutcome, bootstrap, describeAdmin, type NewAdmin } from "./bootstrap.ts";
export { CONSOLE_CLIENT_ID, consoleClientSecret, consoleCookieKey } from "./console-client.ts";
export { type Context, createContext, type Principal } from "./context.ts";
export type { ApiDeps } from "./deps.ts";
export { DomainError, type DomainErrorKind, invalid, type Problem } from "./domain-error.ts";
export { trpc } from "./handler.ts";
export * from "./operations/applications.ts";
export * from "./operations/client-blocks.ts";
export * from "./operations/client-rules.ts";
export * from "./operations/client-secrets.ts";
export { type ClientView, isLiveSecret } from "./operations/client-view.ts";
export * from "./operations/clients.ts";
export * from "./operations/connected-apps.ts";
export * from "./operations/deliveries.ts";
export { matchesPassword, passwordProblems } from "./operations/password.ts";
export * from "./operations/promotion.ts";
export * from "./operations/refusals.ts";
export * from "./operations/registration-tokens.ts";
export * from "./operations/resource-rules.ts";
export * from "./operations/resources.ts";
export * from "./operations/sessions.ts";
export * from "./operations/unaccepted-clients.ts";
export * from "./operations/users.ts";
export {
  type ConfiguredProvider,
  configureProvider,
  endedSecretProblems,
  MAX_WEBHOOK_SECRETS,
  type ProviderDraft,
  providerProblems,
} from "./operations/webhook-providers.ts";
export * from "./operations/webhook-secrets.ts";
export { type AppRouter, appRouter } from "./root.ts";
export {
  clientBlockDraft,
  line,
  lines,
  registrationTokenDraft,
  resourceEnvironments,
  userDraft,
  webhookSecretDraft,
  webhookSecretName,
  webhookSecretQuery,
} from "./schemas.ts";
export {
  AnotherSecretError,
  acceptSecret,
  assertSecretInForce,
  findUnreadable,
  isSecretInForce,
  sealedWith,
  type Unreadable,
} from "./secret-in-force.ts";
export { type DatabasePlace, databasePlace, readSettings, type Settings } from "./settings.ts";
