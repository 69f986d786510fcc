import { applicationsRouter } from "./routers/applications.ts";
import { clientBlocksRouter } from "./routers/client-blocks.ts";
import { clientsRouter } from "./routers/clients.ts";
import { deliveriesRouter } from "./routers/deliveries.ts";
import { deliveryDetailRouter } from "./routers/delivery-detail.ts";
import { doctorRouter } from "./routers/doctor.ts";
import { jobsRouter } from "./routers/jobs.ts";
import { meRouter } from "./routers/me.ts";
import { reconciliationsRouter } from "./routers/reconciliations.ts";
import { refusalsRouter } from "./routers/refusals.ts";
import { registrationTokensRouter } from "./routers/registration-tokens.ts";
import { rerunsRouter } from "./routers/reruns.ts";
import { resourcesRouter } from "./routers/resources.ts";
import { scopesRouter } from "./routers/scopes.ts";
import { sessionsRouter } from "./routers/sessions.ts";
import { usersRouter } from "./routers/users.ts";
import { webhookEndpointsRouter } from "./routers/webhook-endpoints.ts";
import { webhookSecretsRouter } from "./routers/webhook-secrets.ts";
import { mergeRouters, router } from "./trpc.ts";

/** Everything under /trpc. */
export const appRouter = router({
  applications: applicationsRouter,
  clientBlocks: clientBlocksRouter,
  clients: clientsRouter,
  deliveries: mergeRouters(deliveriesRouter, deliveryDetailRouter, rerunsRouter),
  doctor: doctorRouter,
  jobs: jobsRouter,
  me: meRouter,
  reconciliations: reconciliationsRouter,
  refusals: refusalsRouter,
  registrationTokens: registrationTokensRouter,
  resources: resourcesRouter,
  scopes: scopesRouter,
  sessions: sessionsRouter,
  users: usersRouter,
  webhookEndpoints: webhookEndpointsRouter,
  webhookSecrets: webhookSecretsRouter,
});

export type AppRouter = typeof appRouter;
