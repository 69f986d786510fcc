import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  listWebhookProviders,
  removeWebhookEndpoint,
  setWebhookEndpointEnabled,
  testSample,
  updateWebhookEndpoint,
} from "@gatehouse/operations";
import * as schema from "@gatehouse/operations/schemas";
import { z } from "zod";
import { configuring, router, viewingWebhooks } from "../trpc.ts";

/** The URLs that receive webhooks. Developers change those of development and staging, admins all. */
export const webhookEndpointsRouter = router({
  list: viewingWebhooks.output(z.array(schema.webhookEndpointView)).query(({ ctx }) => listWebhookEndpoints(ctx.deps)),

  /** Also answers for a provider's default endpoint that nobody has set up. */
  get: viewingWebhooks
    .input(schema.webhookEndpointRef)
    .output(schema.webhookEndpointView)
    .query(({ ctx, input }) => getWebhookEndpoint(input.slug, ctx.deps)),

  /** Every provider that this release knows, with its settings and retries. */
  providers: viewingWebhooks.output(z.array(schema.webhookProviderView)).query(() => listWebhookProviders()),

  create: configuring
    .input(schema.webhookEndpointDraft)
    .output(schema.webhookEndpointView)
    .mutation(({ ctx, input }) => createWebhookEndpoint(input, ctx.actor, ctx.deps)),

  update: configuring
    .input(schema.webhookEndpointChange)
    .output(schema.webhookEndpointView)
    .mutation(({ ctx, input }) => updateWebhookEndpoint(input, ctx.actor, ctx.deps)),

  /** A disabled endpoint answers 404. */
  setEnabled: configuring
    .input(schema.webhookEndpointSwitch)
    .output(schema.webhookEndpointView)
    .mutation(({ ctx, input }) => setWebhookEndpointEnabled(input, ctx.actor, ctx.deps)),

  remove: configuring
    .input(schema.webhookEndpointRef)
    .output(z.void())
    .mutation(({ ctx, input }) => removeWebhookEndpoint(input.slug, ctx.actor, ctx.deps)),

  /** Verifies a captured delivery against a secret and settings that need not be saved. Stores nothing. */
  testSample: configuring
    .input(schema.webhookSampleDraft)
    .output(schema.webhookSampleVerdict)
    .mutation(({ ctx, input }) => testSample(input, ctx.deps)),
});
