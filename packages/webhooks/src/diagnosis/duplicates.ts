import type { Adapter } from "../providers/adapter.ts";
import { spanText } from "./span-text.ts";

export const DUPLICATE_KINDS = [
  "provider_retry",
  "late_answer",
  "manual_resend",
  "two_endpoints",
  "same_request",
  "unknown",
] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

export type DuplicateExplanation = { kind: DuplicateKind; sentence: string };

/** One delivery of an event. */
export type SeenDelivery = {
  /** The slug of the endpoint. */
  endpoint: string;
  /** Unix seconds. */
  receivedAt: number;
  /** The status of the response. */
  status: number;
  /** Milliseconds until the response. */
  ackMs: number;
  /** The secret that matched. */
  secretId: string | null;
  /** Signed timestamp minus arrival, in seconds. */
  skewSeconds: number | null;
  headers: Readonly<Record<string, string>>;
};

/** Two registrations at the provider send at the same time; a retry waits for the response first. */
const SAME_TIME_SECONDS = 5;

/**
 * Explains why an event arrived again. `earlier`: the deliveries of the same event before this one, at any endpoint of
 * the provider, oldest first. The explanation is the likely one: providers do not say.
 */
export function explainDuplicate(
  delivery: SeenDelivery,
  earlier: readonly SeenDelivery[],
  adapter: Pick<Adapter, "name" | "facts">,
): DuplicateExplanation {
  const { name, facts } = adapter;
  const before = earlier.at(-1);
  if (!before) return { kind: "unknown", sentence: "The first delivery of this event is no longer stored." };
  const span = spanText(Math.max(0, delivery.receivedAt - before.receivedAt));

  if (isSameRequest(delivery, before)) {
    const sentence = `The same request arrived ${span} before, signed at the same second: something between ${name} and here repeated it.`;
    return { kind: "same_request", sentence };
  }
  if (isOtherRegistration(delivery, before)) {
    const how = delivery.endpoint === before.endpoint ? "two secrets matched" : `it arrived at ${before.endpoint} too`;
    return {
      kind: "two_endpoints",
      sentence: `${name} sends this event to two of its webhooks: ${how}. Delete one of them at ${name}.`,
    };
  }
  if (before.status >= 300) {
    return {
      kind: "provider_retry",
      sentence: `${name} retried: the delivery ${span} before was answered with ${before.status}.`,
    };
  }
  if (facts.ackTimeoutMs !== null && before.ackMs > facts.ackTimeoutMs) {
    const [took, allowed] = [before.ackMs, facts.ackTimeoutMs].map((ms) => spanText(Math.ceil(ms / 1000)));
    return {
      kind: "late_answer",
      sentence: `${name} retried: the response ${span} before took ${took}, and ${name} waits ${allowed}.`,
    };
  }
  if (facts.givesUpAfterSeconds !== null && delivery.receivedAt - before.receivedAt > facts.givesUpAfterSeconds) {
    return { kind: "manual_resend", sentence: `Somebody sent it again at ${name}: its own retries had ended before.` };
  }
  return {
    kind: "manual_resend",
    sentence: `The delivery ${span} before was accepted, so ${name} did not get the response, or somebody sent it again at ${name}.`,
  };
}

/**
 * A signed time is the same only in the same request. Where none is signed, the signature says nothing: a retry has the
 * same one.
 */
function isSameRequest(one: SeenDelivery, other: SeenDelivery): boolean {
  if (one.skewSeconds === null || other.skewSeconds === null || one.secretId !== other.secretId) return false;
  return one.endpoint === other.endpoint && one.receivedAt + one.skewSeconds === other.receivedAt + other.skewSeconds;
}

function isOtherRegistration(one: SeenDelivery, other: SeenDelivery): boolean {
  if (one.endpoint !== other.endpoint) return true;
  const secretsDiffer = one.secretId !== null && other.secretId !== null && one.secretId !== other.secretId;
  return secretsDiffer && one.receivedAt - other.receivedAt <= SAME_TIME_SECONDS;
}

/** One event, of an object. */
export type SeenEvent = {
  eventId: string | null;
  eventType: string | null;
  objectKey: string | null;
  receivedAt: number;
};

/** Providers make twins within seconds; later ones are changes of their own. */
const TWIN_SECONDS = 60;

/**
 * Explains two events that look alike: different ids, the same type and object, nearly at the same time. Null if they
 * are not.
 */
export function explainTwin(one: SeenEvent, other: SeenEvent, { name }: Pick<Adapter, "name">): string | null {
  const sameObject = one.objectKey !== null && one.objectKey === other.objectKey && one.eventType === other.eventType;
  const differ = one.eventId !== null && other.eventId !== null && one.eventId !== other.eventId;
  if (!sameObject || !differ || Math.abs(one.receivedAt - other.receivedAt) > TWIN_SECONDS) return null;
  return `${name} made two events of this type for one object. Handlers run for both, so let them read the object's current state.`;
}
