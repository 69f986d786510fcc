import type { Adapter } from "../providers/adapter.ts";
import { spanText } from "./span-text.ts";

/**
 * What the provider still does about an event that it could not deliver. All times in Unix seconds; null: the provider
 * does not say.
 */
export type RetryClock = {
  /** When it stops by itself. */
  givesUpAt: number | null;
  /** Until when it sends the event again on request. */
  resendableUntil: number | null;
  /** When it disables the whole webhook. */
  disabledAt: number | null;
  /** One to three sentences for people. */
  sentences: readonly string[];
};

/**
 * Reads a provider's schedule for one event. `firstSentAt`: when its first delivery arrived. `failingSince`: since when
 * the endpoint has accepted nothing, or null if its last delivery was accepted. Both and `now` in Unix seconds.
 */
export function readRetryClock(
  { name, facts }: Pick<Adapter, "name" | "facts">,
  { firstSentAt, failingSince }: { firstSentAt: number; failingSince: number | null },
  now: number,
): RetryClock {
  const givesUpAt = facts.givesUpAfterSeconds === null ? null : firstSentAt + facts.givesUpAfterSeconds;
  const resendableUntil = facts.resendWindowDays === null ? null : firstSentAt + facts.resendWindowDays * 86_400;
  const disabledAt =
    failingSince === null || facts.disablesAfterSeconds === undefined
      ? null
      : failingSince + facts.disablesAfterSeconds;
  return {
    givesUpAt,
    resendableUntil,
    disabledAt,
    sentences: [
      retrySentence(name, facts, givesUpAt, now),
      disableSentence(name, disabledAt, now),
      resendSentence(name, resendableUntil, now),
    ].filter((sentence) => sentence !== undefined),
  };
}

function retrySentence(
  name: string,
  { retries, givesUpAfterSeconds }: Adapter["facts"],
  givesUpAt: number | null,
  now: number,
): string {
  if (givesUpAfterSeconds === 0) return `${name} does not retry.`;
  if (givesUpAt === null) return retries;
  return now < givesUpAt
    ? `${name} retries for another ${spanText(givesUpAt - now)}.`
    : `${name} gave up ${spanText(now - givesUpAt)} ago.`;
}

function disableSentence(name: string, disabledAt: number | null, now: number): string | undefined {
  if (disabledAt === null) return undefined;
  if (now < disabledAt)
    return `${name} disables this webhook in ${spanText(disabledAt - now)} unless a delivery is accepted.`;
  return `${name} has probably disabled this webhook. Check it there.`;
}

function resendSentence(name: string, resendableUntil: number | null, now: number): string | undefined {
  if (resendableUntil === null) return undefined;
  if (now < resendableUntil)
    return `${name} can send it again on request for another ${spanText(resendableUntil - now)}.`;
  return `${name} can no longer send it again. Read the object from its API.`;
}
