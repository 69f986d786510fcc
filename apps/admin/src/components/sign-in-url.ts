/** The console's sign-in, which returns to the current page. With `maxAgeSeconds`, an older sign-in does not count. */
export function signInUrl({ maxAgeSeconds }: { maxAgeSeconds?: number } = {}): string {
  const { pathname, search } = window.location;
  const query = new URLSearchParams({ return_to: pathname + search });
  if (maxAgeSeconds !== undefined) query.set("max_age", String(maxAgeSeconds));
  return `/auth/sign-in?${query}`;
}
