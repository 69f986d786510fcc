import { z } from "zod";
import { reconciliationView } from "../deliveries/rerun-schemas.ts";
import { router, viewingWebhooks } from "../trpc.ts";
import { listReconciliations } from "./reconciliations.ts";

/** Whether events are missing: what providers were asked for. */
export const reconciliationsRouter = router({
  list: viewingWebhooks.output(z.array(reconciliationView)).query(({ ctx }) => listReconciliations(ctx.deps)),
});
