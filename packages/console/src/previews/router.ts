import { z } from "zod";
import { ofClient } from "../api-tokens/limits.ts";
import { clientId } from "../fields.ts";
import { procedure, router } from "../trpc.ts";
import { changePreviewFrame, listPreviews } from "./frame.ts";
import { endSlot, putNumberedSlots, putPreviewSlot } from "./preview-slots.ts";
import { previewDraft, previewFrameChange, previewKey, previewSlotView, previewsView } from "./schemas.ts";

const byClient = { scope: "previews:write", reach: "client" } as const;

/** Redirect URIs of preview deployments. CI jobs call `put` and `end`. CO-28, CO-29. */
export const previewsRouter = router({
  list: procedure({ may: "view", scope: "console:read", environment: "absent in production", apiToken: byClient })
    .input(z.strictObject({ clientId }))
    .use(ofClient)
    .output(previewsView)
    .query(({ ctx, input }) => listPreviews(input.clientId, ctx.deps)),

  /** Creates or renews the slot with this key. */
  put: procedure({
    may: "manageDevelopment",
    scope: "console:write",
    environment: "never in production",
    apiToken: byClient,
  })
    .input(previewDraft)
    .use(ofClient)
    .output(previewSlotView)
    .mutation(({ ctx, input }) => putPreviewSlot(input, ctx.actor, ctx.deps)),

  /** Ends the slot with this key and everything issued through it. `ended` is false if there is none. */
  end: procedure({
    may: "manageDevelopment",
    scope: "console:write",
    environment: "never in production",
    apiToken: byClient,
  })
    .input(z.strictObject({ clientId, key: previewKey }))
    .use(ofClient)
    .output(z.object({ ended: z.boolean() }))
    .mutation(({ ctx, input }) => endSlot(input, ctx.actor, ctx.deps)),

  /** Puts `slot-1` to `slot-20`, or renews them. */
  putNumbered: procedure({ may: "manageDevelopment", scope: "console:write", environment: "never in production" })
    .input(z.strictObject({ clientId }))
    .output(z.array(previewSlotView))
    .mutation(({ ctx, input }) => putNumberedSlots(input.clientId, ctx.actor, ctx.deps)),

  /** Sets which addresses previews may have. Ends the slots outside of it. */
  setFrame: procedure({ may: "manageProduction", scope: "console:write", environment: "never in production" })
    .input(previewFrameChange)
    .output(previewsView)
    .mutation(({ ctx, input }) => changePreviewFrame(input, ctx.actor, ctx.deps)),
});
