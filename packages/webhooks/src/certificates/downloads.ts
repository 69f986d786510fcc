import { createShareLimiter, type ThrottleKey } from "@gatehouse/runtime";
import { ProviderUnreachable } from "../provider-unreachable.ts";

/** How long a good result is kept at most, and how long a bad one; seconds. */
const KEPT_SECONDS = 86_400;
const BAD_SECONDS = 60;
const MAX_KEPT = 64;
/**
 * A sender can name any number of addresses, and each unknown one costs a request. A provider needs one a day, so no
 * flood of others keeps it from that.
 */
const PER_MINUTE = { own: 2, most: 10, shared: 20, senders: 10_000 };

/** The result of a download. `expiresAt` (Unix seconds): undefined if the result is bad. */
export type Downloaded<T> = { value: T; expiresAt: number | undefined };

/**
 * Downloads what is at `url` for `sender` unless it is cached. Rejects with {@link ProviderUnreachable}. `now`: Unix
 * seconds.
 */
export type Downloads<T> = (
  url: string,
  sender: ThrottleKey,
  now: number,
  download: () => Promise<Downloaded<T>>,
) => Promise<T>;

type Entry<T> = { result: Promise<T>; until: number };

/**
 * Makes a cache of downloads: bounded in entries, and in downloads per minute and sender; callers who need the same one
 * share it.
 */
export function createDownloads<T>(): Downloads<T> {
  const entries = new Map<string, Entry<T>>();
  const allow = createShareLimiter(PER_MINUTE);

  return async (url, sender, now, download) => {
    const known = entries.get(url);
    if (known && now < known.until) return known.result;
    if (!allow(sender, now))
      throw new ProviderUnreachable("too many different addresses from this network in this minute");

    const result = download().then(
      ({ value, expiresAt }) => {
        if (expiresAt !== undefined) entry.until = Math.min(expiresAt, now + KEPT_SECONDS);
        return value;
      },
      (cause: unknown) => {
        entries.delete(url); // the next delivery tries again
        throw new ProviderUnreachable("the download failed", { cause });
      },
    );
    const entry: Entry<T> = { result, until: now + BAD_SECONDS };
    makeRoom(entries, now);
    entries.set(url, entry);
    return result;
  };
}

/** Deletes the expired and the bad ones, then the oldest, until there is room for one more. */
function makeRoom(entries: Map<string, { until: number }>, now: number): void {
  if (entries.size < MAX_KEPT) return;
  for (const [url, { until }] of entries) if (until <= now + BAD_SECONDS) entries.delete(url);
  for (const url of entries.keys()) {
    if (entries.size < MAX_KEPT) return;
    entries.delete(url);
  }
}
