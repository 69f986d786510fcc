import { createHash } from "node:crypto";
import { isLoopbackUrl } from "./loopback.mjs";

/** By issuer and host: one of the server, one of the console. */
const prefixes = new Map<string, string>();

/**
 * The name of a cookie of an installation, for its host: with `__Host-` on https, which browsers reject on http.
 * Cookies ignore ports, so on loopback a name has eight characters of the issuer's hash: two installations on one
 * machine keep their sessions. SE-08. `host` is the URL of the app that sets it; the issuer's by default.
 */
export function cookieName(kind: string, { issuer, host = issuer }: { issuer: string; host?: string }): string {
  const key = host === issuer ? issuer : `${issuer} ${host}`;
  const known = prefixes.get(key);
  if (known !== undefined) return known + kind;
  const prefix = prefixOf(issuer, host);
  prefixes.set(key, prefix);
  return prefix + kind;
}

function prefixOf(issuer: string, host: string): string {
  const secure = host.startsWith("https://") ? "__Host-" : "";
  const own = isLoopbackUrl(host) ? `${createHash("sha256").update(issuer).digest("hex").slice(0, 8)}_` : "";
  return `${secure}gatehouse_${own}`;
}
