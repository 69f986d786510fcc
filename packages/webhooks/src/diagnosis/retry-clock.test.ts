import { describe, expect, test } from "vitest";
import { PROVIDERS } from "../providers/index.ts";
import { NOW } from "../testing/scene.ts";
import { readRetryClock } from "./retry-clock.ts";
import { spanText } from "./span-text.ts";

const { razorpay, lemonsqueezy, stripe, github, mollie, square } = PROVIDERS;
const DAY = 86_400;

describe("CO-53 the retry clock", () => {
  test.each([
    [
      razorpay,
      { sent: 20 * 3600 + 50 * 60, failing: 20 * 3600 + 50 * 60 },
      [
        "Razorpay retries for another 3 h 10 min.",
        "Razorpay disables this webhook in 3 h 10 min unless a delivery is accepted.",
        "Razorpay can send it again on request for another 6 d 3 h.",
      ],
    ],
    [
      stripe,
      { sent: 4 * DAY, failing: null },
      ["Stripe gave up 1 d ago.", "Stripe can send it again on request for another 26 d."],
    ],
    [
      github,
      { sent: 3600, failing: 3600 },
      ["GitHub does not retry.", "GitHub can send it again on request for another 2 d 23 h."],
    ],
    [
      github,
      { sent: 4 * DAY, failing: null },
      ["GitHub does not retry.", "GitHub can no longer send it again. Read the object from its API."],
    ],
    [
      square,
      { sent: 60, failing: 22 * DAY },
      ["Square retries for another 23 h 59 min.", "Square has probably disabled this webhook. Check it there."],
    ],
    [mollie, { sent: 60, failing: null }, [mollie.facts.retries]],
  ])("%s", (adapter, { sent, failing }, sentences) => {
    const clock = readRetryClock(
      adapter,
      { firstSentAt: NOW - sent, failingSince: failing === null ? null : NOW - failing },
      NOW,
    );
    expect(clock.sentences).toEqual(sentences);
  });

  test("Lemon Squeezy gives up within minutes, and cannot send again", () => {
    const clock = readRetryClock(lemonsqueezy, { firstSentAt: NOW - 195, failingSince: null }, NOW);
    expect(clock).toMatchObject({
      givesUpAt: NOW - 195 + (lemonsqueezy.facts.givesUpAfterSeconds ?? 0),
      resendableUntil: null,
    });
    expect(clock.sentences).toEqual(["Lemon Squeezy gave up 40 s ago."]);
  });

  test.each([
    [0, "0 s"],
    [59, "59 s"],
    [60, "1 min"],
    [61, "1 min 1 s"],
    [11_400, "3 h 10 min"],
    [86_400, "1 d"],
    [86_401, "1 d"],
    [2_595_600, "30 d 1 h"],
  ])("%i seconds are %s", (seconds, text) => {
    expect(spanText(seconds)).toBe(text);
  });
});
