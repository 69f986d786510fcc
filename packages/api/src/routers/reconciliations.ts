import { listReconciliations } from "@gatehouse/operations";
import { reconciliationView } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { router, viewingWebhooks } from "../trpc.ts";

/** Whether events are missing: what providers were asked for. */
export const reconciliationsRouter = router({
  list: viewingWebhooks.output(z.array(reconciliationView)).query(({ ctx }) => listReconciliations(ctx.deps)),
});
