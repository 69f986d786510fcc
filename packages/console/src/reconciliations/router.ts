import { z } from "zod";
import { at } from "../fields.ts";
import { procedure, router } from "../trpc.ts";
import { listReconciliations } from "./reconciliations.ts";

const reconciliationView = z.object({
  endpoint: z.string(),
  completeUpTo: at.nullable(),
  recovered: z.int(),
  lastRunAt: at.nullable(),
  lastError: z.string().nullable(),
});

/** Whether events are missing: what providers were asked for. */
export const reconciliationsRouter = router({
  list: procedure({ may: "view", scope: "webhooks:read" })
    .output(z.array(reconciliationView))
    .query(({ ctx }) => listReconciliations(ctx.deps)),
});
