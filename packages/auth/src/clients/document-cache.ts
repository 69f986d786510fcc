import { isDeepStrictEqual } from "node:util";
import { setBounded } from "@gatehouse/guard";
import { callerKey, siteKey } from "@gatehouse/runtime";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { type FetchDocument, OutboundError } from "../outbound/outbound.ts";
import type { SelfDescribedClient } from "../store/registrations.ts";
import { blockedClient, blockKeysOf } from "./block.ts";
import type { Client } from "./client.ts";
import { invalidClient } from "./credentials.ts";
import { countClientFetch, shareFetch } from "./fetch-quota.ts";
import { documentError, readDocumentAt, requireDocumentUrl } from "./metadata-document.ts";

/** Minimum time between fetches of a document that could not be read. */
const RETRY_SECONDS = 10;
/**
 * For how long a client that we know counts after its document has expired, while the document's server cannot be
 * reached.
 */
const UNREACHABLE_SECONDS = 600;
const MAX_CACHED = 10_000;

/**
 * What this process knows of a document, in Unix seconds. `problem`: what was wrong at the last attempt, and since
 * when.
 */
type Reading = { freshUntil: number; triedAt: number; problem?: { error: OAuthError; since: number } };
type Cache = { readings: Map<string, Reading>; running: Map<string, Promise<Reading>> };

/** Per fetch function, so that tests do not share a cache. */
const caches = new WeakMap<FetchDocument, Cache>();

function cacheOf(fetchDocument: FetchDocument): Cache {
  const cache = caches.get(fetchDocument) ?? { readings: new Map(), running: new Map() };
  caches.set(fetchDocument, cache);
  return cache;
}

/** The function that fetches documents. Throws while metadata documents are disabled. CI-09. */
function requireFetch({ config, fetchDocument }: Deps): FetchDocument {
  if (config.clientMetadataDocuments && fetchDocument) return fetchDocument;
  throw documentError("client_unknown", "client metadata documents are disabled");
}

/**
 * Updates the stored client from its metadata document, unless the cached document is still fresh. Throws errors for
 * our own page, with 400 (CI-07). Call it for signed-in users only.
 */
export async function loadDocumentClient(clientId: string, deps: Deps, caller: Caller): Promise<void> {
  const fetchDocument = requireFetch(deps);
  const known = await deps.store.findClient(clientId);
  if (known?.enabled === false) return; // the next check reports it
  if (known && deps.now() < (cacheOf(fetchDocument).readings.get(clientId)?.freshUntil ?? 0)) return;

  requireDocumentUrl(clientId, deps);
  // The sweeper may have deleted the client; it stays blocked.
  if (await deps.store.isBlocked(blockKeysOf({ clientId, options: {} }), deps.now())) throw blockedClient(400);
  await requireQuota(deps, caller);
  await countClientFetch(clientId, caller, deps);
  await saveFetched(clientId, known, siteKey(caller), deps);
}

/**
 * The client as its metadata document describes it now; any other client as it is. Fetches a document that is stale: a
 * key that was removed from it, or a document that is gone, stops working when the cached one expires. Only a document
 * whose server cannot be reached counts for ten minutes more. Throws `invalid_client`, and 429 when `caller` caused too
 * many fetches. CI-06.
 */
export async function currentClient(client: Client, deps: Deps, caller: Caller): Promise<Client> {
  if (client.origin !== "metadata_document" || !client.enabled) return client;
  try {
    const { readings, running } = cacheOf(requireFetch(deps));
    const known = readings.get(client.clientId);
    if (known && deps.now() < known.freshUntil) return client;
    const waits = known && deps.now() - known.triedAt < RETRY_SECONDS;
    const reading = waits ? known : await shareFetch(running, client.clientId, () => readAgain(client, deps, caller));
    if (reading.problem && deps.now() - reading.problem.since >= UNREACHABLE_SECONDS) throw reading.problem.error;
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || thrown.code !== "invalid_client") throw thrown;
    throw invalidClient(thrown.refusalCause, thrown.message);
  }
  return (await deps.store.findClient(client.clientId)) ?? client;
}

async function readAgain(client: Client, deps: Deps, caller: Caller): Promise<Reading> {
  const { clientId } = client;
  await countClientFetch(clientId, caller, deps);
  try {
    return await saveFetched(clientId, client, siteKey(caller), deps);
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown;
    const { readings } = cacheOf(requireFetch(deps));
    const now = deps.now();
    const passes = thrown.cause instanceof OutboundError && thrown.cause.transient;
    const since = passes ? (readings.get(clientId)?.problem?.since ?? now) : now - UNREACHABLE_SECONDS;
    const reading = { freshUntil: 0, triedAt: now, problem: { error: thrown, since } };
    setBounded(readings, clientId, reading, MAX_CACHED);
    return reading;
  }
}

/** Fetches a document, stores what changed, and caches that it is fresh. */
async function saveFetched(clientId: string, known: Client | undefined, asker: string, deps: Deps): Promise<Reading> {
  const fetchDocument = requireFetch(deps);
  const { client, freshSeconds } = await readDocumentAt(clientId, asker, fetchDocument, deps);
  const now = deps.now();
  if (!known || !isAsStored(known, client)) await deps.store.saveDocumentClient(client, now);
  const reading = { freshUntil: now + freshSeconds, triedAt: now };
  setBounded(cacheOf(fetchDocument).readings, clientId, reading, MAX_CACHED);
  return reading;
}

/** A write would make every process read its cached clients again. */
function isAsStored(known: Client, read: SelfDescribedClient): boolean {
  return isDeepStrictEqual({ ...known, ...read }, known);
}

/**
 * Fetches the document of a known client, fresh or not. Returns what is wrong with it; undefined if it is stored.
 * CO-61.
 */
export async function refetchDocument(clientId: string, deps: Deps): Promise<string | undefined> {
  try {
    requireDocumentUrl(clientId, deps);
    await saveFetched(clientId, await deps.store.findClient(clientId), "console", deps);
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown;
    expire(clientId, deps);
    return thrown.message;
  }
  return undefined;
}

/** The client is checked again at its next request. */
function expire(clientId: string, { fetchDocument }: Deps): void {
  const readings = fetchDocument && cacheOf(fetchDocument).readings;
  const known = readings?.get(clientId);
  if (known) readings?.set(clientId, { ...known, freshUntil: 0, triedAt: 0 });
}

async function requireQuota({ quota }: Pick<Deps, "quota">, caller: Caller): Promise<void> {
  const waitSeconds = (await quota?.("client document", callerKey(caller))) ?? 0;
  if (waitSeconds === 0) return;
  throw new OAuthError(
    "temporarily_unavailable",
    "rate_limited",
    "too many metadata documents fetched for this address",
    {
      description: "Too many new applications from your network. Try again later.",
      status: 429,
      headers: { "Retry-After": String(waitSeconds) },
    },
  );
}
