/** Longer text is no code. */
const MAX_TYPED = 200;
/** The zeros of digits that keyboards type: Arabic, Persian and Urdu, Devanagari, Bengali, Thai. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];
/**
 * Spaces, every dash, the minus sign, the sound mark that Japanese keyboards type for a dash, and invisible marks in
 * copied text.
 */
const SEPARATORS = /[\s\p{Pd}\p{Cf}\u2212\u30fc\uff70]/gu;

/**
 * A code as it was typed, in the characters in which it was shown: digits and full-width letters of other keyboards
 * become ASCII; spaces, dashes and invisible characters are dropped. Case stays. Text that is too long for a code
 * becomes empty.
 */
export function plainCode(typed: string): string {
  if (typed.length > MAX_TYPED) return "";
  return typed
    .replace(SEPARATORS, "")
    .replace(/[\uff01-\uff5e]/g, toHalfWidth)
    .replace(/\p{Nd}/gu, toAsciiDigit);
}

const toHalfWidth = (character: string) => String.fromCharCode(character.charCodeAt(0) - 0xfee0);

function toAsciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((start) => code >= start && code < start + 10);
  return zero === undefined ? digit : String(code - zero);
}
