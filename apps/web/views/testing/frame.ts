import { type Locale, type Texts, textsFor } from "@gatehouse/languages";
import type { Frame } from "../frame.ts";

/** The frame of a page under test. */
export function frame(locale: Locale = "en", texts: Texts = textsFor(locale)): Frame {
  return { locale, texts, productName: "Gatehouse", back: { back: "/page", request: undefined, next: undefined } };
}
