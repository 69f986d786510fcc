import { type Hash, mintId, mintSecret, PREFIX, sha256 } from "../crypto/secret.ts";
import type { Config, Deps } from "../deps.ts";
import { LIFETIME } from "../lifetimes.ts";
import type { Session } from "../store/sessions.ts";
import { findStoreUnavailable } from "../store/unavailable.ts";
import type { User } from "../store/users.ts";

/** A live session and its enabled user. */
export type ActiveSession = { session: Session; user: User };

type SessionDeps = Pick<Deps, "store" | "now" | "random">;
type Start = { user: User; previousHash?: Hash | undefined; userAgent: string | null; address: string | null };

const USER_AGENT_LENGTH = 256;
/** `lastSeenAt` is written at most this often, so that page views do not write. */
const TOUCH_SECONDS = 60;

/**
 * Starts a session for a user whose password was just checked. Always makes a new id and revokes the browser's previous session
 * (SE-07). The secret goes into the cookie; only its hash is stored.
 */
export async function startSession(start: Start, deps: SessionDeps): Promise<{ session: Session; secret: string }> {
  const now = deps.now();
  const { secret, hash } = mintSecret("session", deps.random);
  const session: Session = {
    hash,
    id: mintId(deps.random),
    userId: start.user.id,
    authTime: now,
    userAgent: start.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    address: start.address,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + LIFETIME.sessionIdleSeconds,
    absoluteExpiresAt: now + LIFETIME.sessionAbsoluteSeconds,
    accessEpoch: start.user.accessEpoch,
    revokedAt: null,
  };
  const previous = start.previousHash === undefined ? undefined : (await deps.store.findSession(start.previousHash))?.session;
  const { revokedAt: _, ...row } = session;
  if (previous?.userId === session.userId && previous.revokedAt === null) {
    await deps.store.replaceSession(previous.id, row); // keeps the grants of the same user valid
  } else {
    if (previous) await endSessionById(previous.userId, previous.id, deps);
    await deps.store.saveSession(row);
  }
  return { session, secret };
}

/**
 * The session of a `Cookie` header; undefined when there is none, it has expired or was revoked, or its user is disabled. Extends
 * the idle expiry, never past the absolute one, with at most one write a minute.
 */
export async function readSession(
  cookieHeader: string | null,
  deps: Omit<SessionDeps, "random"> & Pick<Deps, "config">,
): Promise<ActiveSession | undefined> {
  const secret = readCookie(cookieHeader, sessionCookieName(deps.config));
  if (!secret?.startsWith(PREFIX.session)) return undefined;
  const found = await deps.store.findSession(sha256(secret));
  const now = deps.now();
  if (!found || !isLive(found.session, now) || found.user.disabledAt !== null) return undefined;
  if (found.session.accessEpoch !== found.user.accessEpoch) return undefined;
  if (now - found.session.lastSeenAt < TOUCH_SECONDS) return found;

  const seen = { lastSeenAt: now, expiresAt: Math.min(now + LIFETIME.sessionIdleSeconds, found.session.absoluteExpiresAt) };
  try {
    await deps.store.touchSession(found.session.hash, seen);
  } catch (thrown) {
    if (!findStoreUnavailable(thrown)) throw thrown;
    return found; // the store cannot write now: the session keeps its old expiry
  }
  return { session: { ...found.session, ...seen }, user: found.user };
}

/** Ends a session. Its cookie is then worthless. */
export async function endSession({ session }: ActiveSession, deps: Pick<Deps, "store" | "now">): Promise<void> {
  await endSessionById(session.userId, session.id, deps);
}

/**
 * Ends a user's session by its public id, with the grants that end with it, and queues logout notices to clients (OpenID Connect
 * Back-Channel Logout). False when there is no such live session.
 */
export async function endSessionById(userId: string, sessionId: string, deps: Pick<Deps, "store" | "now">): Promise<boolean> {
  const ended = await deps.store.revokeSession(userId, sessionId, deps.now());
  if (ended) await deps.store.queueLogoutNotices(sessionId, deps.now());
  return ended;
}

function isLive(session: Session, now: number): boolean {
  return session.revokedAt === null && session.expiresAt > now && session.absoluteExpiresAt > now;
}

/** The `Set-Cookie` value of a new session. SameSite is Lax, because Strict hides the cookie when a client redirects here. SE-08. */
export function sessionCookie(secret: string, config: Pick<Config, "issuer">): string {
  return cookie(sessionCookieName(config), secret, config, LIFETIME.sessionAbsoluteSeconds);
}

/** The `Set-Cookie` value that deletes the session cookie. */
export function clearSessionCookie(config: Pick<Config, "issuer">): string {
  return cookie(sessionCookieName(config), "", config, 0);
}

/** The name of the session cookie, with `__Host-` on https. */
export function sessionCookieName(config: Pick<Config, "issuer">): string {
  return cookieName("gatehouse_session", config);
}

/** A cookie name with the prefix `__Host-`, unless the issuer is http (loopback). */
export function cookieName(name: string, config: Pick<Config, "issuer">): string {
  return config.issuer.startsWith("https://") ? `__Host-${name}` : name;
}

/** A `Set-Cookie` value for the whole origin, HttpOnly. Without `maxAgeSeconds` it is a session cookie. */
export function cookie(name: string, value: string, config: Pick<Config, "issuer">, maxAgeSeconds?: number): string {
  const secure = config.issuer.startsWith("https://") ? "; Secure" : "";
  const maxAge = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${maxAge}`;
}

/** The value of the first cookie with this name in a `Cookie` header. */
export function readCookie(header: string | null, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** All names and values of a `Cookie` header, in the order sent. */
export function cookiesOf(header: string | null): [name: string, value: string][] {
  return (header?.split(";") ?? []).flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    return at > 0 ? [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]] : [];
  });
}
