import { z } from "zod";
import { id, line } from "../fields.ts";

/** The URL path of a list of the console. */
export const viewedList = z
  .string()
  .max(64)
  .regex(/^(?:\/[a-z]+(?:-[a-z]+)*)+$/, "must be the path of a list, as /deliveries");

export const savedViewDraft = z.strictObject({
  list: viewedList,
  name: line.trim().min(1, "enter a name").max(60, "use at most 60 characters"),
  /** Percent-encoded, so it has no spaces, no `#` and nothing beyond ASCII. */
  query: z
    .string()
    .max(2_000, "has too many filters to be saved")
    .regex(/^[!"$-~]*$/, "must be a query string"),
  shared: z.boolean().default(false),
});

export const savedView = z.object({ id, name: z.string(), query: z.string(), shared: z.boolean(), own: z.boolean() });
