import { addWebhookSecret, endWebhookSecret, listWebhookSecrets } from "@gatehouse/operations";
import { webhookSecretDraft, webhookSecretEnd, webhookSecretQuery, webhookSecretView } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { procedure, router, viewingWebhooks } from "../trpc.ts";

const configuring = procedure.requires({ role: ["admin"], scope: "webhooks:configure", fresh: true });

/** The signing secrets of webhook providers. Only admins change them, because production depends on them. */
export const webhookSecretsRouter = router({
  list: viewingWebhooks
    .input(webhookSecretQuery)
    .output(z.array(webhookSecretView))
    .query(({ ctx, input }) => listWebhookSecrets(input, ctx.deps)),

  add: configuring
    .input(webhookSecretDraft)
    .output(webhookSecretView)
    .mutation(({ ctx, input }) => addWebhookSecret(input, ctx.deps)),

  /** Ends it now, or at `endsAt`. */
  end: configuring
    .input(webhookSecretEnd)
    .output(webhookSecretView)
    .mutation(({ ctx, input }) => endWebhookSecret(input, ctx.deps)),
});
