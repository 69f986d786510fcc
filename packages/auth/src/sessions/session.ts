import { cookieName } from "@gatehouse/runtime";
import { type Hash, mintId, mintSecret, PREFIX, sha256 } from "../crypto/secret.ts";
import type { Config, Deps } from "../deps.ts";
import { LIFETIME } from "../lifetimes.ts";
import type { NewSession, Session, SessionRise } from "../store/sessions.ts";
import { findStoreUnavailable } from "../store/unavailable.ts";
import type { User } from "../store/users.ts";

/** A live session and its enabled user. */
export type ActiveSession = { session: Session; user: User };

type SessionDeps = Pick<Deps, "store" | "now" | "random">;
type Start = {
  user: User;
  previousHash?: Hash | undefined;
  userAgent: string | null;
  address: string | null;
  /** When and how the user signed in. */
  proof: Pick<Session, "method" | "acr" | "amr" | "authTime" | "secondAt">;
  /** "Keep me signed in". SN-02. */
  persistent: boolean;
  upstream?: Session["upstream"];
  /** Writes the session with what else belongs to the sign-in. By default the store writes the session alone. */
  save?: (session: NewSession, previousId: string | undefined) => Promise<void>;
};

const USER_AGENT_LENGTH = 256;
/** The most live sessions of one user; the next one ends the oldest. SN-01. */
const MAX_SESSIONS = 100;
/** `lastSeenAt` is written at most this often, so that page views do not write. */
const TOUCH_SECONDS = 60;

/**
 * Starts a session for a user who has just signed in. Always makes a new id and revokes the browser's previous session
 * (SE-07). The secret goes into the cookie; only its hash is stored.
 */
export async function startSession(start: Start, deps: SessionDeps): Promise<{ session: Session; secret: string }> {
  const now = deps.now();
  const { secret, hash } = mintSecret("session", deps.random);
  const session: Session = {
    hash,
    id: mintId(deps.random),
    userId: start.user.id,
    ...start.proof,
    persistent: start.persistent,
    upstream: start.upstream ?? null,
    userAgent: start.userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    address: start.address,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + idleSeconds(start),
    absoluteExpiresAt:
      now + (start.persistent ? LIFETIME.sessionAbsoluteSeconds : LIFETIME.briefSessionAbsoluteSeconds),
    accessEpoch: start.user.accessEpoch,
    revokedAt: null,
  };
  const previous =
    start.previousHash === undefined ? undefined : (await deps.store.findSession(start.previousHash))?.session;
  const { revokedAt: _, ...row } = session;
  const save = start.save ?? saveAlone(deps);
  if (previous?.userId === session.userId && previous.revokedAt === null) {
    await save(row, previous.id); // keeps the grants of the same user valid
  } else {
    if (previous) await endSessionById(previous.userId, previous.id, deps);
    await save(row, undefined);
    await endOldestSessions(session.userId, deps);
  }
  return { session, secret };
}

const saveAlone =
  ({ store }: Pick<Deps, "store">): NonNullable<Start["save"]> =>
  (row, previousId) =>
    previousId === undefined ? store.saveSession(row) : store.replaceSession(previousId, row);

/** Keeps a user's sessions to {@link MAX_SESSIONS}. SN-01. */
async function endOldestSessions(userId: string, deps: Pick<Deps, "store" | "now">): Promise<void> {
  const sessions = await deps.store.listSessions(userId, deps.now());
  for (const { id } of sessions.slice(MAX_SESSIONS)) await endSessionById(userId, id, deps);
}

/**
 * The session of a `Cookie` header; undefined when there is none, it has expired or was revoked, or its user is
 * disabled. Extends the idle expiry, never past the absolute one, with at most one write a minute.
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

  const seen = {
    lastSeenAt: now,
    expiresAt: Math.min(now + idleSeconds(found.session), found.session.absoluteExpiresAt),
  };
  try {
    await deps.store.touchSession(found.session.hash, seen);
  } catch (thrown) {
    if (!findStoreUnavailable(thrown)) throw thrown;
    return found; // the store cannot write now: the session keeps its old expiry
  }
  return { session: { ...found.session, ...seen }, user: found.user };
}

/**
 * Gives a session a new secret and records a further proof of its user; its public id stays, so clients see the same
 * `sid`. Undefined when the session has ended or was rotated meanwhile. AL-04.
 */
export async function raiseSession(
  { session, user }: ActiveSession,
  rise: SessionRise,
  deps: Pick<SessionDeps, "store" | "random">,
): Promise<(ActiveSession & { secret: string }) | undefined> {
  const { secret, hash } = mintSecret("session", deps.random);
  if (!(await deps.store.rotateSession(session.hash, { hash, ...rise }))) return undefined;
  return { session: { ...session, hash, ...rise }, user, secret };
}

/** Ends a session. Its cookie is then worthless. */
export async function endSession({ session }: ActiveSession, deps: Pick<Deps, "store" | "now">): Promise<void> {
  await endSessionById(session.userId, session.id, deps);
}

/**
 * Ends a user's session by its public id, with the grants that end with it. False when there is no such live session.
 */
export function endSessionById(userId: string, sessionId: string, deps: Pick<Deps, "store" | "now">): Promise<boolean> {
  return deps.store.revokeSession(userId, sessionId, deps.now());
}

/** SN-02: a session that ends with the browser does not survive a working day without use. */
const idleSeconds = ({ persistent }: Pick<Session, "persistent">) =>
  persistent ? LIFETIME.sessionIdleSeconds : LIFETIME.briefSessionIdleSeconds;

function isLive(session: Session, now: number): boolean {
  return session.revokedAt === null && session.expiresAt > now && session.absoluteExpiresAt > now;
}

/**
 * The `Set-Cookie` value of a session. SameSite is Lax, because Strict hides the cookie when a client redirects here.
 * SE-08. Unless it is persistent, the browser drops it when it is closed. SN-02.
 */
export function sessionCookie(
  secret: string,
  { persistent }: Pick<Session, "persistent">,
  config: Pick<Config, "issuer">,
): string {
  return cookie(sessionCookieName(config), secret, config, persistent ? LIFETIME.sessionAbsoluteSeconds : undefined);
}

/** The `Set-Cookie` value that deletes the session cookie. */
export function clearSessionCookie(config: Pick<Config, "issuer">): string {
  return cookie(sessionCookieName(config), "", config, 0);
}

/** The name of the session cookie. */
export function sessionCookieName({ issuer }: Pick<Config, "issuer">): string {
  return cookieName("session", { issuer });
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
