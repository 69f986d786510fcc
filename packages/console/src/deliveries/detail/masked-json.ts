/** Larger payloads are not shown masked: masking takes time on the event loop. */
const MAX_LENGTH = 128 * 1024;
const MASK = '"•••"';

/** A name that the provider's format can define. Other keys can be data, such as an email address. */
const NAME = /^"[A-Za-z_][\w.-]{0,63}"$/;

/** JSON with the same shape and every value masked. Returns undefined if the text is not JSON, or too large. */
export function maskedJson(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  return text.replace(
    /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g,
    (_token: string, quoted: string | undefined, colon: string | undefined) =>
      colon === undefined ? MASK : (NAME.test(quoted ?? "") ? quoted : MASK) + colon,
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
