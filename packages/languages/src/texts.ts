import { ar } from "./ar/index.ts";
import { de } from "./de/index.ts";
import { en, type Texts } from "./en/index.ts";
import { es } from "./es/index.ts";
import { fr } from "./fr/index.ts";
import type { Locale } from "./locales.ts";

const TEXTS: Record<Locale, Texts> = { en, de, fr, es, ar };

/** The texts of a language. */
export function textsFor(locale: Locale): Texts {
  return TEXTS[locale];
}
