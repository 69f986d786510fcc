import type { RequestPoolOptions } from "./request-pool.ts";

/** For what people wait for: documents and key sets of self-described clients. DC-06, CI-10. */
export const DOCUMENTS: RequestPoolOptions = {
  places: 16,
  perAsker: 4,
  perHost: 4,
  maxWaiting: 1000,
  waitMs: 5000,
  patience: { offMs: 10_000, seconds: 20 },
};

/**
 * For logout notices to clients that an admin registered. Only silence puts one off: a slow server still gets all of
 * its notices.
 */
export const TEAM_NOTICES: RequestPoolOptions = {
  places: 64,
  perAsker: 32,
  perHost: 32,
  maxWaiting: 1000,
  waitMs: 20_000,
  patience: { offMs: 30_000, seconds: Number.POSITIVE_INFINITY },
};

/**
 * For logout notices to self-described clients: however many are for a URL, it takes one timeout, or a minute in all,
 * in half a minute.
 */
export const STRANGER_NOTICES: RequestPoolOptions = {
  places: 64,
  perAsker: 8,
  perHost: 16,
  maxWaiting: 1000,
  waitMs: 20_000,
  patience: { offMs: 30_000, seconds: 60 },
};
