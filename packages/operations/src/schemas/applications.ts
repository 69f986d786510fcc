import { z } from "zod";
import { at, clientType, environment, id, line, lines } from "./fields.ts";

export const applicationDraft = z.object({
  name: line.trim().min(1, "give the application a name").max(80, "use at most 80 characters"),
  description: lines.trim().max(500, "use at most 500 characters").default(""),
});

export const applicationListItem = z.object({
  id,
  name: z.string(),
  description: z.string(),
  createdAt: at,
  clients: z.array(z.object({ clientId: z.string(), environment, type: clientType, enabled: z.boolean() })),
});
