const MAX_LENGTH = 2048;

/**
 * Returns the value if it is a path on our own origin, otherwise undefined. For parameters such as `next`. Rejects
 * everything that a browser could read as another host, escaped or not (SE-12, OAuth 2.1 §7.13).
 */
export function localPath(value: string | null): string | undefined {
  if (value === null || value.length > MAX_LENGTH) return undefined;
  if (!/^\/[\x21-\x7E]*$/.test(value)) return undefined; // browsers drop spaces, tabs and newlines

  const [path = ""] = value.split(/[?#]/);
  const clear = decodeFully(path);
  if (clear === undefined || /^\/[/\\]|[\\\p{Cc}]/u.test(clear)) return undefined;
  // `/..//evil` is on our origin but resolves to a path with two leading slashes, which the next parser could misread.
  return new URL(clear.replaceAll("%", "%25"), "http://local.invalid").pathname.startsWith("//") ? undefined : value;
}

/** Far more than proxies and routers decode. */
const MAX_ROUNDS = 8;

/**
 * Decodes until nothing changes; undefined for a malformed escape, and for text that is escaped more often than anybody
 * decodes.
 */
function decodeFully(text: string, rounds = MAX_ROUNDS): string | undefined {
  if (rounds === 0) return undefined;
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? text : decodeFully(decoded, rounds - 1);
  } catch {
    return undefined;
  }
}
