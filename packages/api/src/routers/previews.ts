import { changePreviewFrame, endSlot, listPreviews, putNumberedSlots, putPreviewSlot } from "@gatehouse/operations";
import * as schema from "@gatehouse/operations/schemas";
import { z } from "zod";
import { ofClient } from "../api-tokens.ts";
import { administering, managing, router, viewing } from "../trpc.ts";

const { clientId } = schema;
const byToken = { apiToken: { scope: "previews:write", reach: "client" } } as const;

/** Redirect URIs of preview deployments. CI jobs call `put` and `end`. CO-28, CO-29. */
export const previewsRouter = router({
  list: viewing
    .meta(byToken)
    .input(z.strictObject({ clientId }))
    .use(ofClient)
    .output(schema.previewsView)
    .query(({ ctx, input }) => listPreviews(input.clientId, ctx.deps)),

  /** Creates or renews the slot with this key. */
  put: managing
    .meta(byToken)
    .input(schema.previewDraft)
    .use(ofClient)
    .output(schema.previewSlotView)
    .mutation(({ ctx, input }) => putPreviewSlot(input, ctx.actor, ctx.deps)),

  /** Ends the slot with this key and everything issued through it. `ended` is false if there is none. */
  end: managing
    .meta(byToken)
    .input(z.strictObject({ clientId, key: schema.previewKey }))
    .use(ofClient)
    .output(z.object({ ended: z.boolean() }))
    .mutation(({ ctx, input }) => endSlot(input, ctx.actor, ctx.deps)),

  /** Puts `slot-1` to `slot-20`, or renews them. */
  putNumbered: managing
    .input(z.strictObject({ clientId }))
    .output(z.array(schema.previewSlotView))
    .mutation(({ ctx, input }) => putNumberedSlots(input.clientId, ctx.actor, ctx.deps)),

  /** Sets which addresses previews may have. Ends the slots outside of it. */
  setFrame: administering
    .input(schema.previewFrameChange)
    .output(schema.previewsView)
    .mutation(({ ctx, input }) => changePreviewFrame(input, ctx.actor, ctx.deps)),
});
