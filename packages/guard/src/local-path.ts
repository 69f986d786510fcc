/** It is kept in cookies, and browsers drop cookies over 4,096 bytes. */
const MAX_LENGTH = 2048;
const HERE = "http://local.invalid";

/**
 * The value as a path on our own origin, with its query and fragment and without dot segments; otherwise undefined. For
 * parameters such as `return_to`. Rejects everything that a browser could read as another host, escaped or not, paths
 * of more than 2,048 characters once encoded, and those below `outside`, however they are written. SE-12, OAuth 2.1
 * §7.13.
 */
export function localPath(
  value: string | null | undefined,
  { outside }: { outside?: string } = {},
): string | undefined {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return undefined;
  if (!/^\/[\x21-\x7E]*$/.test(value)) return undefined; // browsers drop spaces, tabs and newlines

  const [path = ""] = value.split(/[?#]/);
  const clear = decodeFully(path);
  if (clear === undefined || /^\/[/\\]|[\\\p{Cc}]/u.test(clear)) return undefined;
  const { pathname, search, hash } = new URL(value, HERE);
  for (const reading of [pathname, new URL(encodeURI(clear).replace(/[?#]/g, encodeURIComponent), HERE).pathname]) {
    // `/..//evil` is on our origin but resolves to a path with two leading slashes, which the next parser could misread.
    if (reading.startsWith("//") || (outside !== undefined && isBelow(reading, outside))) return undefined;
  }
  const local = pathname + search + hash;
  return local.length > MAX_LENGTH ? undefined : local; // encoding makes it longer
}

/** Routers ignore case and repeated slashes, or do not. */
function isBelow(path: string, folder: string): boolean {
  const plain = (text: string) => `${text.toLowerCase().replace(/\/+/g, "/").replace(/\/$/, "")}/`;
  return plain(path).startsWith(plain(folder));
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
