import { CLIENT_BLOCK_KINDS } from "@gatehouse/auth";
import { z } from "zod";
import { at, line } from "../fields.ts";
import { boundedCount } from "../impact/schemas.ts";

export const clientBlockKey = z.strictObject({
  kind: z.enum(CLIENT_BLOCK_KINDS),
  value: line.min(1, "say what to block").max(255),
});
export const clientBlockDraft = clientBlockKey.extend({
  reason: line.trim().max(200, "use at most 200 characters").default(""),
  /** Null until an admin lifts the block. */
  expiresAt: at.nullable().default(null),
});
export const blockImpactView = z.object({ inForce: z.boolean(), clients: boundedCount });
export const clientBlockView = z.object({ ...clientBlockDraft.shape, createdAt: at });
