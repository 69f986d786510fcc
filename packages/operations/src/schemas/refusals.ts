import { REFUSAL_CAUSES } from "@gatehouse/auth";
import { z } from "zod";
import { at, environment, line } from "./fields.ts";

export const errorId = line.trim().min(1).max(64);

export const refusalView = z.object({
  errorId: z.string(),
  at,
  endpoint: z.string(),
  error: z.string(),
  cause: z.enum(REFUSAL_CAUSES),
  /** What the cause means. */
  explanation: z.string(),
  /** What was wrong in this request. */
  message: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Who can fix it, and how. */
  actor: z.enum(["client developer", "admin", "user", "operator", "nobody"]),
  remedy: z.string(),
  /** The client that the request named; without an application if there is no such client. */
  client: z.object({ clientId: z.string(), applicationName: z.string().nullable(), environment: environment.nullable() }).nullable(),
  address: z.string().nullable(),
});
