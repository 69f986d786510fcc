import { setBounded } from "@gatehouse/guard";
import type { NameLookup } from "./name-lookup.ts";
import { createTurns, type TurnLimits } from "./turns.ts";

export type RequestPoolOptions = TurnLimits & {
  /** How long a request waits for its place, in milliseconds. */
  waitMs: number;
  /** Puts off URLs that take too much time. Without it none is put off. */
  patience?: Patience;
};

/**
 * For `offMs` a URL is not requested again for the same asker after it let one request time out, or after such requests
 * together held places for more than `seconds` within that time; only whole seconds of each count, so that many fast
 * answers are free.
 */
export type Patience = { offMs: number; seconds: number };

/** A place for one request. `lookup` is for it alone; `leave` gives the place back and says how the request went. */
export type Place = { lookup: NameLookup; leave(outcome: "answered" | "timed_out" | "failed"): void };

export type RequestPool = {
  /**
   * Waits for a place. `asker`: who takes turns with others. Rejects when that takes too long, and with
   * {@link SlowUrl}.
   */
  enter(url: URL, asker: string): Promise<Place>;
};

/** The URL took too much time a moment ago. */
export class SlowUrl extends Error {}

const MAX_REMEMBERED = 2000;

/**
 * Places for requests to URLs that others name. URLs that answered last time have places of their own, so that none of
 * them waits for those that stay silent. Name lookups are part of a place.
 */
export function createRequestPool(
  { waitMs, patience, ...limits }: RequestPoolOptions,
  newLookup: (maxConcurrent: number) => NameLookup,
): RequestPool {
  const lane = () => ({ takeTurn: createTurns(limits), lookup: newLookup(limits.places) });
  const [answering, others] = [lane(), lane()];
  const answered = new Map<string, true>();
  const slow = patience && watchTime(patience);

  return {
    async enter({ href, host }, asker) {
      const watched = `${asker} ${href}`; // nobody's requests put off another's
      slow?.requirePatience(watched);
      const { takeTurn, lookup } = answered.has(href) ? answering : others;
      const release = await takeTurn({ asker, host }, AbortSignal.timeout(waitMs));
      try {
        slow?.requirePatience(watched);
      } catch (error) {
        release();
        throw error;
      }
      const stopWatch = slow?.watch(watched);
      return {
        lookup,
        leave(outcome) {
          stopWatch?.();
          if (outcome === "answered") setBounded(answered, href, true, MAX_REMEMBERED);
          else answered.delete(href);
          if (outcome === "timed_out") slow?.putOff(watched);
          release();
        },
      };
    },
  };
}

/** Counts the time that each URL takes of an asker. */
function watchTime({ offMs, seconds }: Patience) {
  const taken = new Map<string, number>();
  const off = new Map<string, true>();

  function putOff(watched: string): void {
    setBounded(off, watched, true, MAX_REMEMBERED);
    setTimeout(() => off.delete(watched), offMs).unref();
  }

  function countSecond(watched: string): void {
    const count = (taken.get(watched) ?? 0) + 1;
    if (count === 1) setTimeout(() => taken.delete(watched), offMs).unref();
    setBounded(taken, watched, count, MAX_REMEMBERED);
    if (count > seconds) putOff(watched);
  }

  return {
    putOff,
    requirePatience(watched: string): void {
      if (off.has(watched)) throw new SlowUrl("it took too much time a moment ago");
    },
    /** Counts until the returned function is called. */
    watch(watched: string): () => void {
      const timer = setInterval(() => countSecond(watched), 1000).unref();
      return () => clearInterval(timer);
    },
  };
}
