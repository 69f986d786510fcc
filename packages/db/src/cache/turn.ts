/**
 * Whether requests arrived in this turn of the event loop, which turn it is, and how many requests have arrived so far.
 * `requestsOfLast` counts those of the last turn with requests, which may be this one.
 */
export type Turn = {
  readonly isOpen: boolean;
  readonly number: number;
  readonly requests: number;
  readonly requestsOfLast: number;
};

/**
 * The requests of a turn that can share an answer. Bounds how long a turn lasts when libuv polls again before the turn
 * ends.
 */
const MAX_REQUESTS = 64;

const turn = { isOpen: false, number: 0, requests: 0, requestsOfLast: 0 };
let arrived = 0;

/**
 * Call it where an HTTP request arrives, before anything is read for it. All requests of a turn arrived before the
 * first of them is handled, so what is asked then holds for all of them. `queued`: the request waits for the response
 * to an earlier one on its connection, and may have arrived after that one. See docs/decisions/0027-cache-counters.md.
 */
export function requestArrived({ queued = false } = {}): void {
  turn.requests += 1;
  turn.requestsOfLast += 1;
  if (!turn.isOpen) {
    turn.isOpen = true;
    turn.requestsOfLast = 1;
    setImmediate(endTurn);
  } else if (!queued && arrived < MAX_REQUESTS) {
    arrived += 1;
    return;
  }
  turn.number += 1;
  arrived = 1;
}

function endTurn(): void {
  turn.isOpen = false;
}

/** The turn of this process. */
export const currentTurn: Turn = turn;
