import { applicationsRouter } from "./routers/applications.ts";
import { clientsRouter } from "./routers/clients.ts";
import { deliveriesRouter } from "./routers/deliveries.ts";
import { meRouter } from "./routers/me.ts";
import { registrationTokensRouter } from "./routers/registration-tokens.ts";
import { resourcesRouter } from "./routers/resources.ts";
import { sessionsRouter } from "./routers/sessions.ts";
import { usersRouter } from "./routers/users.ts";
import { router } from "./trpc.ts";

/** Everything under /trpc. */
export const appRouter = router({
  applications: applicationsRouter,
  clients: clientsRouter,
  deliveries: deliveriesRouter,
  me: meRouter,
  registrationTokens: registrationTokensRouter,
  resources: resourcesRouter,
  sessions: sessionsRouter,
  users: usersRouter,
});

export type AppRouter = typeof appRouter;
