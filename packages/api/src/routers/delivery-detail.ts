import {
  deletePayload,
  deliveryAsCurl,
  diagnoseDelivery,
  getDelivery,
  listDeliveryAttempts,
  listRelatedDeliveries,
  revealPayload,
} from "@gatehouse/operations";
import {
  deliveryAttempts,
  deliveryCurl,
  deliveryDetail,
  deliveryDiagnosis,
  id,
  payloadText,
  relatedDeliveries,
} from "@gatehouse/operations/schemas";
import { z } from "zod";
import { erasing, procedure, revealing, router, viewingWebhooks } from "../trpc.ts";

const one = z.strictObject({ id });

/** Callers who may see payloads. The operation asks for a fresh sign-in if the payload is one of production. */
const copying = procedure.requires({ role: ["admin", "developer"], scope: "webhooks:reveal" });

/** One delivery of the webhook inbox: merged into `deliveries`. */
export const deliveryDetailRouter = router({
  /** Payloads as the role may see them; those of production are masked. */
  get: viewingWebhooks
    .meta({ apiToken: { scope: "deliveries:read", reach: "answer" } })
    .input(one)
    .output(deliveryDetail)
    .query(({ ctx, input }) => getDelivery(input.id, { ...ctx.actor, scopes: ctx.principal.scopes }, ctx.deps)),

  /** Why a delivery was rejected, computed. */
  diagnose: viewingWebhooks
    .input(one)
    .output(deliveryDiagnosis)
    .query(({ ctx, input }) => diagnoseDelivery(input.id, ctx.deps)),

  /** The whole payload. Leaves an audit row. */
  reveal: revealing
    .input(one)
    .output(payloadText)
    .mutation(({ ctx, input }) => revealPayload(input.id, ctx.actor, ctx.deps)),

  /** Deletes the payload for good; the rest of the delivery stays. Leaves an audit row. */
  deletePayload: erasing.input(one).mutation(({ ctx, input }) => deletePayload(input.id, ctx.actor, ctx.deps)),

  /** The handlers and their attempts. */
  attempts: viewingWebhooks
    .input(one)
    .output(deliveryAttempts)
    .query(({ ctx, input }) => listDeliveryAttempts(input.id, { ...ctx.actor, scopes: ctx.principal.scopes }, ctx.deps)),

  /** Other deliveries of the event, and events about the same object. */
  related: viewingWebhooks
    .meta({ apiToken: { scope: "deliveries:read", reach: "everything" } })
    .input(one)
    .output(relatedDeliveries)
    .query(({ ctx, input }) => listRelatedDeliveries(input.id, ctx.deps)),

  /** A command that repeats the delivery, signed with a test secret. A mutation, because it can leave an audit row. */
  curl: copying
    .input(one)
    .output(deliveryCurl)
    .mutation(({ ctx, input }) => deliveryAsCurl(input.id, ctx.actor, ctx.deps)),
});
