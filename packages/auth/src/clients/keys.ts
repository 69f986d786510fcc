import { isPublicJwk } from "../crypto/jwt.ts";
import type { Deps } from "../deps.ts";
import { type FetchDocument, OutboundError } from "../outbound/outbound.ts";
import type { Client } from "./client.ts";
import { invalidClient } from "./credentials.ts";
import type { PublicJwk } from "./options.ts";

const CACHE_SECONDS = 300;
/** Minimum time between fetches of a key set when no key fits, and after a failed fetch. */
const REFETCH_SECONDS = 60;
const RETRY_SECONDS = 10;
const LIMITS = { maxBytes: 32_768, timeoutMs: 5000, accept: ["application/json", "+json"] };
const MAX_KEYS = 20;
const MAX_CACHED = 1000;

type KeySet = { keys: PublicJwk[]; problem: string | undefined };
type CachedSet = { set: Promise<KeySet>; fetchedAt: number };

/** By URL. Per fetch function, so that tests do not share a cache. */
const caches = new WeakMap<FetchDocument, Map<string, CachedSet>>();

/**
 * Does any of the client's keys fit? When none does, fetches a published key set again, because the keys may have rotated. Throws
 * `invalid_client` when the set cannot be fetched. RFC 7523 §3, RFC 7591 §2.
 */
export async function anyKeyFits(client: Client, fits: (key: PublicJwk) => Promise<boolean>, deps: Deps): Promise<boolean> {
  const { jwks, jwksUri } = client.options;
  if (jwksUri === undefined) return anyFits(jwks?.keys ?? [], fits);
  const { fetchDocument } = deps;
  if (!fetchDocument)
    throw invalidClient("client_keys_unavailable", "the client publishes its keys by URL, but outbound requests are disabled");

  const now = deps.now();
  const cached = await cachedKeys(jwksUri, CACHE_SECONDS, fetchDocument, now);
  if (await anyFits(cached.keys, fits)) return true;
  const refetched = await cachedKeys(jwksUri, cached.problem === undefined ? REFETCH_SECONDS : RETRY_SECONDS, fetchDocument, now);
  if (refetched.problem !== undefined) throw invalidClient("client_keys_unavailable", `jwks_uri: ${refetched.problem}`);
  return anyFits(refetched.keys, fits);
}

async function anyFits(keys: readonly PublicJwk[], fits: (key: PublicJwk) => Promise<boolean>): Promise<boolean> {
  for (const key of keys) if (await fits(key)) return true;
  return false;
}

/** The key set, fetched less than `maxAge` seconds ago. Concurrent callers share one fetch. */
function cachedKeys(uri: string, maxAge: number, fetchDocument: FetchDocument, now: number): Promise<KeySet> {
  const sets = caches.get(fetchDocument) ?? new Map<string, CachedSet>();
  caches.set(fetchDocument, sets);
  const known = sets.get(uri);
  if (known && now - known.fetchedAt < maxAge) return known.set;
  if (sets.size >= MAX_CACHED) sets.clear();
  const set = fetchKeys(uri, fetchDocument);
  sets.set(uri, { set, fetchedAt: now });
  return set;
}

async function fetchKeys(uri: string, fetchDocument: FetchDocument): Promise<KeySet> {
  try {
    const { text } = await fetchDocument(uri, LIMITS);
    const keys = readJwks(JSON.parse(text));
    return { keys: keys ?? [], problem: keys ? undefined : "not a set of public keys" };
  } catch (thrown) {
    const problem = thrown instanceof OutboundError ? `${thrown.problem}: ${thrown.message}` : "not JSON";
    return { keys: [], problem };
  }
}

/** The keys of a JWK set, RFC 7517 §5; undefined for anything else, or when a key is not public (DC-05, CI-03). */
export function readJwks(value: unknown): PublicJwk[] | undefined {
  if (typeof value !== "object" || value === null || !("keys" in value) || !Array.isArray(value.keys)) return undefined;
  if (value.keys.length === 0 || value.keys.length > MAX_KEYS) return undefined;
  return value.keys.every(isPublicJwk) ? value.keys : undefined;
}
