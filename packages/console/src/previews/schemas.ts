import { z } from "zod";
import { at, clientId, id, line, version } from "../fields.ts";

/** As CI names it: a pull request, a branch or a slot. */
export const previewKey = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "use letters, digits, dots, hyphens and underscores, for example pr-123")
  .max(64, "use at most 64 characters");

export const previewDraft = z.strictObject({
  clientId,
  key: previewKey,
  redirectUri: line.min(1, "enter the redirect URI").max(1000, "use at most 1000 characters"),
  endsInSeconds: z
    .int()
    .min(60, "at least a minute")
    .max(14 * 86_400, "at most 14 days")
    .optional(),
});

const previewFrame = z.strictObject({
  hostPrefix: line.max(60, "use at most 60 characters"),
  hostSuffix: line.min(1, "enter how the host ends").max(190, "use at most 190 characters"),
  path: line.min(1, "enter the path").max(500, "use at most 500 characters"),
});

export const previewFrameChange = z.strictObject({ clientId, version, frame: previewFrame.nullable() });

export const previewSlotView = z.object({
  id,
  key: z.string(),
  redirectUri: z.string(),
  makerName: z.string(),
  createdAt: at,
  renewedAt: at,
  endsAt: at,
});

export const previewsView = z.object({
  frame: z.object({ ...previewFrame.shape, sharedSuffix: z.string().nullable(), mostSeconds: z.int() }).nullable(),
  version: z.int(),
  most: z.int(),
  live: z.array(previewSlotView),
  ended: z.array(previewSlotView),
});
