const MAX_LENGTH = 2048;

/**
 * The value when it is a path on our own origin, otherwise undefined. For `next`, `return_to` and the like: everything a
 * browser could read as another host is refused, escaped or not (SE-12, OAuth 2.1 §7.13).
 */
export function localPath(value: string | null): string | undefined {
  if (value === null || value.length > MAX_LENGTH) return undefined;
  if (!/^\/[\x21-\x7E]*$/.test(value)) return undefined; // spaces, tabs and newlines are dropped by browsers

  const [path = ""] = value.split(/[?#]/);
  const clear = decodeFully(path);
  if (clear === undefined || /^\/[/\\]|[\\\p{Cc}]/u.test(clear)) return undefined;
  // `/..//evil` is ours, but leaves a path that begins with two slashes for the next parser to misread.
  return new URL(clear.replaceAll("%", "%25"), "http://local.invalid").pathname.startsWith("//") ? undefined : value;
}

/** Decodes until nothing changes; undefined when an escape is malformed. Each turn shortens the text, so it ends. */
function decodeFully(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded === text ? text : decodeFully(decoded);
  } catch {
    return undefined;
  }
}
