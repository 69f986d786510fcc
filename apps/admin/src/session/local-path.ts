/**
 * The path to return to after sign-in; "/" unless `value` is a plain path within the console.
 * Rejects everything that a browser could resolve to another origin: `//host`, `/\host`, control characters, non-ASCII.
 */
export function localPath(value: string | null | undefined): string {
  if (!value?.startsWith("/") || /^\/[/\\]|[^\x21-\x5b\x5d-\x7e]/.test(value)) return "/";
  const { origin, pathname, search } = new URL(value, "http://console.invalid");
  if (origin !== "http://console.invalid" || pathname.startsWith("//") || pathname.startsWith("/auth/")) return "/";
  return pathname + search;
}
