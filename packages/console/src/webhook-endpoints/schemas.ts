import { DELIVERY_REASONS } from "@gatehouse/webhooks";
import { z } from "zod";
import { at, environment, id, line, lines, version } from "../fields.ts";
import { managedView } from "../managed/schemas.ts";

export const provider = line.max(64);
export const slug = line.max(64);
export const webhookEndpointName = line.trim().max(80, "use at most 80 characters");
/** Checked against the fields of the provider's adapter. */
export const webhookEndpointSettings = z.record(
  line.max(64),
  z.union([line.max(2000), z.number(), z.boolean(), z.null()]),
);

const optionalName = webhookEndpointName.transform((name) => (name === "" ? null : name)).nullish();

export const webhookEndpointDraft = z.strictObject({
  slug,
  provider,
  environment,
  name: optionalName,
  settings: webhookEndpointSettings.optional(),
});
export const webhookEndpointChange = z.strictObject({
  slug,
  version,
  environment: environment.optional(),
  name: optionalName,
  settings: webhookEndpointSettings.optional(),
  /** The ids of the secrets that stay active if the endpoint goes into production or leaves it. */
  keepSecrets: z.array(id).max(20, "name at most 20 secrets").optional(),
});
export const webhookEndpointRef = z.strictObject({ slug });
export const webhookEndpointSwitch = z.strictObject({ slug, enabled: z.boolean() });

/** Longer lists of types, and longer URLs, are mistakes. */
export const webhookForward = z.strictObject({
  url: line.trim().min(1).max(2000, "use at most 2,000 characters"),
  /** Types, or beginnings of them that end in `*`. */
  events: z.array(line.trim().max(255)).max(100, "list at most 100 event types").nullish(),
});
export const webhookForwardChange = z.strictObject({
  slug,
  version: version.optional(),
  /** Null stops forwarding. */
  forward: webhookForward.nullable(),
});
export const webhookForwardRotation = z.strictObject({
  slug,
  /** How long events are signed with the old secret as well. */
  overlapSeconds: z.int().min(0).max(604_800, "is at most a week").optional(),
});

export const webhookEndpointView = z.object({
  slug: z.string(),
  provider: z.string(),
  environment,
  name: z.string().nullable(),
  url: z.string(),
  settings: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  /** False for a default endpoint that nobody has set up. */
  configured: z.boolean(),
  managed: managedView,
  /** 0 for a default endpoint that is not stored yet. */
  version,
  createdAt: at.nullable(),
  lastAcceptedAt: at.nullable(),
  lastRefusedAt: at.nullable(),
  lastRefusedReason: z.enum(DELIVERY_REASONS).nullable(),
  secrets: z.object({ signing: z.int(), apiKeys: z.int(), unreadable: z.int() }),
  forward: z
    .object({
      url: z.string(),
      events: z.array(z.string()).readonly().nullable(),
      secrets: z.array(z.object({ id, hint: z.string(), createdAt: at, endsAt: at.nullable(), readable: z.boolean() })),
    })
    .nullable(),
});
export const webhookForwardResult = z.object({ endpoint: webhookEndpointView, secret: z.string().nullable() });
export const webhookForwardSecret = z.object({ secret: z.string(), oldEndsAt: at });

const settingsField = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  kind: z.enum(["text", "url", "number", "switch", "choice"]),
  options: z
    .array(z.object({ value: z.string(), label: z.string() }))
    .readonly()
    .optional(),
  placeholder: z.string().optional(),
});

export const webhookProviderView = z.object({
  provider: z.string(),
  name: z.string(),
  signatureName: z.string(),
  toleranceSeconds: z.number().nullable(),
  ackTimeoutMs: z.number().nullable(),
  retries: z.string(),
  givesUpAfterSeconds: z.number().nullable(),
  resendWindowDays: z.number().nullable(),
  secretHelp: z.string(),
  docsUrl: z.string(),
  dedupe: z.enum(["provider_id", "body_hash"]),
  reconcile: z.boolean(),
  keepDays: z.number(),
  settingsFields: z.array(settingsField),
  /** The types of the events that can be sent as a test. */
  samples: z.array(z.string()),
});

export const webhookTestEventDraft = z.strictObject({ slug, eventType: line.max(255) });
export const webhookTestEventResult = z.object({
  eventId: z.string(),
  /** Null if no Gatehouse answered. */
  deliveryId: z.string().nullable(),
  status: z.int().nullable(),
  ms: z.int().nullable(),
  message: z.string().nullable(),
});

export const webhookSampleDraft = z.strictObject({
  slug,
  provider,
  settings: webhookEndpointSettings.default({}),
  secret: z.string().max(500, "use at most 500 characters"),
  headers: lines.max(8192, "use at most 8 KB"),
  body: z.string().max(65_536, "use at most 64 KB"),
});
export const webhookSampleVerdict = z.object({
  matches: z.boolean(),
  message: z.string(),
  eventType: z.string().nullable(),
  eventId: z.string().nullable(),
  skewSeconds: z.number().nullable(),
});
