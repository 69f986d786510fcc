import { cookie, cookieName, type Deps, readCookie } from "@gatehouse/auth";
import type { IdentityKey } from "../store/identities.ts";

// UP-08: an identity whose address belongs to an account waits in the browser until its user has signed in to that
// account once.

export type PendingLink = { identity: IdentityKey & { email: string | null }; userId: string; issuedAt: number };

type LinkDeps = Pick<Deps, "config" | "seal" | "now">;

const PURPOSE = "upstream identity to connect";
const COOKIE = "upstream_link";
const LIFETIME_SECONDS = 1800;

/** The `Set-Cookie` value with which an identity waits for half an hour. */
export function pendingLinkCookie(link: Omit<PendingLink, "issuedAt">, deps: LinkDeps): string {
  const value = deps.seal.seal(PURPOSE, JSON.stringify({ ...link, issuedAt: deps.now() }));
  return cookie(cookieName(COOKIE, deps.config), value, deps.config, LIFETIME_SECONDS);
}

/** The identity that waits in this browser. */
export function readPendingLink(cookieHeader: string | null, deps: LinkDeps): PendingLink | undefined {
  const opened = deps.seal.open(PURPOSE, readCookie(cookieHeader, cookieName(COOKIE, deps.config)) ?? "");
  if (opened === undefined) return undefined;
  const link: PendingLink = JSON.parse(opened); // sealed by us, so it has this shape
  return deps.now() < link.issuedAt + LIFETIME_SECONDS ? link : undefined;
}

/** The `Set-Cookie` value that ends the wait. */
export function clearPendingLink(deps: Pick<Deps, "config">): string {
  return cookie(cookieName(COOKIE, deps.config), "", deps.config, 0);
}
