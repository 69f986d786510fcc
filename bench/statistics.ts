/** The median; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}

/**
 * The requests a second of a mix whose parts have these shares, if each request takes the time that it takes alone:
 * their harmonic mean.
 */
export function predictedRate(
  shares: Readonly<Record<string, number>>,
  rates: Readonly<Record<string, number>>,
): number {
  const seconds = Object.entries(shares).reduce((sum, [part, share]) => sum + share / (rates[part] ?? Number.NaN), 0);
  return 1 / seconds;
}

/** Latencies in milliseconds with microsecond resolution, so that percentiles are exact. */
export function createLatencies() {
  let micros = new Uint32Array(1 << 16);
  let count = 0;
  return {
    add(ms: number): void {
      if (count === micros.length) {
        const larger = new Uint32Array(micros.length * 2);
        larger.set(micros);
        micros = larger;
      }
      micros[count++] = Math.round(ms * 1000);
    },
    count: () => count,
    /** `share` is between 0 and 1. */
    percentile(share: number): number {
      const sorted = micros.slice(0, count).sort();
      return (sorted[Math.min(count - 1, Math.floor(share * count))] ?? 0) / 1000;
    },
  };
}
