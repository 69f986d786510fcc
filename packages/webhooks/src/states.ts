/**
 * How a delivery arrived: by HTTP, from the provider's API because it never came, or as a probe of this installation.
 */
export const DELIVERY_SOURCES = ["http", "reconcile", "probe"] as const;
export type DeliverySource = (typeof DELIVERY_SOURCES)[number];

/** What a provider marks an event as, whichever endpoint it sends it to. */
export const MODES = ["live", "test"] as const;
export type Mode = (typeof MODES)[number];

/**
 * `stored`: no handler wants it · `pending`: not handled yet · `failed`: will be retried · `dead`: no longer retried.
 */
export const EVENT_STATES = ["stored", "pending", "handled", "failed", "dead"] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** Why a handler ran: the first time, by itself after a failure, or because somebody ran one or several again. */
export const ATTEMPT_TRIGGERS = ["initial", "automatic", "manual", "bulk"] as const;
export type AttemptTrigger = (typeof ATTEMPT_TRIGGERS)[number];

export const ATTEMPT_OUTCOMES = ["ok", "error", "timeout"] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** What people enter a secret for: verifying signatures, or calling the provider's API. */
export const ENTERED_SECRET_KINDS = ["signing", "api_key"] as const;
export type EnteredSecretKind = (typeof ENTERED_SECRET_KINDS)[number];

/** What a stored secret is for. Those for forwarding are made here. Only a signing secret verifies a delivery. */
export const SECRET_KINDS = [...ENTERED_SECRET_KINDS, "forwarding"] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];
