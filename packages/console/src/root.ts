import { apiTokensRouter } from "./api-tokens/router.ts";
import { applicationsRouter } from "./applications/router.ts";
import { auditRouter } from "./audit/router.ts";
import { brandingRouter } from "./branding/router.ts";
import { clientBlocksRouter } from "./client-blocks/router.ts";
import { clientsRouter } from "./clients/router.ts";
import { deliveryDetailRouter } from "./deliveries/detail/router.ts";
import { rerunsRouter } from "./deliveries/reruns/router.ts";
import { deliveriesRouter } from "./deliveries/router.ts";
import { doctorRouter } from "./doctor/router.ts";
import { refusalsRouter } from "./failures/router.ts";
import { invitationsRouter } from "./invitations/router.ts";
import { jobsRouter } from "./jobs/router.ts";
import { keysRouter } from "./keys/router.ts";
import { lookupRouter } from "./lookup/router.ts";
import { mailsRouter } from "./mails/router.ts";
import { configurationRouter } from "./manifest/router.ts";
import { meRouter } from "./me/router.ts";
import { overviewRouter } from "./overview/router.ts";
import { previewsRouter } from "./previews/router.ts";
import { reconciliationsRouter } from "./reconciliations/router.ts";
import { registrationTokensRouter } from "./registration-tokens/router.ts";
import { removedRouter } from "./removed/router.ts";
import { resourcesRouter } from "./resources/router.ts";
import { savedViewsRouter } from "./saved-views/router.ts";
import { scopesRouter } from "./scopes/router.ts";
import { selfRegisteredRouter } from "./self-registered/router.ts";
import { sessionsRouter } from "./sessions/router.ts";
import { settingsRouter } from "./settings/router.ts";
import { signInProvidersRouter } from "./sign-in-providers/router.ts";
import { signInsRouter } from "./sign-ins/router.ts";
import { statusRouter } from "./status/router.ts";
import { mergeRouters, router } from "./trpc.ts";
import { tryRouter } from "./try/router.ts";
import { usersRouter } from "./users/router.ts";
import { webhookEndpointsRouter } from "./webhook-endpoints/router.ts";
import { webhookSecretsRouter } from "./webhook-secrets/router.ts";

/** Everything under /trpc. */
export const appRouter = router({
  apiTokens: apiTokensRouter,
  applications: applicationsRouter,
  audit: auditRouter,
  branding: brandingRouter,
  clientBlocks: clientBlocksRouter,
  clients: clientsRouter,
  configuration: configurationRouter,
  deliveries: mergeRouters(deliveriesRouter, deliveryDetailRouter, rerunsRouter),
  doctor: doctorRouter,
  invitations: invitationsRouter,
  jobs: jobsRouter,
  keys: keysRouter,
  lookup: lookupRouter,
  mails: mailsRouter,
  me: meRouter,
  overview: overviewRouter,
  reconciliations: reconciliationsRouter,
  refusals: refusalsRouter,
  registrationTokens: registrationTokensRouter,
  removed: removedRouter,
  resources: resourcesRouter,
  selfRegistered: selfRegisteredRouter,
  signIns: signInsRouter,
  signInProviders: signInProvidersRouter,
  savedViews: savedViewsRouter,
  scopes: scopesRouter,
  sessions: sessionsRouter,
  settings: settingsRouter,
  status: statusRouter,
  previews: previewsRouter,
  try: tryRouter,
  users: usersRouter,
  webhookEndpoints: webhookEndpointsRouter,
  webhookSecrets: webhookSecretsRouter,
});

export type AppRouter = typeof appRouter;
