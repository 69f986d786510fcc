import { z } from "zod";
import { procedure, router } from "../trpc.ts";
import {
  addedWebhookSecret,
  webhookSecretDraft,
  webhookSecretEnd,
  webhookSecretQuery,
  webhookSecretView,
} from "./schemas.ts";
import { addWebhookSecret, endWebhookSecret, listWebhookSecrets } from "./webhook-secrets.ts";

/**
 * The signing secrets and API keys of webhook endpoints. Those of production change only after a fresh sign-in of an
 * admin.
 */
export const webhookSecretsRouter = router({
  list: procedure({ may: "view", scope: "webhooks:read", environment: "any" })
    .input(webhookSecretQuery)
    .output(z.array(webhookSecretView))
    .query(({ ctx, input }) => listWebhookSecrets(input, ctx.deps)),

  /** Never returned again; `warnings` say what to know about it. */
  add: procedure({ may: "manageDevelopment", scope: "webhooks:configure", environment: "fresh admins in production" })
    .input(webhookSecretDraft)
    .output(addedWebhookSecret)
    .mutation(({ ctx, input }) => addWebhookSecret(input, ctx.actor, ctx.deps)),

  /** Ends it now, or at `endsAt`. */
  end: procedure({ may: "manageDevelopment", scope: "webhooks:configure", environment: "fresh admins in production" })
    .input(webhookSecretEnd)
    .output(webhookSecretView)
    .mutation(({ ctx, input }) => endWebhookSecret(input, ctx.actor, ctx.deps)),
});
