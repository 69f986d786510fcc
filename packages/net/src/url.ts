/** Longer addresses are not read: the time to parse a host name in another script grows with the square of its length. */
export const MAX_URL_LENGTH = 2048;
/** RFC 1035 §2.3.4, as text without the final dot. */
const MAX_HOST_LENGTH = 253;

/** Parses an absolute URL that somebody else wrote. Undefined if it is none, is longer than {@link MAX_URL_LENGTH}, or its host is no name. */
export function parseUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.hostname.replace(/\.$/, "").length > MAX_HOST_LENGTH ? undefined : url;
}
