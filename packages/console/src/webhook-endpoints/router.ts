import { z } from "zod";
import { procedure, router } from "../trpc.ts";
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  setWebhookEndpointEnabled,
  updateWebhookEndpoint,
} from "./endpoints.ts";
import { rotateForwardingSecret, setForwarding } from "./forwarding/forwarding.ts";
import { listWebhookProviders } from "./provider-facts.ts";
import {
  webhookEndpointChange,
  webhookEndpointDraft,
  webhookEndpointRef,
  webhookEndpointSwitch,
  webhookEndpointView,
  webhookForwardChange,
  webhookForwardResult,
  webhookForwardRotation,
  webhookForwardSecret,
  webhookProviderView,
  webhookSampleDraft,
  webhookSampleVerdict,
  webhookTestEventDraft,
  webhookTestEventResult,
} from "./schemas.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { testSample } from "./test-sample.ts";

/** The URLs that receive webhooks. Developers change those of development and staging, admins all. */
export const webhookEndpointsRouter = router({
  list: procedure({ may: "view", scope: "webhooks:read" })
    .output(z.array(webhookEndpointView))
    .query(({ ctx }) => listWebhookEndpoints(ctx.deps)),

  /** Also answers for a provider's default endpoint that nobody has set up. */
  get: procedure({ may: "view", scope: "webhooks:read", environment: "any" })
    .input(webhookEndpointRef)
    .output(webhookEndpointView)
    .query(({ ctx, input }) => getWebhookEndpoint(input.slug, ctx.deps)),

  /** Every provider that this release knows, with its settings and retries. */
  providers: procedure({ may: "view", scope: "webhooks:read" })
    .output(z.array(webhookProviderView))
    .query(() => listWebhookProviders()),

  create: procedure({
    may: "manageDevelopment",
    scope: "webhooks:configure",
    environment: "fresh admins in production",
  })
    .input(webhookEndpointDraft)
    .output(webhookEndpointView)
    .mutation(({ ctx, input }) => createWebhookEndpoint(input, ctx.actor, ctx.deps)),

  update: procedure({
    may: "manageDevelopment",
    scope: "webhooks:configure",
    environment: "fresh admins in production",
  })
    .input(webhookEndpointChange)
    .output(webhookEndpointView)
    .mutation(({ ctx, input }) => updateWebhookEndpoint(input, ctx.actor, ctx.deps)),

  /** A disabled endpoint answers 404. */
  setEnabled: procedure({
    may: "manageDevelopment",
    scope: "webhooks:configure",
    environment: "fresh admins in production",
  })
    .input(webhookEndpointSwitch)
    .output(webhookEndpointView)
    .mutation(({ ctx, input }) => setWebhookEndpointEnabled(input, ctx.actor, ctx.deps)),

  remove: procedure({
    may: "manageDevelopment",
    scope: "webhooks:configure",
    environment: "fresh, and admins in production",
  })
    .input(webhookEndpointRef)
    .output(z.void())
    .mutation(({ ctx, input }) => removeWebhookEndpoint(input.slug, ctx.actor, ctx.deps)),

  /** Sends accepted events to a URL of the product. A secret that this makes is in the answer and nowhere else. */
  setForwarding: procedure({
    may: "manageDevelopment",
    scope: "webhooks:configure",
    environment: "fresh admins in production",
  })
    .input(webhookForwardChange)
    .output(webhookForwardResult)
    .mutation(({ ctx, input }) => setForwarding(input, ctx.actor, ctx.deps)),

  /** The new secret is in the answer and nowhere else. */
  rotateForwardingSecret: procedure({
    may: "manageDevelopment",
    scope: "webhooks:configure",
    environment: "fresh admins in production",
  })
    .input(webhookForwardRotation)
    .output(webhookForwardSecret)
    .mutation(({ ctx, input }) => rotateForwardingSecret(input, ctx.actor, ctx.deps)),

  /** Sends a signed sample to the endpoint, as its provider would. */
  sendTestEvent: procedure({
    may: "manageDevelopment",
    scope: "webhooks:configure",
    environment: "fresh admins in production",
  })
    .input(webhookTestEventDraft)
    .output(webhookTestEventResult)
    .mutation(({ ctx, input }) => sendTestEvent(input, ctx.actor, ctx.deps)),

  /** Verifies a captured delivery against a secret and settings that need not be saved. Stores nothing. */
  testSample: procedure({ may: "manageDevelopment", scope: "webhooks:configure", environment: "none" })
    .input(webhookSampleDraft)
    .output(webhookSampleVerdict)
    .mutation(({ ctx, input }) => testSample(input, ctx.deps)),
});
