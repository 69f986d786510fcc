/** The page that tells the other tabs who has signed in. */
const SIGNED_IN_PATH = "/signed-in";

/**
 * The console's sign-in for a new tab, which then reports to this one. With `maxAgeSeconds`, an older sign-in does not
 * count.
 */
export function signInUrl({ maxAgeSeconds }: { maxAgeSeconds?: number } = {}): string {
  const query = new URLSearchParams({ return_to: SIGNED_IN_PATH });
  if (maxAgeSeconds !== undefined) query.set("max_age", String(maxAgeSeconds));
  return `/auth/sign-in?${query}`;
}
