/**
 * The path to come back to after sign-in, or "/" when `value` is not a plain path of this console.
 * Whatever a browser could read as another origin is refused: `//host`, `/\host`, anything but visible ASCII.
 */
export function localPath(value: string | null | undefined): string {
  if (!value?.startsWith("/") || /^\/[/\\]|[^\x21-\x5b\x5d-\x7e]/.test(value)) return "/";
  const { origin, pathname, search } = new URL(value, "http://console.invalid");
  if (origin !== "http://console.invalid" || pathname.startsWith("//") || pathname.startsWith("/auth/")) return "/";
  return pathname + search;
}
