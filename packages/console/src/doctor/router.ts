import { z } from "zod";
import { procedure, router } from "../trpc.ts";
import { examineTarget, listDoctorTargets } from "./doctor.ts";

const finding = z.object({
  check: z.string(),
  title: z.string(),
  /** Null for a check of the whole server. */
  endpoint: z.string().nullable(),
  state: z.enum(["ok", "warning", "failed", "skipped"]),
  seen: z.string(),
  sentence: z.string(),
  fix: z.string().nullable(),
});

/** Examines this server at its own public address. No caller chooses what is requested. */
export const doctorRouter = router({
  /** The endpoints that can be examined. */
  endpoints: procedure({ may: "manageDevelopment", scope: "webhooks:configure", environment: "none" })
    .output(z.array(z.string()))
    .query(({ ctx }) => listDoctorTargets(ctx.deps)),

  /** Examines one endpoint; the server without one. Takes a few seconds. */
  examine: procedure({ may: "manageDevelopment", scope: "webhooks:configure", environment: "none" })
    .input(z.strictObject({ endpoint: z.string().max(64).nullable() }))
    .output(z.array(finding))
    .mutation(({ ctx, input }) => examineTarget(input.endpoint, ctx.deps)),
});
