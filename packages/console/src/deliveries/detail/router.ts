import { z } from "zod";
import { id } from "../../fields.ts";
import { procedure, router } from "../../trpc.ts";
import { listDeliveryAttempts } from "./attempts.ts";
import { deliveryAsCurl } from "./curl.ts";
import { deletePayload } from "./delete-body.ts";
import { getDelivery } from "./delivery.ts";
import { diagnoseDelivery } from "./diagnosis.ts";
import { listRelatedDeliveries } from "./related.ts";
import { revealPayload } from "./reveal.ts";
import {
  deliveryAttempts,
  deliveryCurl,
  deliveryDetail,
  deliveryDiagnosis,
  payloadText,
  relatedDeliveries,
} from "./schemas.ts";

const one = z.strictObject({ id });

/** One delivery of the webhook inbox: merged into `deliveries`. */
export const deliveryDetailRouter = router({
  /** Payloads as the role may see them; those of production are masked. */
  get: procedure({
    may: "view",
    scope: "webhooks:read",
    environment: "any",
    apiToken: { scope: "deliveries:read", reach: "answer" },
  })
    .input(one)
    .output(deliveryDetail)
    .query(({ ctx, input }) => getDelivery(input.id, { ...ctx.actor, scopes: ctx.principal.scopes }, ctx.deps)),

  /** Why a delivery was rejected, computed. */
  diagnose: procedure({ may: "view", scope: "webhooks:read", environment: "any" })
    .input(one)
    .output(deliveryDiagnosis)
    .query(({ ctx, input }) => diagnoseDelivery(input.id, ctx.deps)),

  /** The whole payload. Leaves an audit row. */
  reveal: procedure({
    may: "manageDevelopment",
    scope: "webhooks:reveal",
    fresh: true,
    environment: "admins in production",
  })
    .input(one)
    .output(payloadText)
    .mutation(({ ctx, input }) => revealPayload(input.id, ctx.actor, ctx.deps)),

  /** Deletes the payload for good; the rest of the delivery stays. Leaves an audit row. */
  deletePayload: procedure({
    may: "manageDevelopment",
    scope: "webhooks:configure",
    fresh: true,
    environment: "admins in production",
  })
    .input(one)
    .mutation(({ ctx, input }) => deletePayload(input.id, ctx.actor, ctx.deps)),

  /** The handlers and their attempts. */
  attempts: procedure({ may: "view", scope: "webhooks:read", environment: "any" })
    .input(one)
    .output(deliveryAttempts)
    .query(({ ctx, input }) =>
      listDeliveryAttempts(input.id, { ...ctx.actor, scopes: ctx.principal.scopes }, ctx.deps),
    ),

  /** Other deliveries of the event, and events about the same object. */
  related: procedure({
    may: "view",
    scope: "webhooks:read",
    environment: "any",
    apiToken: { scope: "deliveries:read", reach: "everything" },
  })
    .input(one)
    .output(relatedDeliveries)
    .query(({ ctx, input }) => listRelatedDeliveries(input.id, ctx.deps)),

  /** A command that repeats the delivery, signed with a test secret. A mutation, because it can leave an audit row. */
  curl: procedure({ may: "manageDevelopment", scope: "webhooks:reveal", environment: "fresh admins in production" })
    .input(one)
    .output(deliveryCurl)
    .mutation(({ ctx, input }) => deliveryAsCurl(input.id, ctx.actor, ctx.deps)),
});
