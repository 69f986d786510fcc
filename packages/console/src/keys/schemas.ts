import { SIGNING_ALGORITHMS } from "@gatehouse/auth";
import { z } from "zod";
import { at } from "../fields.ts";

const signingAlgorithm = z.enum(SIGNING_ALGORITHMS);

const keyView = z.object({
  kid: z.string(),
  algorithm: signingAlgorithm,
  state: z.enum(["next", "current", "previous"]),
  publishedAt: at,
  signsFrom: at,
  signsUntil: at,
  goneAt: at,
  /** Whether `signsUntil` and `goneAt` follow from the schedule and can still move. */
  planned: z.boolean(),
});

export const keyList = z.object({ now: at, keys: z.array(keyView) });

export const rotationInput = z.strictObject({
  algorithm: signingAlgorithm,
  mode: z.enum(["ahead", "now", "distrust"]),
});
