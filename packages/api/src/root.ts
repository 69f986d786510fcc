import { apiTokensRouter } from "./routers/api-tokens.ts";
import { applicationsRouter } from "./routers/applications.ts";
import { auditRouter } from "./routers/audit.ts";
import { brandingRouter } from "./routers/branding.ts";
import { clientBlocksRouter } from "./routers/client-blocks.ts";
import { clientsRouter } from "./routers/clients.ts";
import { configurationRouter } from "./routers/configuration.ts";
import { deliveriesRouter } from "./routers/deliveries.ts";
import { deliveryDetailRouter } from "./routers/delivery-detail.ts";
import { doctorRouter } from "./routers/doctor.ts";
import { invitationsRouter } from "./routers/invitations.ts";
import { jobsRouter } from "./routers/jobs.ts";
import { keysRouter } from "./routers/keys.ts";
import { lookupRouter } from "./routers/lookup.ts";
import { mailsRouter } from "./routers/mails.ts";
import { meRouter } from "./routers/me.ts";
import { overviewRouter } from "./routers/overview.ts";
import { previewsRouter } from "./routers/previews.ts";
import { reconciliationsRouter } from "./routers/reconciliations.ts";
import { refusalsRouter } from "./routers/refusals.ts";
import { registrationTokensRouter } from "./routers/registration-tokens.ts";
import { removedRouter } from "./routers/removed.ts";
import { rerunsRouter } from "./routers/reruns.ts";
import { resourcesRouter } from "./routers/resources.ts";
import { savedViewsRouter } from "./routers/saved-views.ts";
import { scopesRouter } from "./routers/scopes.ts";
import { selfRegisteredRouter } from "./routers/self-registered.ts";
import { sessionsRouter } from "./routers/sessions.ts";
import { settingsRouter } from "./routers/settings.ts";
import { signInProvidersRouter } from "./routers/sign-in-providers.ts";
import { tryRouter } from "./routers/try.ts";
import { usersRouter } from "./routers/users.ts";
import { webhookEndpointsRouter } from "./routers/webhook-endpoints.ts";
import { webhookSecretsRouter } from "./routers/webhook-secrets.ts";
import { mergeRouters, router } from "./trpc.ts";

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
  signInProviders: signInProvidersRouter,
  savedViews: savedViewsRouter,
  scopes: scopesRouter,
  sessions: sessionsRouter,
  settings: settingsRouter,
  previews: previewsRouter,
  try: tryRouter,
  users: usersRouter,
  webhookEndpoints: webhookEndpointsRouter,
  webhookSecrets: webhookSecretsRouter,
});

export type AppRouter = typeof appRouter;
