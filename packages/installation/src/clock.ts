const MAX_DIFFERENCE_MS = 1000;

/**
 * Unix milliseconds with fractions. The monotonic clock orders instants within a millisecond, but stands still while
 * the machine sleeps, so it is set again when it differs from the wall clock by more than a second.
 */
export function createPreciseClock(
  wall: () => number = Date.now,
  monotonic: () => number = () => performance.now(),
): () => number {
  let offset = wall() - Math.floor(monotonic());
  return () => {
    const now = wall();
    const precise = offset + monotonic();
    if (Math.abs(precise - now) <= MAX_DIFFERENCE_MS) return precise;
    offset += now - precise;
    return now;
  };
}
