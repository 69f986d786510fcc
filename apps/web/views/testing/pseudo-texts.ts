import { type Texts, textsFor } from "@gatehouse/languages";

/**
 * The English texts with a mark on every letter: a letter without one on a page was not taken from the texts. LG-02.
 */
export function pseudoTexts(): Texts {
  return marked(textsFor("en")) as Texts;
}

const MARK = "\u0301";

/** Are there Latin letters without the mark? */
export const hasPlainLetters = (text: string): boolean => /[A-Za-z](?!\u0301)/.test(text);

function marked(node: unknown): unknown {
  if (typeof node === "string")
    return node.replaceAll(/\{\w+\}|[A-Za-z]/g, (part) => (part.startsWith("{") ? part : part + MARK));
  if (typeof node === "function") return (...parts: unknown[]) => marked(node(...parts));
  return Object.fromEntries(Object.entries(node as object).map(([key, value]) => [key, marked(value)]));
}
