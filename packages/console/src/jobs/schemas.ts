import { z } from "zod";
import { at, line } from "../fields.ts";
import { JOB_STATES } from "./jobs.ts";

/** Longer than other ids: a logout notice's has the client's id in it, which can be a URL. */
export const jobId = line.min(1).max(400);

export const jobList = z.strictObject({
  state: z.enum(["pending", "dead"], "must be pending or dead").default("pending"),
  queue: line.min(1).max(200).optional(),
  limit: z.int().min(1, "1 or more").max(500, "at most 500").default(100),
});

export const jobView = z.object({
  id: z.string(),
  queue: z.string(),
  orderKey: z.string().nullable(),
  state: z.enum(JOB_STATES),
  attempts: z.int(),
  runAt: at,
  lastError: z.string().nullable(),
  deadAt: at.nullable(),
  createdAt: at,
});
