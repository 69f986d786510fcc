export { ago, amount, inTime, moment, plural } from "./amounts.ts";
export { chooseLocale, type LocaleWishes } from "./choose-locale.ts";
export type { Texts } from "./en/index.ts";
export { directionOf, isLocale, LOCALE_NAMES, LOCALES, type Locale } from "./locales.ts";
export { textsFor } from "./texts.ts";
