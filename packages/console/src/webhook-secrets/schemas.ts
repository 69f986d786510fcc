import { ENTERED_SECRET_KINDS, SECRET_KINDS } from "@gatehouse/webhooks";
import { z } from "zod";
import { at, environment, id, line } from "../fields.ts";
import { provider, slug } from "../webhook-endpoints/schemas.ts";

export const webhookSecretName = line
  .trim()
  .min(1, "give it a name, or leave it out")
  .max(80, "use at most 80 characters");
/** Without `endpoint`, `provider` means the provider's default endpoint. */
export const webhookSecretQuery = z
  .strictObject({ endpoint: slug.optional(), provider: provider.optional() })
  .default({});
export const webhookSecretDraft = z.strictObject({
  endpoint: slug.optional(),
  provider: provider.optional(),
  kind: z.enum(ENTERED_SECRET_KINDS).default("signing"),
  secret: z.string().max(500, "use at most 500 characters"),
  name: webhookSecretName.optional(),
  endsAt: at.nullish(),
});
export const webhookSecretEnd = z.strictObject({
  id,
  endsAt: at.optional(),
  confirmLast: z.boolean().default(false),
  /** The hint, for a secret that is in use. */
  confirmHint: z.string().max(8).optional(),
});
export const webhookSecretView = z.object({
  id,
  endpoint: z.string(),
  provider: z.string(),
  environment,
  kind: z.enum(SECRET_KINDS),
  name: z.string().nullable(),
  hint: z.string(),
  state: z.enum(["active", "ended", "unreadable"]),
  createdAt: at,
  endsAt: at.nullable(),
  lastMatchedAt: at.nullable(),
  rotation: z
    .object({
      state: z.enum(["never_used", "in_use", "quiet", "safe_to_remove"]),
      lastMatchedAt: at.nullable(),
      replacedBy: z.object({ id, hint: z.string(), lastMatchedAt: at }).nullable(),
    })
    .nullable(),
});
export const addedWebhookSecret = webhookSecretView.extend({ warnings: z.array(z.string()) });
