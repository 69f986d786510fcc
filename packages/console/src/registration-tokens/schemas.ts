import { z } from "zod";
import { at, id, line } from "../fields.ts";

export const registrationTokenDraft = z.strictObject({
  name: line.trim().min(1, "say who it is for").max(100, "use at most 100 characters"),
  /** How many clients it may register; null for any number. */
  uses: z.int().min(1, "1 or more").max(10_000, "at most 10000").nullable().default(1),
  expiresInSeconds: z
    .int()
    .min(60, "at least a minute")
    .max(365 * 86_400, "at most a year")
    .nullable()
    .default(7 * 86_400),
});
export const registrationTokenView = z.object({
  id,
  name: z.string(),
  remaining: z.int().nullable(),
  expiresAt: at.nullable(),
  createdAt: at,
});
