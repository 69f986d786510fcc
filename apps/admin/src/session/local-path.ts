/** As the server's: it is kept in a cookie, and browsers drop cookies over 4,096 bytes. */
const MAX_LENGTH = 2048;

/**
 * The path to return to after sign-in; "/" unless `value` is a plain path within the console, of at most 2,048
 * characters once encoded. Rejects everything that a browser could resolve to another origin: `//host`, `/\host`,
 * control characters, non-ASCII.
 */
export function localPath(value: string | null | undefined): string {
  if (!value?.startsWith("/") || value.length > MAX_LENGTH || /^\/[/\\]|[^\x21-\x5b\x5d-\x7e]/.test(value)) return "/";
  const { origin, pathname, search } = new URL(value, "http://console.invalid");
  if (origin !== "http://console.invalid" || pathname.startsWith("//") || pathname.startsWith("/auth/")) return "/";
  const path = pathname + search; // encoding makes it longer
  return path.length > MAX_LENGTH ? "/" : path;
}
