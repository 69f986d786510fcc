import { setBounded } from "../bounded.ts";
import type { NameLookup } from "./name-lookup.ts";
import { createTurns, type TurnLimits } from "./turns.ts";

export type StrangerPoolOptions = TurnLimits & {
  /** For how long a URL that let a request time out is not requested again, in milliseconds; 0 for not at all. */
  silentMs: number;
};

/** A place for one request. `lookup` is for it alone; `leave` gives the place back and says how the request went. */
export type Place = { lookup: NameLookup; leave(outcome: "answered" | "timed_out" | "failed"): void };

export type StrangerPool = {
  /** Waits for a place. `asker`: who caused the request. Rejects when `signal` aborts, and with {@link SilentUrl}. */
  enter(url: URL, asker: string, signal: AbortSignal): Promise<Place>;
};

/** The URL let a request time out a moment ago. */
export class SilentUrl extends Error {}

const MAX_REMEMBERED = 10_000;

/**
 * Places for requests to URLs that strangers name. URLs that answered last time have places of their own, so that none of them waits for
 * those that stay silent. Name lookups are part of a place.
 */
export function createStrangerPool(
  { silentMs, ...limits }: StrangerPoolOptions,
  newLookup: (maxConcurrent: number) => NameLookup,
): StrangerPool {
  const lane = () => ({ takeTurn: createTurns(limits), lookup: newLookup(limits.places) });
  const [answering, others] = [lane(), lane()];
  const answered = new Map<string, true>();
  const silent = new Map<string, true>();

  function requireVoice(url: string): void {
    if (silent.has(url)) throw new SilentUrl("it let a request time out a moment ago");
  }

  function silence(url: string): void {
    if (silentMs === 0) return;
    setBounded(silent, url, true, MAX_REMEMBERED);
    setTimeout(() => silent.delete(url), silentMs).unref();
  }

  return {
    async enter({ href, host }, asker, signal) {
      requireVoice(href);
      const { takeTurn, lookup } = answered.has(href) ? answering : others;
      const release = await takeTurn({ asker, host }, signal);
      try {
        requireVoice(href);
      } catch (error) {
        release();
        throw error;
      }
      return {
        lookup,
        leave(outcome) {
          if (outcome === "answered") setBounded(answered, href, true, MAX_REMEMBERED);
          else answered.delete(href);
          if (outcome === "timed_out") silence(href);
          release();
        },
      };
    },
  };
}
