/** The redirect URIs that preview slots of a client may have: `https://<hostPrefix>…<hostSuffix><path>`. An admin sets it. CO-29. */
export type PreviewFrame = {
  /** Start of the host; can be empty. */
  hostPrefix: string;
  /** End of the host, with at least one dot. */
  hostSuffix: string;
  /** Everything after the host, compared as a whole string. */
  path: string;
};

/**
 * How a URI leaves the frame, as a phrase that continues "the URI …"; undefined if it is inside. Compares strings: what stands between prefix
 * and suffix are letters, digits and hyphens, so it cannot reach another domain. CO-29.
 */
export function outsideFrame({ hostPrefix, hostSuffix, path }: PreviewFrame, uri: string): string | undefined {
  const [, host, rest] = /^https:\/\/([^/?#]*)(.*)$/s.exec(uri) ?? [];
  if (host === undefined || rest === undefined) return "must start with https://";
  if (host.includes(":")) return "must have no port";
  if (!host.startsWith(hostPrefix)) return `must have a host that starts with ${hostPrefix}, and this one is ${host}`;
  if (!host.endsWith(hostSuffix)) return `must have a host that ends with ${hostSuffix}, and this one is ${host}`;
  const between = host.slice(hostPrefix.length, host.length - hostSuffix.length);
  if (hostPrefix.length + hostSuffix.length >= host.length || !/^[a-z0-9-]+$/.test(between))
    return `must have lower-case letters, digits or hyphens between ${hostPrefix || "https://"} and ${hostSuffix}, and its host is ${host}`;
  return rest === path ? undefined : `must have the path ${path}, and this one has ${rest || "none"}`;
}
