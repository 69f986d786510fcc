const MOST = 4;
/** Every secret of a provider starts with it, so it is no part of what has to be guessed. */
const PREFIX = /^[a-z]+_/;

/**
 * The last characters of a secret, by which people tell two apart: four, and of one that somebody typed and that is
 * short, at most a third. Empty for one of less than three.
 */
export function secretHint(secret: string): string {
  const shown = Math.min(MOST, Math.floor(secret.replace(PREFIX, "").length / 3));
  return secret.slice(secret.length - shown);
}
