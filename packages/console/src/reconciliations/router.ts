import { z } from "zod";
import { reconciliationView } from "../deliveries/rerun-schemas.ts";
import { procedure, router } from "../trpc.ts";
import { listReconciliations } from "./reconciliations.ts";

/** Whether events are missing: what providers were asked for. */
export const reconciliationsRouter = router({
  list: procedure({ may: "view", scope: "webhooks:read" })
    .output(z.array(reconciliationView))
    .query(({ ctx }) => listReconciliations(ctx.deps)),
});
