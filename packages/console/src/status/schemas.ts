import { z } from "zod";
import { at } from "../fields.ts";
import { ITEMS, type ItemName } from "./items.ts";

const level = z.enum(["ok", "warning", "failed"]);

export const statusView = z.object({
  at,
  level,
  items: z.array(
    z.object({
      name: z.enum(Object.keys(ITEMS) as [ItemName, ...ItemName[]]),
      title: z.string(),
      /** The alert of ops/alerts.yaml that says the same. */
      alert: z.string().nullable(),
      level,
      sentence: z.string(),
    }),
  ),
});
