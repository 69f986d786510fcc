import type { WebhookEvent as ClerkEvent } from "@clerk/backend/webhooks";
import type { EventPayloadMap } from "@octokit/webhooks-types";
import type { IEvents as PaddleEvent } from "@paddle/paddle-node-sdk";
import type { webhooks as polar } from "@polar-sh/sdk/2026-10";
import type { Stripe } from "stripe";

// The payloads that vendors publish types for. Types alone: no vendor's code runs here.

/** A union of events, by the literal in one of their members. */
type ByMember<Event, Member extends string> = {
  [One in Event as One extends Record<Member, infer Name extends string> ? `${Name}` : never]: One;
};

/** `push` as it is, `issues.opened` for those with an action. */
type GitHubEvents = {
  [Name in keyof EventPayloadMap as EventPayloadMap[Name] extends { action: string }
    ? never
    : Name]: EventPayloadMap[Name];
} & {
  [Name in keyof EventPayloadMap as EventPayloadMap[Name] extends { action: infer Action extends string }
    ? `${Name}.${Action}`
    : never]: EventPayloadMap[Name];
};

/**
 * By provider and event type, the payload: the JSON of the body. A provider that is not here has handlers for any type,
 * of unknown payloads.
 */
export type KnownEvents = {
  stripe: ByMember<Stripe.Event, "type">;
  github: GitHubEvents;
  clerk: ByMember<ClerkEvent, "type">;
  polar: ByMember<polar.WebhookPayload, "type">;
  paddle: ByMember<PaddleEvent, "event_type">;
};
