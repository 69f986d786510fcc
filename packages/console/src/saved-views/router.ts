import { z } from "zod";
import { id } from "../fields.ts";
import { procedure, router } from "../trpc.ts";
import { listViews, removeView, saveView } from "./saved-views.ts";
import { savedView, savedViewDraft, viewedList } from "./schemas.ts";

/** Named filters of the console's lists. CO-81. */
export const savedViewsRouter = router({
  list: procedure({ may: "view", scope: "console:read" })
    .input(z.strictObject({ list: viewedList }))
    .output(z.array(savedView))
    .query(({ ctx, input }) => listViews(input.list, ctx.principal.userId, ctx.deps)),

  save: procedure({ may: "manageDevelopment", scope: "console:write", environment: "none" })
    .input(savedViewDraft)
    .output(z.object({ id }))
    .mutation(({ ctx, input }) => saveView(input, ctx.actor, ctx.deps)),

  remove: procedure({ may: "manageDevelopment", scope: "console:write", environment: "none" })
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeView(input.id, ctx.actor, ctx.deps)),
});
