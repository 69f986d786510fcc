import { ar } from "./ar/index.ts";
import { de } from "./de/index.ts";
import { en } from "./en/index.ts";
import { es } from "./es/index.ts";
import { fr } from "./fr/index.ts";
import type { Locale } from "./locales.ts";

/** Every text of pages and mails, by area. English is the source: its files define the type that the other languages have. LG-02. */
export type Texts = typeof en;

const TEXTS: Record<Locale, Texts> = { en, de, fr, es, ar };

/** The texts of a language. */
export function textsFor(locale: Locale): Texts {
  return TEXTS[locale];
}
