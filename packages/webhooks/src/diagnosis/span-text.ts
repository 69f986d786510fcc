const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** A span in its two largest units: `2 d 3 h`, `3 h 10 min`, `40 s`. In: seconds, not negative. */
export function spanText(seconds: number): string {
  const largest = Math.max(
    0,
    UNITS.findIndex(([, size]) => seconds >= size),
  );
  const [unit, size] = UNITS[seconds >= 1 ? largest : UNITS.length - 1] ?? UNITS[3];
  const count = Math.floor(seconds / size);
  const next = UNITS[largest + 1];
  const rest = next && seconds >= 1 ? Math.floor((seconds - count * size) / next[1]) : 0;
  return next && rest > 0 ? `${count} ${unit} ${rest} ${next[0]}` : `${count} ${unit}`;
}
