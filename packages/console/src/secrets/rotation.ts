const DAY = 86_400;
/** A secret that was silent for less may just have little traffic. */
const SILENT_SECONDS = 7 * DAY;
/** Ending a secret that was used within this time needs a confirmation. CO-33, CO-58. */
const RECENT_SECONDS = DAY;

/**
 * What is known about the use of a live secret, of a client or of a webhook endpoint. `safe_to_remove`: a newer one
 * took over, and this one has been silent for a week and for twice its longest pause. CO-32, CO-58.
 */
export type RotationVerdict = {
  state: "never_used" | "in_use" | "quiet" | "safe_to_remove";
  /** The newer secret that was used since. */
  replacedBy: { id: string; hint: string; lastUsedAt: number } | null;
};

/** Times are Unix seconds; `lastUsedAt` is null if the secret was never used. */
export type UsedSecret = { id: string; hint: string; createdAt: number; lastUsedAt: number | null };

/**
 * Compares a live secret with the other live ones. `longestPauseSeconds`: how long it has been silent before, although
 * it was in use.
 */
export function rotationVerdict(
  secret: UsedSecret,
  others: readonly UsedSecret[],
  longestPauseSeconds: number,
  now: number,
): RotationVerdict {
  const { lastUsedAt, createdAt } = secret;
  const replacedBy = successorOf(secret, others);
  const silentFor = now - (lastUsedAt ?? createdAt);
  const silent = silentFor >= Math.max(SILENT_SECONDS, 2 * longestPauseSeconds);
  if (replacedBy && silent) return { state: "safe_to_remove", replacedBy };
  if (lastUsedAt === null) return { state: "never_used", replacedBy };
  return { state: silentFor >= SILENT_SECONDS ? "quiet" : "in_use", replacedBy };
}

/** The newer secret that was used after this one last was. */
function successorOf(
  { id, createdAt, lastUsedAt }: UsedSecret,
  others: readonly UsedSecret[],
): RotationVerdict["replacedBy"] {
  for (const other of others) {
    if (other.id === id || other.createdAt < createdAt || other.lastUsedAt === null) continue;
    if (other.lastUsedAt > (lastUsedAt ?? 0)) return { id: other.id, hint: other.hint, lastUsedAt: other.lastUsedAt };
  }
  return null;
}

/**
 * The longest pause between days with uses, in seconds; 0 if there are fewer than two. `days`: starts of days,
 * ascending.
 */
export function longestPause(days: readonly number[]): number {
  return days.reduce((longest, day, at) => Math.max(longest, day - (days[at - 1] ?? day)), 0);
}

export function usedRecently(lastUsedAt: number | null, now: number): boolean {
  return lastUsedAt !== null && now - lastUsedAt < RECENT_SECONDS;
}
