import { LIFETIME, LIFETIME_BOUNDS } from "@gatehouse/auth";
import { PROVIDERS } from "@gatehouse/webhooks";

/** How many seconds a dead row is kept: long enough to tell "expired" from "unknown", and a replay from a guess. */
export const KEPT = {
  accessToken: 3600,
  /** A replay revokes the code's tokens as long as its row exists. */
  code: 86_400,
  /** A user who opened it in time may still be signing in and then deciding; each page has its own lifetime. */
  pushedRequest: 2 * LIFETIME.pendingRequestSeconds,
  /** At least as long as an access token of the last refresh can live: `abandoned` relies on it. */
  refreshToken: LIFETIME_BOUNDS.accessTokenSeconds.max,
  deviceCode: 3600,
  session: 86_400,
  /** A retired secret tells an admin why a client fails. */
  clientSecret: 90 * 86_400,
  webhookSecret: 90 * 86_400,
  apiToken: 90 * 86_400,
  deadJob: 7 * 86_400,
  webhookRerun: 30 * 86_400,
  initialAccessToken: 30 * 86_400,
  testRun: 3600,
  /** An ended slot tells the ledger why a preview fails. */
  previewSlot: 30 * 86_400,
  refusal: 90 * 86_400,
  refusalHours: 14 * 86_400,
} as const;

/** For how many days an event's key, its rows and its attempts are kept: no provider repeats an event later. OP-38. */
export const KEPT_DAYS = Math.max(...Object.values(PROVIDERS).map(({ facts }) => facts.keepDays));
