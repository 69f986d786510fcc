import type { Locale } from "./locales.ts";

type Unit = "day" | "hour" | "minute";

const UNITS: readonly (readonly [Unit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Map<Locale, Intl.RelativeTimeFormat>();
const dates = new Map<Locale, Intl.DateTimeFormat>();

/**
 * "3 hours ago": a page without scripts cannot know the time zone. `at` and `now` are Unix seconds; less than a minute
 * is "now".
 */
export function ago(at: number, now: number, locale: Locale): string {
  const seconds = Math.max(0, now - at);
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? [undefined, 1];
  if (unit === undefined) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(0, "second");
  return cached(relative, locale, () => new Intl.RelativeTimeFormat(locale)).format(-Math.floor(seconds / size), unit);
}

/** "in 3 days", rounded up. `at` and `now` are Unix seconds. */
export function inTime(at: number, now: number, locale: Locale): string {
  const seconds = Math.max(0, at - now);
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? (["minute", 60] as const);
  return new Intl.RelativeTimeFormat(locale).format(Math.ceil(seconds / size), unit);
}

/** "5 minutes" in the grammar of the language. */
export function amount(count: number, unit: Unit, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** A date and time in UTC, such as "21 Nov 2026, 14:05 UTC". `at` is Unix seconds. */
export function moment(at: number, locale: Locale): string {
  const options = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  const format = cached(dates, locale, () => new Intl.DateTimeFormat(locale, options));
  return `${format.format(at * 1000)} UTC`;
}

/** The form for a number. Languages name the categories that they have; `other` is for all others. */
export function plural(
  count: number,
  locale: Locale,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
): string {
  return forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
}

function cached<Format>(formats: Map<Locale, Format>, locale: Locale, make: () => Format): Format {
  const known = formats.get(locale) ?? make();
  formats.set(locale, known);
  return known;
}
