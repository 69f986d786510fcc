import type { Environment } from "@gatehouse/auth";
import type { PreviewFrame } from "@gatehouse/db/schema/preview-frame";
import type { PreviewSlot } from "@gatehouse/db/stores/auth/preview-slots";

/**
 * How a URI leaves the frame, as a phrase that continues "the URI …"; undefined if it is inside. Compares strings: what
 * stands between prefix and suffix are letters, digits and hyphens, so it cannot reach another domain. CO-29.
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

/**
 * Is `sent` byte for byte the redirect URI of this live slot of the client, inside its frame, and not in production?
 * `now` is in Unix seconds. CO-28.
 */
export function matchesSlot(
  slot: PreviewSlot,
  { clientId, environment, frame }: { clientId: string; environment: Environment; frame: PreviewFrame | null },
  sent: string,
  now: number,
): boolean {
  if (environment === "production" || slot.clientId !== clientId || now >= slot.endsAt) return false;
  return slot.redirectUri === sent && frame !== null && outsideFrame(frame, sent) === undefined;
}
