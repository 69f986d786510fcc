/**
 * Longer addresses are not read: the time to parse a host name in another script grows with the square of its length.
 */
export const MAX_URL_LENGTH = 2048;
/** RFC 1035 §2.3.4, as text without the final dot. */
const MAX_HOST_LENGTH = 253;

/**
 * Whether `new URL` accepts the text. `URL.canParse` of Node 20 rejects URLs with letters such as "ä" as soon as the
 * code that calls it is optimized.
 */
export function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses an absolute URL that somebody else wrote. Undefined if it is none, is longer than {@link MAX_URL_LENGTH}, or
 * its host is no name.
 */
export function parseUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || !isUrl(text)) return undefined;
  const url = new URL(text);
  return url.hostname.replace(/\.$/, "").length > MAX_HOST_LENGTH ? undefined : url;
}
