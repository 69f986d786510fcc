import type { BackupSettings } from "../settings/backups.ts";

export type Keep = BackupSettings["keep"];

type Dated = { file: string; made_at: string };

/**
 * The backups that are not kept, oldest first: of each of the last days, weeks and months that have any, the newest one
 * stays. The newest of all stays, and so does `verified`. Weeks begin on Monday; times are UTC. OP-51.
 */
export function superfluous<Backup extends Dated>(
  backups: readonly Backup[],
  { days, weeks, months }: Keep,
  verified: string | undefined,
): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.made_at.localeCompare(a.made_at));
  const kept = new Set([newestFirst[0]?.file, verified]);
  const spans = [
    [days, dayOf],
    [weeks, weekOf],
    [months, monthOf],
  ] as const;
  for (const [count, spanOf] of spans) {
    const seen = new Set<string>();
    for (const { file, made_at } of newestFirst) {
      const span = spanOf(made_at);
      if (seen.has(span)) continue;
      if (seen.size === count) break;
      seen.add(span);
      kept.add(file);
    }
  }
  return newestFirst.filter(({ file }) => !kept.has(file)).toReversed();
}

const DAY_MS = 86_400_000;
const dayOf = (madeAt: string) => madeAt.slice(0, 10);
const monthOf = (madeAt: string) => madeAt.slice(0, 7);

/** The day on which its week begins. */
function weekOf(madeAt: string): string {
  const at = new Date(madeAt);
  const sinceMonday = (at.getUTCDay() + 6) % 7;
  return dayOf(new Date(at.getTime() - sinceMonday * DAY_MS).toISOString());
}
