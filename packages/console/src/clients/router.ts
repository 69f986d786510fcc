import { z } from "zod";
import { ofClient } from "../api-tokens/limits.ts";
import { uriComparison } from "../failures/schemas.ts";
import { clientId, clientType, environment, id, version } from "../fields.ts";
import { getClientImpact } from "../impact/impact.ts";
import { clientChange, clientImpact } from "../impact/schemas.ts";
import { removeClient } from "../removed/remove.ts";
import { procedure, router } from "../trpc.ts";
import { getFirstUse } from "./first-use.ts";
import { renameClient } from "./names.ts";
import { comparePromotion, promote } from "./promotion.ts";
import { redirectUriVerdict, testRedirectUri } from "./redirect-uris.ts";
import { registerClient, setClientEnabled, updateClient } from "./register.ts";
import {
  clientDraft,
  clientName,
  clientSettings,
  clientUseView,
  clientView,
  confirmHint,
  expiresInSeconds,
  firstUseView,
  listedSecret,
  promotionDiff,
  promotionPair,
  promotionVersions,
  registeredClient,
  uriVerdict,
} from "./schemas.ts";
import { listSecrets } from "./secret-list.ts";
import { addSecret, keepSecret, retireSecret } from "./secrets.ts";
import { getClientUse } from "./use.ts";
import { getClient } from "./view.ts";

/** The OAuth clients, as the console sees them. */
export const clientsRouter = router({
  /** Returns the secret once; only its hash is stored. */
  register: procedure({ may: "manageDevelopment", scope: "console:write", environment: "fresh admins in production" })
    .input(clientDraft)
    .output(registeredClient)
    .mutation(({ ctx, input }) => registerClient(input, ctx.actor, ctx.deps)),

  /** Whether the client got its first token, or why it was refused. */
  firstUse: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(z.strictObject({ clientId }))
    .output(firstUseView)
    .query(({ ctx, input }) => getFirstUse(input.clientId, ctx.deps)),

  get: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "clients:read", reach: "client" },
  })
    .input(z.strictObject({ clientId }))
    .use(ofClient)
    .output(clientView)
    .query(({ ctx, input }) => getClient(input.clientId, ctx.deps)),

  /** What a change would take from the client's users. Changes nothing. CO-37. */
  impact: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(z.strictObject({ clientId, change: clientChange }))
    .output(clientImpact)
    .query(({ ctx, input }) => getClientImpact(input.clientId, input.change, ctx.deps)),

  update: procedure({ may: "manageDevelopment", scope: "console:write", environment: "admins in production" })
    .input(clientSettings.extend({ clientId, version: version.optional() }))
    .output(clientView)
    .mutation(({ ctx, input: { clientId, version, ...settings } }) =>
      updateClient(clientId, settings, ctx.actor, ctx.deps, { action: "client.update", version }),
    ),

  /** Renames a client in all its environments. */
  rename: procedure({ may: "manageDevelopment", scope: "console:write", environment: "admins in production" })
    .input(z.strictObject({ applicationId: id, name: clientName, newName: clientName }))
    .output(z.void())
    .mutation(({ ctx, input }) => renameClient(input, ctx.actor, ctx.deps)),

  setEnabled: procedure({ may: "manageDevelopment", scope: "console:write", environment: "admins in production" })
    .input(z.strictObject({ clientId, enabled: z.boolean() }))
    .output(clientView)
    .mutation(({ ctx, input }) => setClientEnabled(input, ctx.actor, ctx.deps)),

  /** Checks a redirect URI while the admin types it: what it will match, or what to fix. */
  checkRedirectUri: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(z.strictObject({ uri: z.string().max(4096), type: clientType, environment: environment }))
    .output(uriVerdict)
    .query(({ input }) => redirectUriVerdict(input)),

  /** `pasted`: a URI, its percent-encoded form, or the address of an authorization request. */
  testRedirectUri: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(z.strictObject({ clientId, pasted: z.string().min(1).max(16_384) }))
    .output(
      z.object({
        uri: z.string(),
        from: z.enum(["uri", "percent_encoded", "authorize_url"]),
        comparison: uriComparison,
        previewSlot: z.string().nullable(),
      }),
    )
    .query(({ ctx, input }) => testRedirectUri(input, ctx.deps)),

  /**
   * Adds a second secret, for rotation without downtime, and returns it once. `expiresInSeconds` sets when the older
   * one expires.
   */
  addSecret: procedure({ may: "manageDevelopment", scope: "console:write", environment: "fresh admins in production" })
    .input(z.strictObject({ clientId, expiresInSeconds: expiresInSeconds, confirmHint: confirmHint }))
    .output(z.object({ secret: z.string(), secretId: id }))
    .mutation(({ ctx, input }) => addSecret(input, ctx.actor, ctx.deps)),

  /** Tokens by grant, sign-ins and refusals on each of the last 90 days. */
  use: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "clients:read", reach: "client" },
  })
    .input(z.strictObject({ clientId }))
    .use(ofClient)
    .output(clientUseView)
    .query(({ ctx, input }) => getClientUse(input.clientId, ctx.deps)),

  /** The live secrets and those that ended in the last 90 days, with their use, newest first. */
  secrets: procedure({
    may: "view",
    scope: "console:read",
    environment: "any",
    apiToken: { scope: "clients:read", reach: "client" },
  })
    .input(z.strictObject({ clientId }))
    .use(ofClient)
    .output(z.array(listedSecret))
    .query(({ ctx, input }) => listSecrets(input.clientId, ctx.deps)),

  /** Ends a secret now, or in `expiresInSeconds`. */
  retireSecret: procedure({
    may: "manageDevelopment",
    scope: "console:write",
    environment: "fresh admins in production",
  })
    .input(
      z.strictObject({
        clientId,
        secretId: id,
        expiresInSeconds: expiresInSeconds,
        confirmLast: z.boolean().default(false),
        confirmHint: confirmHint,
      }),
    )
    .output(z.void())
    .mutation(({ ctx, input }) => retireSecret(input, ctx.actor, ctx.deps)),

  /** Cancels the end of a secret. */
  keepSecret: procedure({ may: "manageDevelopment", scope: "console:write", environment: "fresh admins in production" })
    .input(z.strictObject({ clientId, secretId: id }))
    .output(z.void())
    .mutation(({ ctx, input }) => keepSecret(input, ctx.actor, ctx.deps)),

  comparePromotion: procedure({ may: "view", scope: "console:read", environment: "any" })
    .input(promotionPair)
    .output(promotionDiff)
    .query(({ ctx, input }) => comparePromotion(input, ctx.deps)),

  /** Copies settings to another environment, which keeps its own redirect URIs. */
  promote: procedure({ may: "manageDevelopment", scope: "console:write", environment: "fresh admins in production" })
    .input(
      promotionPair.extend({
        ...clientSettings.pick({ redirectUris: true, postLogoutRedirectUris: true }).shape,
        versions: promotionVersions.optional(),
      }),
    )
    .output(registeredClient)
    .mutation(({ ctx, input }) => promote(input, ctx.actor, ctx.deps)),

  remove: procedure({ may: "manageDevelopment", scope: "console:write", environment: "fresh admins in production" })
    .input(z.strictObject({ clientId }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeClient(input.clientId, ctx.actor, ctx.deps)),
});
