const UNITS = [
  { seconds: 86_400, name: "day" },
  { seconds: 3_600, name: "hour" },
  { seconds: 60, name: "minute" },
] as const;

/** A length of time in its largest unit, as `3 seconds` or `2 days`. Negative lengths count as positive. */
export function duration(seconds: number): string {
  const length = Math.abs(Math.round(seconds));
  const unit = UNITS.find((one) => length >= one.seconds);
  const amount = unit ? Math.floor(length / unit.seconds) : length;
  return `${amount} ${unit?.name ?? "second"}${amount === 1 ? "" : "s"}`;
}
