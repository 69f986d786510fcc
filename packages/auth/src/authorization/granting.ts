import type { Client } from "../clients/client.ts";
import type { Config } from "../deps.ts";
import { isUndated } from "../sessions/levels.ts";
import type { ActiveSession } from "../sessions/session.ts";
import type { AuthorizationRequest } from "./checks.ts";
import { isLevelMet, type LevelDemand, readLevels, unmetLevel } from "./levels.ts";

/** What a session has to be for something to be granted in its name. */
export type GrantDemand = {
  client: Pick<Client, "options">;
  levels: LevelDemand;
  /** The longest time between the sign-in and `since`. */
  maxAgeSeconds: number | undefined;
  /** The client asked when the user signed in, so a session that does not know is no answer. UP-13. */
  asksWhen: boolean;
  /** When the request was made that the sign-in answers: a later sign-in is always recent. */
  since: number;
};

/** What a session lacks: a recent sign-in, a verified address, or a level. */
export type Lacking = "recent_sign_in" | "verified_email" | "level";

/** How far the clocks of sign-in providers may differ from ours; as in UP-13's check of `auth_time`. */
export const PROVIDER_CLOCK_SECONDS = 30;

/**
 * What the session lacks at this moment; undefined when it may grant. Every code and every approval of a device passes
 * here, however long ago the pages before it looked at the session. MF-09, MF-11, OI-03, RG-06.
 */
export function lackingForGrant(
  demand: GrantDemand,
  { session, user }: ActiveSession,
  config: Config,
): Lacking | undefined {
  const { client, levels, maxAgeSeconds, asksWhen, since } = demand;
  if (asksWhen && isUndated(session)) return "recent_sign_in";
  const tolerated = session.method === "upstream" ? PROVIDER_CLOCK_SECONDS : 0;
  if (maxAgeSeconds !== undefined && session.authTime < since - maxAgeSeconds - tolerated) return "recent_sign_in";
  if (client.options.requireVerifiedEmail && user.emailVerifiedAt === null) return "verified_email";
  return isLevelMet(session, user.role, levels, config) ? undefined : "level";
}

/** Throws when the session lacks something: the last check before a code is written. */
export function requireForGrant(demand: GrantDemand, active: ActiveSession, config: Config): void {
  const lacking = lackingForGrant(demand, active, config);
  if (lacking === undefined) return;
  if (lacking === "level") throw unmetLevel();
  throw unmetLevel(
    lacking === "verified_email" ? "the user has not verified an email address" : "the sign-in of the user is too old",
  );
}

/** What a request demands of the session that grants it. `since`: see {@link GrantDemand}. */
export function demandOf(
  { client, levels, maxAgeSeconds, parameters }: AuthorizationRequest,
  since: number,
): GrantDemand {
  return { client, levels, maxAgeSeconds, asksWhen: parameters.values.max_age !== undefined, since };
}

/** What a device's client demands of the user who approves it. RFC 8628 has no parameters for it. MF-11. */
export function demandOfDevice(client: Client, requestedAt: number, config: Config): GrantDemand {
  const { required } = readLevels({ values: {} }, client, config);
  return {
    client,
    levels: { wished: [], required },
    maxAgeSeconds: client.options.defaultMaxAge,
    asksWhen: false,
    since: requestedAt,
  };
}
