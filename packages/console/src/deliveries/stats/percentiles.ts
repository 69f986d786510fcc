/**
 * How often a value was at most `upToMs`, and more than the bound of the bucket below. A bound that is not a number is
 * infinite.
 */
export type Bucket = { upToMs: number; count: number };

/**
 * The bounds below which 50, 95 and 99 % of the values are; null if that is the bucket without a bound, or nothing was
 * counted.
 */
export function percentiles(buckets: readonly Bucket[]): {
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
} {
  const bounds = new Map<number, number>();
  for (const { upToMs, count } of buckets) {
    const bound = Number.isNaN(upToMs) ? Number.POSITIVE_INFINITY : upToMs;
    bounds.set(bound, (bounds.get(bound) ?? 0) + count);
  }
  const sorted = [...bounds].sort(([one], [other]) => one - other);
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number) => {
    let counted = 0;
    for (const [bound, count] of sorted) {
      counted += count;
      if (counted >= share * all) return Number.isFinite(bound) ? bound : null;
    }
    return null;
  };
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
