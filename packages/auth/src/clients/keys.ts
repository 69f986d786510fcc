import { isPublicJwk } from "../crypto/jwt.ts";
import type { Deps } from "../deps.ts";
import { type FetchDocument, OutboundError } from "../outbound/outbound.ts";
import type { Client } from "./client.ts";
import { invalidClient } from "./credentials.ts";
import type { PublicJwk } from "./options.ts";

const CACHE_SECONDS = 300;
/** A key set is asked for again at most so often, whoever presents unknown keys. */
const AGAIN_SECONDS = 60;
const AGAIN_AFTER_FAILURE_SECONDS = 10;
const LIMITS = { maxBytes: 32_768, timeoutMs: 5000, accept: ["application/json", "+json"] };
const MOST_KEYS = 20;
const REMEMBERED = 1000;

type KeySet = { keys: PublicJwk[]; problem: string | undefined };
type Fetched = { set: Promise<KeySet>; askedAt: number };

/** By the way out they were fetched through, so that every process, and every test, has its own. */
const fetched = new WeakMap<FetchDocument, Map<string, Fetched>>();

/**
 * Goes through the client's keys until `fits` is true of one; a published set is fetched anew when none fits, since keys
 * rotate. Throws `invalid_client` when the set cannot be had. RFC 7523 §3, RFC 7591 §2.
 */
export async function anyKeyFits(client: Client, fits: (key: PublicJwk) => Promise<boolean>, deps: Deps): Promise<boolean> {
  const { jwks, jwksUri } = client.options;
  if (jwksUri === undefined) return anyFits(jwks?.keys ?? [], fits);
  const { fetchDocument } = deps;
  if (!fetchDocument) throw invalidClient("client_keys_unavailable", "nothing is fetched here, and the client publishes its keys by URL");

  const now = deps.now();
  const known = await usable(jwksUri, CACHE_SECONDS, fetchDocument, now);
  if (await anyFits(known.keys, fits)) return true;
  const again = await usable(jwksUri, known.problem === undefined ? AGAIN_SECONDS : AGAIN_AFTER_FAILURE_SECONDS, fetchDocument, now);
  if (again.problem !== undefined) throw invalidClient("client_keys_unavailable", `jwks_uri: ${again.problem}`);
  return anyFits(again.keys, fits);
}

async function anyFits(keys: readonly PublicJwk[], fits: (key: PublicJwk) => Promise<boolean>): Promise<boolean> {
  for (const key of keys) if (await fits(key)) return true;
  return false;
}

/** The key set, fetched less than `maxAge` ago; one fetch for all who ask at once. */
function usable(uri: string, maxAge: number, fetchDocument: FetchDocument, now: number): Promise<KeySet> {
  const sets = fetched.get(fetchDocument) ?? new Map<string, Fetched>();
  fetched.set(fetchDocument, sets);
  const known = sets.get(uri);
  if (known && now - known.askedAt < maxAge) return known.set;
  if (sets.size >= REMEMBERED) sets.clear();
  const set = fetchKeys(uri, fetchDocument);
  sets.set(uri, { set, askedAt: now });
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

/** The keys of a JWK set, RFC 7517 §5; undefined for anything else, and when one of them is not public (DC-05, CI-03). */
export function readJwks(value: unknown): PublicJwk[] | undefined {
  if (typeof value !== "object" || value === null || !("keys" in value) || !Array.isArray(value.keys)) return undefined;
  if (value.keys.length === 0 || value.keys.length > MOST_KEYS) return undefined;
  return value.keys.every(isPublicJwk) ? value.keys : undefined;
}
