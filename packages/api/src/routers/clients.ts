import { checkRedirectUri } from "@gatehouse/auth";
import {
  addSecret,
  comparePromotion,
  getClient,
  promote,
  registerClient,
  removeClient,
  retireSecret,
  setClientEnabled,
  updateClient,
} from "@gatehouse/operations";
import * as schema from "@gatehouse/operations/schemas";
import { z } from "zod";
import { managing, router, viewing } from "../trpc.ts";

const { clientId } = schema;

/** The OAuth clients, as the console sees them. */
export const clientsRouter = router({
  /** Returns the secret once; only its hash is stored. */
  register: managing
    .input(schema.clientDraft)
    .output(schema.registeredClient)
    .mutation(({ ctx, input }) => registerClient(input, ctx.actor, ctx.deps)),

  get: viewing
    .input(z.object({ clientId }))
    .output(schema.clientView)
    .query(({ ctx, input }) => getClient(input.clientId, ctx.deps)),

  update: managing
    .input(schema.clientSettings.extend({ clientId }))
    .output(schema.clientView)
    .mutation(({ ctx, input: { clientId, ...settings } }) => updateClient(clientId, settings, ctx.actor, ctx.deps)),

  setEnabled: managing
    .input(z.object({ clientId, enabled: z.boolean() }))
    .output(schema.clientView)
    .mutation(({ ctx, input }) => setClientEnabled(input, ctx.actor, ctx.deps)),

  /** Checks a redirect URI while the admin types it, and says what to fix. */
  checkRedirectUri: viewing
    .input(z.object({ uri: z.string().max(4096), type: schema.clientType, environment: schema.environment }))
    .output(schema.uriVerdict)
    .query(({ input }) => checkRedirectUri(input)),

  /** Adds a second secret, for rotation without downtime, and returns it once. `expiresInSeconds` sets when the older one expires. */
  addSecret: managing
    .input(
      z.object({
        clientId,
        expiresInSeconds: z
          .int()
          .min(0)
          .max(90 * 86_400, "at most 90 days")
          .optional(),
      }),
    )
    .output(z.object({ secret: z.string(), secretId: schema.id }))
    .mutation(({ ctx, input }) => addSecret(input, ctx.actor, ctx.deps)),

  retireSecret: managing
    .input(z.object({ clientId, secretId: schema.id, confirmLast: z.boolean().default(false) }))
    .output(z.void())
    .mutation(({ ctx, input }) => retireSecret(input, ctx.actor, ctx.deps)),

  comparePromotion: viewing
    .input(schema.promotionPair)
    .output(schema.promotionDiff)
    .query(({ ctx, input }) => comparePromotion(input, ctx.deps)),

  /** Copies settings to another environment, which keeps its own redirect URIs. */
  promote: managing
    .input(schema.promotionPair.extend(schema.clientSettings.pick({ redirectUris: true, postLogoutRedirectUris: true }).shape))
    .output(schema.registeredClient)
    .mutation(({ ctx, input }) => promote(input, ctx.actor, ctx.deps)),

  remove: managing
    .input(z.object({ clientId }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeClient(input.clientId, ctx.actor, ctx.deps)),
});
