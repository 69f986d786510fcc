import type { BrandLinks } from "@gatehouse/accounts";
import type { Locale, Texts } from "@gatehouse/languages";

/** A part of a mail. The frame writes each one as text and as HTML, so that the two never differ. */
export type Block =
  | { kind: "text"; text: string }
  | { kind: "button"; label: string; href: string }
  | { kind: "code"; code: string }
  | { kind: "facts"; facts: readonly (readonly [label: string, value: string])[] };

/** What a mail says, before the frame. */
export type Letter = { subject: string; blocks: readonly Block[] };

/** What every template is given besides its data. */
export type LetterContext = {
  texts: Texts;
  locale: Locale;
  /**
   * The name that people know the installation by, or the display name of the application that they are on the way to.
   */
  product: string;
  issuer: string;
  /** Of the branding of that application or of the installation, `#rrggbb`. BD-01, CO-68. */
  colour?: string | undefined;
  /** Of the same. */
  links?: BrandLinks | undefined;
};

export const text = (value: string): Block => ({ kind: "text", text: value });
export const button = (label: string, href: string): Block => ({ kind: "button", label, href });
export const code = (value: string): Block => ({ kind: "code", code: value });
export const facts = (...values: readonly (readonly [label: string, value: string])[]): Block => ({
  kind: "facts",
  facts: values,
});

/** The link of a mail: what its button opens. */
export function linkOf({ blocks }: Letter): string | undefined {
  return blocks.find((block) => block.kind === "button")?.href;
}

/** The code of a mail. */
export function codeOf({ blocks }: Letter): string | undefined {
  return blocks.find((block) => block.kind === "code")?.code;
}
