const urls = new Map<string, string>();

/** The URL of a protected resource's metadata: the well-known path goes between host and path. RFC 9728 §3.1. */
export function resourceMetadataUrl({ resource }: { resource: string }): string {
  const known = urls.get(resource);
  if (known !== undefined) return known;
  const { origin, pathname } = new URL(resource);
  const url = `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
  urls.set(resource, url);
  return url;
}
