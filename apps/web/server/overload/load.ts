import type { IncomingMessage } from "node:http";
import { currentTurn } from "@gatehouse/db/cache/turn";
import type { Rank } from "./order.ts";

/** What this process is working on. Requests count themselves and the turns; the watch writes the rest. OP-31 */
export const load = {
  /** Requests that have arrived and are not answered. Open event streams are not among them. */
  inFlight: 0,
  /** At most so many may be in flight. */
  most: Number.POSITIVE_INFINITY,
  /** Less than `most` while the database does not answer as many. Webhooks have no part in that. */
  cap: Number.POSITIVE_INFINITY,
  /** While requests are shed: for how long requests are served in a turn of the event loop, which refuses the others. */
  budgetMs: Number.POSITIVE_INFINITY,
  /** When the first request of this turn was taken up; the others have waited since then. */
  turnBeganMs: 0,
  /** How many ranks are shed however few of the cap are taken: 0 is none, and each more adds the next in the order. */
  level: 0,
  /** Requests that were shed since the last look. */
  shed: 0,
  /** Why the level is not 0. */
  cause: "event_loop" as ShedReason,
  /** While no more than this many are in flight, nobody is shed, so that a request costs one comparison. */
  free: Number.POSITIVE_INFINITY,
};

export type ShedReason = "in_flight" | "database_pool" | "event_loop";

/**
 * With so few requests in flight, or in a turn of the event loop, nothing is shed, however slow the process is: that
 * would free nothing, and the process may be slow because the machine does something else.
 */
export const FEW = 8;

type SheddableRank = Exclude<Rank, "webhooks" | "health">;

/** The share of the cap that has to be taken before a rank is shed, so that they go in order. */
const OF_CAP: Record<SheddableRank, number> = {
  console: 0.5,
  pages: 0.6,
  registration: 0.7,
  introspection: 0.8,
  token: 1,
};
/** The same for a turn's budget: a page costs several times as much as a token. */
const OF_BUDGET: Record<SheddableRank, number> = {
  console: 0.1,
  pages: 0.25,
  registration: 0.4,
  introspection: 0.7,
  token: 1,
};
/** The order in which slowness sheds. Tokens have cap and budget, and webhooks' senders would come back with more. */
const ORDER: readonly Rank[] = ["console", "pages", "registration", "introspection"];
export const HIGHEST_LEVEL = ORDER.length;

/** The number of requests in flight from which ranks are shed for that alone. */
export const freeOf = (cap: number): number => Math.floor(cap * OF_CAP.console);

/** Why a request of this rank is not served now; undefined if it is. It is itself in flight already. */
export function shedReasonOf(rank: Rank, nowMs = performance.now()): ShedReason | undefined {
  const working = load.inFlight - uploads.size;
  if (rank === "health") return undefined;
  if (rank === "webhooks") return working > load.most ? "in_flight" : undefined;
  if (working > load.cap * OF_CAP[rank]) return load.level === 0 ? "in_flight" : load.cause;
  const late = nowMs - load.turnBeganMs > budgetOfTurn(nowMs) * OF_BUDGET[rank];
  if (late && currentTurn.requestsOfLast > FEW) return "event_loop";
  const place = ORDER.indexOf(rank);
  return working > FEW && place !== -1 && place < load.level ? load.cause : undefined;
}

/** Of a turn, at least so much goes to requests that are served. */
const LEAST_SERVED = 2 / 3;
/** The last turn in which something could be shed. */
const turn = { beganMs: 0, lastMs: 0, budgetMs: 0 };

/**
 * Not much shorter than the turn before: where so much arrives that refusing takes longer than serving, a process that
 * refused in time would do nothing else.
 */
function budgetOfTurn(nowMs: number): number {
  if (turn.beganMs !== load.turnBeganMs) {
    turn.budgetMs = (turn.lastMs - turn.beganMs) * LEAST_SERVED;
    turn.beganMs = load.turnBeganMs;
  }
  turn.lastMs = nowMs;
  return Math.max(load.budgetMs, turn.budgetMs);
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
