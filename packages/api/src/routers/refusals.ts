import { FAILURE_GROUP_FILTERS, REFUSAL_FILTERS } from "@gatehouse/lists";
import { decideFailure, getFailureGroup, getRefusal, listFailures, listRefusals } from "@gatehouse/operations";
import {
  errorId,
  failureDecision,
  failureGroupKey,
  failureGroupView,
  listedFailureGroup,
  listInput,
  pageOf,
  refusalDetailView,
  refusalView,
} from "@gatehouse/operations/schemas";
import { z } from "zod";
import { managing, router, viewing } from "../trpc.ts";

/** The failure ledger: why requests were rejected. */
export const refusalsRouter = router({
  list: viewing
    .meta({ apiToken: { scope: "failures:read", reach: "filter" } })
    .input(listInput(REFUSAL_FILTERS))
    .output(pageOf(refusalView))
    .query(({ ctx, input }) => listRefusals(input, ctx.actor, ctx.deps)),

  one: viewing
    .meta({ apiToken: { scope: "failures:read", reach: "answer" } })
    .input(z.object({ errorId }))
    .output(refusalDetailView)
    .query(({ ctx, input }) => getRefusal(input.errorId, ctx.actor, ctx.deps)),

  groups: viewing
    .meta({ apiToken: { scope: "failures:read", reach: "filter" } })
    .input(listInput(FAILURE_GROUP_FILTERS))
    .output(pageOf(listedFailureGroup))
    .query(({ ctx, input }) => listFailures(input, ctx.deps)),

  group: viewing
    .meta({ apiToken: { scope: "failures:read", reach: "answer" } })
    .input(z.object({ key: failureGroupKey }))
    .output(listedFailureGroup)
    .query(({ ctx, input }) => getFailureGroup(input.key, ctx.deps)),

  decide: managing
    .input(z.object({ key: failureGroupKey, decision: failureDecision }))
    .output(failureGroupView)
    .mutation(({ ctx, input }) => decideFailure(input, ctx.actor, ctx.deps)),
});
