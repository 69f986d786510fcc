import type { WebhookSecretRow } from "@gatehouse/db";

const DAY = 86_400;
/** A secret that was silent for less may just have little traffic. */
const SILENT_SECONDS = 7 * DAY;
/** Ending a secret that matched within this time needs a confirmation. CO-58. */
const RECENT_SECONDS = DAY;

/**
 * What is known about the use of an active secret. `safe_to_remove`: a newer one took over, and this one has been silent for a week and for
 * twice the longest pause between deliveries. CO-32, CO-58.
 */
export type RotationVerdict = {
  state: "never_used" | "in_use" | "quiet" | "safe_to_remove";
  /** When it last matched; null if it never did. Unix seconds. */
  lastMatchedAt: number | null;
  /** The newer secret that matched since. */
  replacedBy: { id: string; hint: string; lastMatchedAt: number } | null;
};

type Used = Pick<WebhookSecretRow, "id" | "hint" | "createdAt" | "lastMatchedAt">;

/** Judges an active secret beside the other active ones of its endpoint. `longestPauseSeconds`: between deliveries of the endpoint. */
export function rotationVerdict(secret: Used, others: readonly Used[], longestPauseSeconds: number, now: number): RotationVerdict {
  const { lastMatchedAt, createdAt } = secret;
  const replacedBy = successorOf(secret, others);
  const silentFor = now - (lastMatchedAt ?? createdAt);
  const silent = silentFor >= Math.max(SILENT_SECONDS, 2 * longestPauseSeconds);
  if (replacedBy && silent) return { state: "safe_to_remove", lastMatchedAt, replacedBy };
  if (lastMatchedAt === null) return { state: "never_used", lastMatchedAt, replacedBy };
  return { state: silentFor >= SILENT_SECONDS ? "quiet" : "in_use", lastMatchedAt, replacedBy };
}

/** The newer secret that matched after this one last did. */
function successorOf({ id, createdAt, lastMatchedAt }: Used, others: readonly Used[]): RotationVerdict["replacedBy"] {
  for (const other of others) {
    if (other.id === id || other.createdAt < createdAt || other.lastMatchedAt === null) continue;
    if (other.lastMatchedAt > (lastMatchedAt ?? 0)) return { id: other.id, hint: other.hint, lastMatchedAt: other.lastMatchedAt };
  }
  return null;
}

/** The longest pause between days with deliveries, in seconds; 0 if there are fewer than two. `days`: starts of days, ascending. */
export function longestPause(days: readonly number[]): number {
  return days.reduce((longest, day, at) => Math.max(longest, day - (days[at - 1] ?? day)), 0);
}

export function matchedRecently({ lastMatchedAt }: Pick<Used, "lastMatchedAt">, now: number): boolean {
  return lastMatchedAt !== null && now - lastMatchedAt < RECENT_SECONDS;
}
