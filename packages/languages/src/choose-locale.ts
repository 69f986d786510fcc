import { LOCALES, type Locale } from "./locales.ts";

/** What says which language a person reads, most specific first. */
export type LocaleWishes = {
  /**
   * `ui_locales` of the pending request: tags separated by spaces. The language switch puts its choice here, so it
   * counts first.
   */
  uiLocales?: string | undefined;
  /** The language saved with the account of the session. */
  saved?: string | null | undefined;
  /** The language chosen earlier in this browser. */
  cookie?: string | undefined;
  acceptLanguage?: string | null | undefined;
  default: Locale;
};

/** Ranges examined in one list, and the characters of each (RFC 5646 §4.4.1), so that a long header costs nothing. */
const MOST_RANGES = 20;
const LONGEST_RANGE = 35;

/**
 * The language of a page: the first wish that names a language we have. A cookie never overrides `ui_locales`. LG-01.
 */
export function chooseLocale(wishes: LocaleWishes): Locale {
  const { uiLocales, saved, cookie, acceptLanguage } = wishes;
  return (
    lookup(uiLocales?.split(" ", MOST_RANGES)) ??
    lookup([saved ?? ""]) ??
    lookup([cookie ?? ""]) ??
    lookup(rangesOf(acceptLanguage ?? "")) ??
    wishes.default
  );
}

/** RFC 4647 §3.4: each range is shortened from the end until it matches, and the first range that matches decides. */
function lookup(ranges: readonly string[] = []): Locale | undefined {
  for (const range of ranges) {
    const wanted = range.trim();
    if (wanted.length > LONGEST_RANGE) continue;
    let subtags = wanted.toLowerCase().split("-");
    while (subtags.length > 0) {
      const tag = subtags.join("-");
      const found = LOCALES.find((locale) => locale.toLowerCase() === tag);
      if (found) return found;
      subtags = subtags.slice(0, -1);
      if (subtags.at(-1)?.length === 1) subtags = subtags.slice(0, -1); // a singleton such as "x" goes with its subtag
    }
  }
  return undefined;
}

/**
 * The ranges of `Accept-Language` by weight; equal weights keep their order, and weight 0 means "not this one". RFC
 * 9110 §12.5.4.
 */
function rangesOf(header: string): string[] {
  return header
    .split(",", MOST_RANGES)
    .map((part) => {
      const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? "1";
      return { range, weight: /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ range }) => range);
}
