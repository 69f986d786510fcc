import { ENVIRONMENTS } from "@gatehouse/auth";
import {
  ATTEMPT_OUTCOMES,
  ATTEMPT_TRIGGERS,
  DELIVERY_OUTCOMES,
  DELIVERY_REASONS,
  DELIVERY_SOURCES,
  EVENT_STATES,
  FINDING_KINDS,
  MODES,
} from "@gatehouse/webhooks";
import { z } from "zod";
import { at, id } from "../../fields.ts";

const environment = z.enum(ENVIRONMENTS);

export const payloadText = z.object({
  /** Text, or base64 if the bytes are not UTF-8. */
  text: z.string(),
  encoding: z.enum(["utf8", "base64"]),
});

export const deliveryDetail = z.object({
  id,
  endpoint: z.string(),
  provider: z.string(),
  providerName: z.string(),
  environment,
  source: z.enum(DELIVERY_SOURCES),
  receivedAt: at,
  /** The same in Unix milliseconds. */
  receivedAtMs: z.number(),
  method: z.string(),
  outcome: z.enum(DELIVERY_OUTCOMES),
  reason: z.enum(DELIVERY_REASONS),
  status: z.int(),
  eventType: z.string().nullable(),
  eventId: z.string().nullable(),
  /** The provider's own mark; null if it sets none. */
  mode: z.enum(MODES).nullable(),
  /** Whether it is marked as a test in production, or as live elsewhere. */
  modeContradicts: z.boolean(),
  ackMs: z.number(),
  /** Number of bytes received; null if reading stopped early. */
  bodyBytes: z.int().nullable(),
  address: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  payload: z.object({
    /** `hidden`: this person may not see it. `removed`: it is deleted. */
    view: z.enum(["shown", "masked", "hidden", "removed"]),
    /** Null unless it is shown, or masked and JSON. */
    content: payloadText.nullable(),
    /** True if fewer bytes were stored than received. */
    truncated: z.boolean(),
    canReveal: z.boolean(),
    /** Why this person may not delete it now; the reason is null if they never may, or it is deleted. */
    deletion: z.object({ allowed: z.boolean(), reason: z.string().nullable() }),
    /** The person who deleted it; null if it was retention, or nobody. */
    deleted: z.object({ at, by: z.string() }).nullable(),
  }),
  /** The event that it brought or repeats; null if it was rejected. */
  event: z.object({ firstDeliveryId: id, firstReceivedAt: at, state: z.enum(EVENT_STATES) }).nullable(),
  signature: z.object({
    /** Where the provider puts it: "the Stripe-Signature header". */
    where: z.string(),
    algorithms: z.array(z.string()),
    /** Why it could not be read, if it could not. */
    problem: z.string().nullable(),
    /** As signed, by the sender's clock; null if the scheme has no time, or none was read. */
    signedAt: at.nullable(),
    /** Signed time minus the server's. */
    skewSeconds: z.number().nullable(),
    toleranceSeconds: z.number().nullable(),
    /** The endpoint's signing secrets at that time, in the order in which they were tried. */
    secrets: z.array(
      z.object({
        id,
        name: z.string().nullable(),
        /** Its last four characters. */
        hint: z.string(),
        result: z.enum(["matched", "no_match", "not_tried"]),
        createdAt: at,
        endsAt: at.nullable(),
      }),
    ),
  }),
  facts: z
    .object({
      ackTimeoutMs: z.number().nullable(),
      retries: z.string(),
      resendWindowDays: z.number().nullable(),
      docsUrl: z.string(),
    })
    .nullable(),
  /**
   * Whether this person can run its handlers again. A `reason` without permission is to be shown; without a reason, it
   * is not offered.
   */
  rerun: z.object({ allowed: z.boolean(), reason: z.string().nullable() }),
});

export const deliveryAttempts = z.object({
  state: z.enum(EVENT_STATES).nullable(),
  handlers: z.array(
    z.object({
      handler: z.string(),
      /** `forwarding`: the event is sent to the URL of its endpoint. */
      kind: z.enum(["handler", "forwarding"]),
      /** Which event of a batch; null if the delivery has one event. */
      event: z.string().nullable(),
      state: z.enum(["waiting", "running", "retrying", "handled", "failed", "dead"]),
      /** When it runs next; null if it does not. */
      nextAt: at.nullable(),
    }),
  ),
  /** Newest first. */
  attempts: z.array(
    z.object({
      id,
      handler: z.string(),
      event: z.string().nullable(),
      trigger: z.enum(ATTEMPT_TRIGGERS),
      startedAt: at,
      ms: z.int(),
      outcome: z.enum(ATTEMPT_OUTCOMES),
      /** Of forwarding: the status of the response; null if there was none. */
      status: z.int().nullable(),
      /** Null for people who may not see payloads: errors can quote them. */
      error: z.string().nullable(),
      stack: z.string().nullable(),
      /** The person who ran it again. */
      actor: z.string().nullable(),
    }),
  ),
  /** True if there are older attempts. */
  more: z.boolean(),
});

export const deliveryCurl = z.union([
  z.object({
    command: z.string(),
    /** The secret that the command is signed with, made for it. */
    secret: z.string(),
  }),
  /** Why there is no such command. */
  z.object({ problem: z.string() }),
]);

const relatedDelivery = z.object({
  id,
  endpoint: z.string(),
  receivedAt: at,
  outcome: z.enum(DELIVERY_OUTCOMES),
  reason: z.enum(DELIVERY_REASONS),
  eventType: z.string().nullable(),
  eventId: z.string().nullable(),
});

export const relatedDeliveries = z.object({
  /** Every delivery of the event at this endpoint, oldest first. */
  deliveries: z.array(relatedDelivery),
  /** False if there can be more. */
  complete: z.boolean(),
  /** Why this delivery came although its event was stored; null unless it is a duplicate. */
  explanation: z.string().nullable(),
  /** Why another event looks like this one; null if none does. */
  twin: z.string().nullable(),
  /** The same event at the provider's other endpoints. */
  elsewhere: z.array(relatedDelivery),
  /** The provider's id of the object that the event is about. */
  object: z.string().nullable(),
  /** Deliveries near this one that are about the same object, oldest first. */
  sameObject: z.array(relatedDelivery),
  /** How many deliveries were searched for it. */
  searched: z.int(),
});

export const deliveryDiagnosis = z.object({
  /** Together they explain the rejection; empty if no known cause does. */
  findings: z.array(z.object({ kind: z.enum(FINDING_KINDS), sentence: z.string(), fix: z.string() })),
  /** Why not everything was tried. */
  limit: z.enum(["body_not_whole", "too_many"]).nullable(),
  /** A delivery of the same event that was accepted. */
  accepted: z.object({ deliveryId: id, receivedAt: at }).nullable(),
  /** What the provider still does about it. */
  retries: z.array(z.string()),
});
