/**
 * Control characters except tab and line feed, and the characters that change the direction or visibility of text.
 * CO-50, CO-95.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text from strangers for display: escapes characters that are invisible or reorder the text around them, such as
 * U+202E, as `\u{202e}`. Every other character stays as it is.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
