import { ACR, type Acr, levelOf, meets } from "@gatehouse/guard";
import type { Role } from "../store/users.ts";

/** Which levels an installation has, and who must reach one. */
export type LevelSettings = {
  /** The levels of authentication that users can reach, lowest first; default a password. AL-01. */
  levels?: readonly Acr[];
  /** Who has to sign in with a second factor; default nobody. MF-09. */
  secondFactor?: { everybody: boolean; roles: readonly Role[] };
};

/**
 * Stands beside `otp` in the `amr` of a session for a recovery code, which confirms what otherwise only a passkey does.
 * RFC 8176 has no value for it, so it is not in tokens.
 */
export const RECOVERY_AMR = "recovery";

/**
 * Stands in the `amr` of a session whose provider did not say when its user signed in. It may have let the browser
 * through without asking, so this first factor is not recent. UP-13. It is not in tokens.
 */
export const UNDATED_AMR = "undated";

/**
 * Stands beside `undated` once the user has confirmed at that provider, which did not say when again. It is enough for
 * changes of the account itself where there is nothing else to prove, and for nothing more: the time is still unknown.
 * SN-03, UP-13. It is not in tokens.
 */
export const CONFIRMED_AMR = "confirmed";

const MARKERS: readonly string[] = [RECOVERY_AMR, UNDATED_AMR, CONFIRMED_AMR];

/** The methods of RFC 8176 alone, without what only our sessions say. */
export function withoutMarkers(amr: readonly string[]): string[] {
  return amr.filter((method) => !MARKERS.includes(method));
}

/** Is it unknown when the user of this session proved the first factor? UP-13. */
export function isUndated({ amr }: { amr: readonly string[] }): boolean {
  return amr.includes(UNDATED_AMR);
}

/** The levels that users of this server can reach, lowest first: what the metadata lists. AL-01. */
export function supportedLevels({ levels = DEFAULT_LEVELS }: Pick<LevelSettings, "levels">): readonly Acr[] {
  return levels;
}

const DEFAULT_LEVELS: readonly Acr[] = [ACR.password];

/** Does this value name a level that users of this server can reach? */
export function isSupported(value: string, config: Pick<LevelSettings, "levels">): boolean {
  const level = levelOf(value);
  return level !== undefined && supportedLevels(config).includes(level);
}

/** Is some level that users of this server can reach as strong as the one that this value names? */
export function isAttainable(value: string, config: Pick<LevelSettings, "levels">): boolean {
  return supportedLevels(config).some((level) => meets(level, value));
}

/** The level that this server demands of everybody with this role; undefined for none. MF-09. */
export function policyLevel(role: Role, { secondFactor }: Pick<LevelSettings, "secondFactor">): Acr | undefined {
  return secondFactor?.everybody || secondFactor?.roles.includes(role) ? ACR.mfa : undefined;
}

/**
 * The level that this server demands of the user's role if the sign-in at `acr` is weaker; undefined if it is strong
 * enough. MF-10.
 */
export function missingLevel(
  { role, acr }: { role: Role; acr: string | null },
  config: Pick<LevelSettings, "secondFactor">,
): Acr | undefined {
  const level = policyLevel(role, config);
  return level === undefined || meets(acr ?? undefined, level) ? undefined : level;
}

/** The strongest of the requested values that `acr` meets, as requested; otherwise `acr` itself. AL-01. */
export function reportedLevel(acr: string, requested: readonly string[]): string {
  let best: string | undefined;
  for (const value of requested) if (meets(acr, value) && (best === undefined || !meets(best, value))) best = value;
  return best ?? acr;
}
