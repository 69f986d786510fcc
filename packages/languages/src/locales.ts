/** The languages that pages and mails are written in, as BCP 47 tags. LG-02. */
export const LOCALES = ["en", "de", "fr", "es", "ar"] as const;
export type Locale = (typeof LOCALES)[number];

/** Each language's name in itself, as the language switch shows it. */
export const LOCALE_NAMES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ar: "العربية",
} as const satisfies Record<Locale, string>;

const RIGHT_TO_LEFT: readonly string[] = ["ar"] satisfies Locale[];

export const isLocale = (value: string | null | undefined): value is Locale =>
  LOCALES.some((locale) => locale === value);

/** The value of the attribute `dir`. */
export function directionOf(locale: Locale): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.includes(locale) ? "rtl" : "ltr";
}
