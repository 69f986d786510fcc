/** How long an answer counts, however many ask. */
const EVERY_MS = 2_000;

/**
 * Asks the database whether it answers, at most every two seconds: anybody may ask for `/readyz?db=1`. `ask` may
 * reject. OP-71.
 */
export function createDatabaseProbe(
  ask: () => Promise<unknown>,
  now: () => number = performance.now.bind(performance),
): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);
  return () => {
    if (now() - askedAt >= EVERY_MS) {
      askedAt = now();
      answer = ask().then(
        () => true,
        () => false,
      );
    }
    return answer;
  };
}
