/**
 * The registered URI that is most similar to a sent one, and the index of the first character that differs; 0 without
 * one.
 */
export type NearestUri = { nearest: string | null; differsAt: number };

/**
 * Finds the registered URI that is most similar to `sent`: by shared start and end, relative to the longer of the two.
 * The failure ledger, the console and the command line show this one. CO-26, CO-47.
 */
export function nearestUri(sent: string, registered: readonly string[]): NearestUri {
  let best: { nearest: string; differsAt: number; score: number } | undefined;
  for (const uri of registered) {
    const start = sharedStart(sent, uri);
    const score = (start + sharedEnd(sent, uri, start)) / Math.max(sent.length, uri.length, 1);
    if (!best || score > best.score) best = { nearest: uri, differsAt: start, score };
  }
  return { nearest: best?.nearest ?? null, differsAt: best?.differsAt ?? 0 };
}

function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

function sharedEnd(one: string, other: string, start: number): number {
  const most = Math.min(one.length, other.length) - start;
  let length = 0;
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) length += 1;
  return length;
}
