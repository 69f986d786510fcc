const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const format = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** "3 hours ago": needs no time zone, which a page without scripts cannot know. Both are Unix seconds. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, now - at);
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit ? format.format(-Math.floor(seconds / unit[1]), unit[0]) : "just now";
}
