import { isPublicJwk, type PublicJwk, setBounded } from "@gatehouse/guard";
import { siteKey } from "@gatehouse/runtime";
import type { Caller, Deps } from "../deps.ts";
import { type FetchDocument, type Named, OutboundError } from "../outbound/outbound.ts";
import { type Client, isSelfDescribed } from "./client.ts";
import { invalidClient } from "./credentials.ts";
import { countClientFetch, shareFetch } from "./fetch-quota.ts";

const CACHE_SECONDS = 300;
/** Minimum time between fetches of a key set when no key fits, and after a failed fetch. */
const REFETCH_SECONDS = 60;
const RETRY_SECONDS = 10;
/** For how long after its last good fetch a set counts while its server cannot be reached. */
const UNREACHABLE_SECONDS = 900;
const LIMITS = { maxBytes: 32_768, timeoutMs: 5000, accept: ["application/json", "+json"] };
const MAX_KEYS = 20;
const MAX_CACHED = 1000;

/** `readAt`: when it was last fetched with success. `problem`: what was wrong at the last attempt. */
type KeySet = { keys: PublicJwk[]; readAt: number; triedAt: number; problem: string | undefined };
type Cache = { sets: Map<string, KeySet>; running: Map<string, Promise<KeySet>> };

/**
 * Self-described clients have a cache of their own, in which each client has its own set: they cannot displace the
 * team's, nor use up another client's fetches. Per fetch function, so that tests do not share a cache.
 */
const caches = new WeakMap<FetchDocument, { team: Cache; strangers: Cache }>();
const newCache = (): Cache => ({ sets: new Map(), running: new Map() });

/**
 * Does any of the client's keys fit? When none does, fetches a published key set again, because the keys may have
 * rotated. Throws `invalid_client` when the set cannot be fetched, and 429 when `caller` caused too many fetches. RFC
 * 7523 §3, RFC 7591 §2.
 */
export async function anyKeyFits(
  client: Client,
  fits: (key: PublicJwk) => Promise<boolean>,
  deps: Deps,
  caller: Caller,
): Promise<boolean> {
  const { jwks, jwksUri } = client.options;
  if (jwksUri === undefined) return anyFits(jwks?.keys ?? [], fits);
  const { fetchDocument } = deps;
  if (!fetchDocument)
    throw invalidClient(
      "client_keys_unavailable",
      "the client publishes its keys by URL, but outbound requests are disabled",
    );

  const find = publishedKeys(client, jwksUri, fetchDocument, deps, caller);
  const cached = await find(CACHE_SECONDS);
  if (await anyFits(cached.keys, fits)) return true;
  const refetched = await find(cached.problem === undefined ? REFETCH_SECONDS : RETRY_SECONDS);
  if (refetched.problem !== undefined) throw invalidClient("client_keys_unavailable", `jwks_uri: ${refetched.problem}`);
  return anyFits(refetched.keys, fits);
}

async function anyFits(keys: readonly PublicJwk[], fits: (key: PublicJwk) => Promise<boolean>): Promise<boolean> {
  for (const key of keys) if (await fits(key)) return true;
  return false;
}

/**
 * Returns the function that finds the key set, tried less than `maxAge` seconds ago. Concurrent callers share one
 * fetch.
 */
function publishedKeys(client: Client, uri: string, fetchDocument: FetchDocument, deps: Deps, caller: Caller) {
  const { team, strangers } = caches.get(fetchDocument) ?? { team: newCache(), strangers: newCache() };
  caches.set(fetchDocument, { team, strangers });
  const stranger = isSelfDescribed(client);
  const { sets, running } = stranger ? strangers : team;
  const key = stranger ? `${client.clientId} ${uri}` : uri;

  async function fetchAgain(): Promise<KeySet> {
    if (stranger) await countClientFetch(uri, caller, deps);
    const named: Named = { namedBy: stranger ? "stranger" : "team", asker: siteKey(caller) };
    const set = await fetchKeys(sets.get(key), (limits) => fetchDocument(uri, { ...limits, ...named }), deps.now());
    setBounded(sets, key, set, MAX_CACHED);
    return set;
  }

  return async (maxAge: number): Promise<KeySet> => {
    const known = sets.get(key);
    const age = known?.problem === undefined ? maxAge : Math.min(maxAge, REFETCH_SECONDS);
    if (!known || deps.now() - known.triedAt >= age) return shareFetch(running, key, fetchAgain);
    if (stranger) setBounded(sets, key, known, MAX_CACHED); // used, so the last to be displaced
    return known;
  };
}

/** CI-06: a set that is gone or wrong ends at once; one whose server cannot be reached counts for a while. */
async function fetchKeys(
  before: KeySet | undefined,
  fetch: (limits: typeof LIMITS) => ReturnType<FetchDocument>,
  now: number,
): Promise<KeySet> {
  const failed = (problem: string, transient = false): KeySet => {
    const remains = transient && before !== undefined && now - before.readAt < UNREACHABLE_SECONDS;
    return { keys: remains ? before.keys : [], readAt: before?.readAt ?? 0, triedAt: now, problem };
  };
  try {
    const { text } = await fetch(LIMITS);
    const keys = readJwks(JSON.parse(text));
    return keys ? { keys, readAt: now, triedAt: now, problem: undefined } : failed("not a set of public keys");
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) return failed("not JSON");
    return failed(`${thrown.problem}: ${thrown.message}`, thrown.transient);
  }
}

/** The keys of a JWK set, RFC 7517 §5; undefined for anything else, or when a key is not public (DC-05, CI-03). */
export function readJwks(value: unknown): PublicJwk[] | undefined {
  if (typeof value !== "object" || value === null || !("keys" in value) || !Array.isArray(value.keys)) return undefined;
  if (value.keys.length === 0 || value.keys.length > MAX_KEYS) return undefined;
  return value.keys.every(isPublicJwk) ? value.keys : undefined;
}
