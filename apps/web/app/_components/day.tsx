/** In UTC, so that server and browser render the same words. */
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** A date. `at` is Unix seconds. */
export function Day({ at }: { at: number }) {
  const date = new Date(at * 1000);
  return <time dateTime={date.toISOString()}>{DAY.format(date)}</time>;
}
