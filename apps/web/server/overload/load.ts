import type { IncomingMessage } from "node:http";
import type { Rank } from "./order.ts";

/** What this process is working on. Requests read it; the watch writes all but `inFlight`. OP-31 */
export const load = {
  /** Requests that have arrived and are not answered. Open event streams are not among them. */
  inFlight: 0,
  /** At most so many may be in flight. */
  cap: Number.POSITIVE_INFINITY,
  /** How many ranks are shed: 0 is none, and each more adds the next in the order. */
  level: 0,
  /** At the highest level, tokens are shed while more than this many requests are in flight. */
  tokensAtOnce: 8,
  /** Why the level is not 0. */
  cause: "event_loop" as ShedReason,
  /** While no more than this many are in flight, nobody is shed, so that a request costs one comparison. */
  free: Number.POSITIVE_INFINITY,
};

export type ShedReason = "in_flight" | "database_pool" | "event_loop";

/**
 * With so few requests in flight nothing is shed, however slow the process is: that would free nothing, and the process
 * may be slow because the machine does something else.
 */
export const FEW = 8;

/** The share of the cap that has to be taken before a rank is shed, so that the first in the order go first. */
const SHARES: Record<Rank, number> = {
  console: 0.5,
  pages: 0.6,
  registration: 0.7,
  introspection: 0.8,
  token: 1,
  webhooks: 1,
  health: Number.POSITIVE_INFINITY,
};
/** The order in which slowness sheds. Webhooks are not in it: their senders would come back with more. */
const ORDER: readonly Rank[] = ["console", "pages", "registration", "introspection", "token"];
export const HIGHEST_LEVEL = ORDER.length;

/** The number of requests in flight from which ranks are shed for that alone. */
export const freeOf = (cap: number): number => Math.floor(cap * SHARES.console);

/** Why a request of this rank is not served now; undefined if it is. It is itself in flight already. */
export function shedReasonOf(rank: Rank): ShedReason | undefined {
  const working = load.inFlight - uploads.size;
  if (working > load.cap * SHARES[rank]) return "in_flight";
  const place = ORDER.indexOf(rank);
  const few = rank === "token" ? load.tokensAtOnce : FEW;
  return working > few && place !== -1 && place < load.level ? load.cause : undefined;
}

/** Requests whose body has not arrived. They take no work, and strangers decide how long they take. */
const uploads = new Set<IncomingMessage>();

/** Counts the request as waiting for its caller until its body has arrived. */
export function awaitBody(incoming: IncomingMessage): void {
  if (uploads.has(incoming) || incoming.complete || incoming.destroyed) return;
  uploads.add(incoming);
  const arrived = () => uploads.delete(incoming);
  incoming.once("end", arrived);
  incoming.once("close", arrived);
}

/** Drops what has arrived or ended without saying so. */
export function pruneUploads(): void {
  for (const incoming of uploads) if (incoming.complete || incoming.destroyed) uploads.delete(incoming);
}
