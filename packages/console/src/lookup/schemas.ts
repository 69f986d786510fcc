import { z } from "zod";
import { environment, line } from "../fields.ts";

/** What somebody pasted: an id of any kind, or an email address. */
export const lookupText = line.trim().min(1, "paste an id or an email address").max(300, "use at most 300 characters");

export const lookupMatch = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("failure"), id: z.string(), name: z.string() }),
  z.object({
    kind: z.literal("client"),
    id: z.string(),
    name: z.string(),
    applicationId: z.string(),
    clientName: z.string(),
    environment,
  }),
  z.object({ kind: z.literal("sign_in"), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal("self_registered"), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal("application"), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal("delivery"), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal("event"), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal("user"), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal("key"), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal("audit"), id: z.string(), name: z.string() }),
]);
