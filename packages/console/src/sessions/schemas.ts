import { z } from "zod";
import { at, id } from "../fields.ts";

export const sessionView = z.object({
  id,
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: at,
  lastSeenAt: at,
  expiresAt: at,
  /** True for the caller's session. */
  current: z.boolean(),
});
