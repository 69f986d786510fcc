import type { JWTVerifyGetKey } from "jose";
import type { AuthorizationServer } from "oauth4webapi";
import type { Renewal, Status } from "./session/outcomes.ts";
import type { ServerSettings } from "./settings.ts";

/** The Gatehouse server, and what this process knows of it. */
export type Server = { settings: ServerSettings; state: ProcessState };

/** An exchange of a refresh token, the access token that it led to, and until when it is shared. */
export type Renewing = { result: Promise<Renewal>; accessToken: string | undefined; until: number };

/** What the requests of one process share. Times in milliseconds. */
export type ProcessState = {
  metadata: { pending: Promise<AuthorizationServer>; at: number } | undefined;
  keys: {
    jwks: JWTVerifyGetKey | undefined;
    fetchedAt: number;
    triedAt: number | undefined;
    pending: Promise<void> | undefined;
  };
  /** By refresh token. */
  renewals: Map<string, Renewing>;
  /** By access token: the last question about it, and when it was asked. */
  checks: Map<string, { result: Promise<Status>; at: number }>;
  /** `sid`s and session ids that ended, until when they are kept. */
  ended: Map<string, number>;
  /** The `state` of callbacks and the `jti` of logout tokens that were used, until when they are kept. */
  spent: Map<string, number>;
  /** By access token: what the server said of it, and until when that counts. */
  tokens: Map<string, { claims: Readonly<Record<string, unknown>>; until: number }>;
  /** The DPoP proofs that were used, until when they are kept, in Unix seconds. */
  proofs: Map<string, number>;
  /** When the server last did not answer; undefined once it has. */
  downAt: number | undefined;
};

// Next loads the proxy, pages and handlers as separate bundles of one process, so what they share is on the global object.
const SHARED = Symbol.for("gatehouse.sdk.1");
type Global = typeof globalThis & { [SHARED]?: Map<string, ProcessState> };

/** The state that this client's requests share in this process. */
export function sharedState({ issuer, clientId }: Pick<ServerSettings, "issuer" | "clientId">): ProcessState {
  const scope: Global = globalThis;
  scope[SHARED] ??= new Map();
  const key = `${issuer} ${clientId}`;
  const known = scope[SHARED].get(key);
  if (known) return known;
  const state = emptyState();
  scope[SHARED].set(key, state);
  return state;
}

/** The state of a process that has just started. */
function emptyState(): ProcessState {
  return {
    metadata: undefined,
    keys: { jwks: undefined, fetchedAt: 0, triedAt: undefined, pending: undefined },
    renewals: new Map(),
    checks: new Map(),
    ended: new Map(),
    spent: new Map(),
    tokens: new Map(),
    proofs: new Map(),
    downAt: undefined,
  };
}

/** Is a time less than `spanMs` ago? Not if it is in the future, since a clock that was set back must not freeze checks. */
export function isWithin(at: number | undefined, spanMs: number, now: number): boolean {
  return at !== undefined && now >= at && now - at < spanMs;
}

/** More than any process needs at a time; beyond it the oldest entries go. */
const MAX_ENTRIES = 20_000;

/** Adds an entry, and removes the oldest ones from a map that is full. */
export function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key); // the map is in the order of the last write
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MAX_ENTRIES) return;
    map.delete(oldest);
  }
}

/** Keeps a name until a time, and forgets those whose time is over. */
export function keepUntil(map: Map<string, number>, key: string, until: number, now: number): void {
  keep(map, key, until);
  for (const [oldest, end] of map) {
    if (end > now) return;
    map.delete(oldest);
  }
}

/** Is the name kept? */
export function isKept(map: Map<string, number>, key: string, now: number): boolean {
  return (map.get(key) ?? 0) > now;
}
