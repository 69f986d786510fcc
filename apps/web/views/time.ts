const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const format = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** "3 hours ago": a page without scripts cannot know the time zone. Both are in Unix seconds. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, now - at);
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit ? format.format(-Math.floor(seconds / unit[1]), unit[0]) : "just now";
}
