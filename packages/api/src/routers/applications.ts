import { APPLICATION_FILTERS } from "@gatehouse/lists";
import { createApplication, getApplication, listApplications, removeApplication, updateApplication } from "@gatehouse/operations";
import { applicationDraft, applicationListItem, clientView, id, listInput, pageOf } from "@gatehouse/operations/schemas";
import { z } from "zod";
import { managing, router, viewing } from "../trpc.ts";

const view = applicationListItem.omit({ clients: true });

/** The team's products; each has at most one client per environment. */
export const applicationsRouter = router({
  list: viewing
    .input(listInput(APPLICATION_FILTERS))
    .output(pageOf(applicationListItem))
    .query(({ ctx, input }) => listApplications(input, ctx.deps)),

  get: viewing
    .input(z.object({ id }))
    .output(view.extend({ clients: z.array(clientView) }))
    .query(({ ctx, input }) => getApplication(input.id, ctx.deps)),

  create: managing
    .input(applicationDraft)
    .output(view)
    .mutation(({ ctx, input }) => createApplication(input, ctx.deps)),

  update: managing
    .input(applicationDraft.extend({ id }))
    .output(view)
    .mutation(({ ctx, input }) => updateApplication(input, ctx.actor, ctx.deps)),

  remove: managing
    .input(z.object({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeApplication(input.id, ctx.actor, ctx.deps)),
});
