import { router } from "@gatehouse/console/trpc";
import { notesRouter } from "./notes/router.ts";
import { subscriptionsRouter } from "./subscriptions/router.ts";

/** The product's routers, served at /trpc beside Gatehouse's. */
export const productRouter = router({
  notes: notesRouter,
  subscriptions: subscriptionsRouter,
});
