import { describe, expect, test } from "vitest";
import { PROVIDERS } from "../providers/index.ts";
import { NOW } from "../testing/scene.ts";
import { explainDuplicate, explainTwin, type SeenDelivery } from "./duplicates.ts";

const { polar, stripe } = PROVIDERS;
const delivery = (change: Partial<SeenDelivery> = {}): SeenDelivery => ({
  endpoint: "polar",
  receivedAt: NOW,
  status: 200,
  ackMs: 20,
  secretId: "s0",
  skewSeconds: -1,
  headers: {},
  ...change,
});
const before = (seconds: number, change: Partial<SeenDelivery> = {}) =>
  delivery({ receivedAt: NOW - seconds, ...change });

describe("CO-53 why an event arrived again", () => {
  test.each<[string, SeenDelivery[], string, string]>([
    [
      "a failure before it",
      [before(300, { status: 503 })],
      "provider_retry",
      "Polar retried: the delivery 5 min before was answered with 503.",
    ],
    [
      "a late answer",
      [before(60, { ackMs: 12_300 })],
      "late_answer",
      "Polar retried: the response 1 min before took 13 s, and Polar waits 10 s.",
    ],
    [
      "the same signed second",
      [before(0)],
      "same_request",
      "The same request arrived 0 s before, signed at the same second: something between Polar and here repeated it.",
    ],
    [
      "two secrets at the same time",
      [before(2, { secretId: "s1" })],
      "two_endpoints",
      "Polar sends this event to two of its webhooks: two secrets matched. Delete one of them at Polar.",
    ],
    [
      "another endpoint",
      [before(2, { endpoint: "polar-eu" })],
      "two_endpoints",
      "Polar sends this event to two of its webhooks: it arrived at polar-eu too. Delete one of them at Polar.",
    ],
    [
      "a resend after an answer in time",
      [before(3600)],
      "manual_resend",
      "The delivery 1 h before was accepted, so Polar did not get the response, or somebody sent it again at Polar.",
    ],
    ["nothing stored before it", [], "unknown", "The first delivery of this event is no longer stored."],
  ])("%s", (_, earlier, kind, sentence) => {
    expect(explainDuplicate(delivery(), earlier, polar)).toEqual({ kind, sentence });
  });

  test("a resend after the provider's own retries ended is somebody's", () => {
    const { kind, sentence } = explainDuplicate(
      delivery({ endpoint: "stripe" }),
      [before(4 * 86_400, { endpoint: "stripe" })],
      stripe,
    );
    expect([kind, sentence]).toEqual([
      "manual_resend",
      "Somebody sent it again at Stripe: its own retries had ended before.",
    ]);
  });

  test("the last of several earlier deliveries explains it", () => {
    expect(explainDuplicate(delivery(), [before(600), before(300, { status: 500 })], polar).kind).toBe(
      "provider_retry",
    );
  });
});

describe("events that look alike", () => {
  const event = { eventId: "evt_1", eventType: "invoice.paid", objectKey: "in_1", receivedAt: NOW };

  test("two ids, one type and object, within a minute: twins", () => {
    expect(explainTwin(event, { ...event, eventId: "evt_2", receivedAt: NOW + 60 }, stripe)).toBe(
      "Stripe made two events of this type for one object. Handlers run for both, so let them read the object's current state.",
    );
  });

  test.each([
    ["the same event", {}],
    ["another type", { eventId: "evt_2", eventType: "invoice.voided" }],
    ["another object", { eventId: "evt_2", objectKey: "in_2" }],
    ["a minute later", { eventId: "evt_2", receivedAt: NOW + 61 }],
    ["no id", { eventId: null }],
  ])("%s is no twin", (_, change) => {
    expect(explainTwin(event, { ...event, ...change }, stripe)).toBeNull();
  });
});
