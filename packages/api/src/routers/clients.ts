import {
  addSecret,
  comparePromotion,
  getClient,
  getClientImpact,
  getClientUse,
  getFirstUse,
  judgeRedirectUri,
  keepSecret,
  listSecrets,
  promote,
  registerClient,
  removeClient,
  renameClient,
  retireSecret,
  setClientEnabled,
  testRedirectUri,
  updateClient,
} from "@gatehouse/operations";
import * as schema from "@gatehouse/operations/schemas";
import { z } from "zod";
import { ofClient } from "../api-tokens.ts";
import { managing, router, viewing } from "../trpc.ts";

const { clientId } = schema;

/** The OAuth clients, as the console sees them. */
export const clientsRouter = router({
  /** Returns the secret once; only its hash is stored. */
  register: managing
    .input(schema.clientDraft)
    .output(schema.registeredClient)
    .mutation(({ ctx, input }) => registerClient(input, ctx.actor, ctx.deps)),

  /** Whether the client got its first token, or why it was refused. */
  firstUse: viewing
    .input(z.strictObject({ clientId }))
    .output(schema.firstUseView)
    .query(({ ctx, input }) => getFirstUse(input.clientId, ctx.deps)),

  get: viewing
    .meta({ apiToken: { scope: "clients:read", reach: "client" } })
    .input(z.strictObject({ clientId }))
    .use(ofClient)
    .output(schema.clientView)
    .query(({ ctx, input }) => getClient(input.clientId, ctx.deps)),

  /** What a change would take from the client's users. Changes nothing. CO-37. */
  impact: viewing
    .input(z.strictObject({ clientId, change: schema.clientChange }))
    .output(schema.clientImpact)
    .query(({ ctx, input }) => getClientImpact(input.clientId, input.change, ctx.deps)),

  update: managing
    .input(schema.clientSettings.extend({ clientId, version: schema.version.optional() }))
    .output(schema.clientView)
    .mutation(({ ctx, input: { clientId, version, ...settings } }) =>
      updateClient(clientId, settings, ctx.actor, ctx.deps, { action: "client.update", version }),
    ),

  /** Renames a client in all its environments. */
  rename: managing
    .input(z.strictObject({ applicationId: schema.id, name: schema.clientName, newName: schema.clientName }))
    .output(z.void())
    .mutation(({ ctx, input }) => renameClient(input, ctx.actor, ctx.deps)),

  setEnabled: managing
    .input(z.strictObject({ clientId, enabled: z.boolean() }))
    .output(schema.clientView)
    .mutation(({ ctx, input }) => setClientEnabled(input, ctx.actor, ctx.deps)),

  /** Checks a redirect URI while the admin types it: what it will match, or what to fix. */
  checkRedirectUri: viewing
    .input(z.strictObject({ uri: z.string().max(4096), type: schema.clientType, environment: schema.environment }))
    .output(schema.uriVerdict)
    .query(({ input }) => judgeRedirectUri(input)),

  /** `pasted`: a URI, its percent-encoded form, or the address of an authorization request. */
  testRedirectUri: viewing
    .input(z.strictObject({ clientId, pasted: z.string().min(1).max(16_384) }))
    .output(
      z.object({
        uri: z.string(),
        from: z.enum(["uri", "percent_encoded", "authorize_url"]),
        comparison: schema.uriComparison,
        previewSlot: z.string().nullable(),
      }),
    )
    .query(({ ctx, input }) => testRedirectUri(input, ctx.deps)),

  /** Adds a second secret, for rotation without downtime, and returns it once. `expiresInSeconds` sets when the older one expires. */
  addSecret: managing
    .input(z.strictObject({ clientId, expiresInSeconds: schema.expiresInSeconds, confirmHint: schema.confirmHint }))
    .output(z.object({ secret: z.string(), secretId: schema.id }))
    .mutation(({ ctx, input }) => addSecret(input, ctx.actor, ctx.deps)),

  /** Tokens by grant, sign-ins and refusals on each of the last 90 days. */
  use: viewing
    .meta({ apiToken: { scope: "clients:read", reach: "client" } })
    .input(z.strictObject({ clientId }))
    .use(ofClient)
    .output(schema.clientUseView)
    .query(({ ctx, input }) => getClientUse(input.clientId, ctx.deps)),

  /** The live secrets and those that ended in the last 90 days, with their use, newest first. */
  secrets: viewing
    .meta({ apiToken: { scope: "clients:read", reach: "client" } })
    .input(z.strictObject({ clientId }))
    .use(ofClient)
    .output(z.array(schema.listedSecret))
    .query(({ ctx, input }) => listSecrets(input.clientId, ctx.deps)),

  /** Ends a secret now, or in `expiresInSeconds`. */
  retireSecret: managing
    .input(
      z.strictObject({
        clientId,
        secretId: schema.id,
        expiresInSeconds: schema.expiresInSeconds,
        confirmLast: z.boolean().default(false),
        confirmHint: schema.confirmHint,
      }),
    )
    .output(z.void())
    .mutation(({ ctx, input }) => retireSecret(input, ctx.actor, ctx.deps)),

  /** Cancels the end of a secret. */
  keepSecret: managing
    .input(z.strictObject({ clientId, secretId: schema.id }))
    .output(z.void())
    .mutation(({ ctx, input }) => keepSecret(input, ctx.actor, ctx.deps)),

  comparePromotion: viewing
    .input(schema.promotionPair)
    .output(schema.promotionDiff)
    .query(({ ctx, input }) => comparePromotion(input, ctx.deps)),

  /** Copies settings to another environment, which keeps its own redirect URIs. */
  promote: managing
    .input(
      schema.promotionPair.extend({
        ...schema.clientSettings.pick({ redirectUris: true, postLogoutRedirectUris: true }).shape,
        versions: schema.promotionVersions.optional(),
      }),
    )
    .output(schema.registeredClient)
    .mutation(({ ctx, input }) => promote(input, ctx.actor, ctx.deps)),

  remove: managing
    .input(z.strictObject({ clientId }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeClient(input.clientId, ctx.actor, ctx.deps)),
});
