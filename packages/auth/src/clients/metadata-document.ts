import { callerKey } from "@gatehouse/net";
import { sha256 } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { registrationRules } from "../endpoints/register.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import { type FetchDocument, type FetchedDocument, isOutboundUrl, OutboundError } from "../outbound/outbound.ts";
import type { SelfDescribedClient } from "../store/registrations.ts";
import { blockedClient, blockKeysOf } from "./block.ts";
import type { Client } from "./client.ts";
import { readClientMetadata } from "./metadata.ts";

// Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): the client id is the URL of the client's metadata. MC-04.

const LIMITS = { maxBytes: 5 * 1024, timeoutMs: 5000, accept: ["application/json", "+json"] };
/** How long a document is cached: at least, at most, and without caching headers. §5.2. */
const MIN_CACHE_SECONDS = 60;
const MAX_CACHE_SECONDS = 86_400;
const DEFAULT_CACHE_SECONDS = 3600;
const MAX_CACHED = 10_000;

/** When each document expires, in Unix seconds. Per fetch function, so that tests do not share a cache. */
const freshUntil = new WeakMap<FetchDocument, Map<string, number>>();

/** Is this client id a URL? Other client ids never are. CI-09. */
export function isUrlClientId(clientId: string): boolean {
  return /^https?:\/\//i.test(clientId);
}

/**
 * Updates the stored client from its metadata document, unless the cached document is still fresh. Throws errors for our own page,
 * with 400 (CI-07). Call it for signed-in users only.
 */
export async function loadDocumentClient(clientId: string, deps: Deps, caller: Caller): Promise<void> {
  const { fetchDocument } = deps;
  if (!deps.config.clientMetadataDocuments || !fetchDocument)
    throw documentError("client_unknown", "client metadata documents are disabled");
  const known = await deps.store.findClient(clientId);
  if (known?.enabled === false) return; // the next check reports it
  const fresh = freshUntil.get(fetchDocument) ?? new Map<string, number>();
  freshUntil.set(fetchDocument, fresh);
  if (known && deps.now() < (fresh.get(clientId) ?? 0)) return;

  requireDocumentUrl(clientId, deps);
  // The sweeper may have deleted the client; it stays blocked.
  if (await deps.store.isBlocked(blockKeysOf({ clientId, options: {} }), deps.now())) throw blockedClient(400);
  await requireQuota(deps, caller);
  fresh.set(clientId, deps.now() + (await saveFetched(clientId, fetchDocument, deps)));
  if (fresh.size > MAX_CACHED) fresh.clear();
}

/** Fetches and stores the document. Returns for how many seconds it is fresh. */
async function saveFetched(clientId: string, fetchDocument: FetchDocument, deps: Deps): Promise<number> {
  const document = await fetchMetadata(clientId, fetchDocument);
  await deps.store.saveDocumentClient(await readDocument(clientId, document, deps), deps.now());
  return cacheSeconds(document);
}

/** Fetches the document of a known client, fresh or not. Returns what is wrong with it; undefined if it is stored. CO-61. */
export async function refetchDocument(clientId: string, deps: Deps): Promise<string | undefined> {
  const { fetchDocument } = deps;
  if (!deps.config.clientMetadataDocuments || !fetchDocument) return "client metadata documents are disabled";
  try {
    requireDocumentUrl(clientId, deps);
    await saveFetched(clientId, fetchDocument, deps);
  } catch (thrown) {
    if (thrown instanceof OAuthError) return thrown.message;
    throw thrown;
  }
  return undefined;
}

/** §3: an absolute https URL with a path, without fragment, credentials and dot segments. Checked as written, not as parsed. CI-01. */
function requireDocumentUrl(clientId: string, { config }: Pick<Deps, "config">): void {
  const [, path] = /^https?:\/\/[^/?#]+(\/[^?#]*)/.exec(clientId) ?? [];
  const dotted = path !== undefined && /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
  const allowed = isOutboundUrl(clientId, { allowLoopback: config.issuer.startsWith("http:") });
  if (!allowed || path === undefined || dotted || clientId.includes("#")) {
    throw documentError("client_document_invalid", "the client_id is not an allowed URL for a metadata document");
  }
}

async function requireQuota({ quota }: Pick<Deps, "quota">, caller: Caller): Promise<void> {
  const waitSeconds = (await quota?.("client document", callerKey(caller))) ?? 0;
  if (waitSeconds === 0) return;
  throw new OAuthError("temporarily_unavailable", "rate_limited", "too many metadata documents fetched for this address", {
    description: "Too many new applications from your network. Try again later.",
    status: 429,
    headers: { "Retry-After": String(waitSeconds) },
  });
}

async function fetchMetadata(clientId: string, fetchDocument: FetchDocument): Promise<FetchedDocument> {
  try {
    return await fetchDocument(clientId, LIMITS);
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) throw thrown;
    throw documentError("client_document_unavailable", `${thrown.problem}: ${thrown.message}`);
  }
}

/** §4, §4.1: the document must name its own URL as client_id and must not contain secrets. CI-02, CI-03. */
async function readDocument(clientId: string, { text }: FetchedDocument, deps: Deps): Promise<SelfDescribedClient> {
  const invalid = (message: string) => documentError("client_document_invalid", message);
  const members = parseObject(text);
  if (!members) throw invalid("the document is not a JSON object");
  if (members["client_id"] !== clientId) throw invalid("client_id in the document is not its URL");
  if ("client_secret" in members || "client_secret_expires_at" in members) throw invalid("the document has a client_secret");
  if (typeof members["client_name"] !== "string" || members["client_name"].trim() === "") throw invalid("client_name is missing");
  const method = members["token_endpoint_auth_method"] ?? "none";
  if (method !== "none" && method !== "private_key_jwt") throw invalid("token_endpoint_auth_method must be none or private_key_jwt");
  try {
    const given = { ...members, token_endpoint_auth_method: method, grant_types: grantsOf(members), response_types: ["code"] };
    const { name, settings } = readClientMetadata(given, await registrationRules(deps));
    const where = clientId.replace(/^https?:\/\//i, "");
    return { ...settings, clientId, applicationId: sha256(clientId).slice(0, 22), applicationName: `${name} (${where})` };
  } catch (thrown) {
    throw thrown instanceof OAuthError ? invalid(thrown.message) : thrown;
  }
}

/** The document describes the client to every server; keep the grants that we support for it. */
function grantsOf({ grant_types: sent }: Record<string, unknown>): string[] {
  const others = Array.isArray(sent) && sent.includes("refresh_token") ? ["refresh_token"] : [];
  return ["authorization_code", ...others];
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** How long to cache the document. RFC 9111 §5.2, within our bounds. CI-06. */
function cacheSeconds({ headers: { cacheControl = "", age } }: FetchedDocument): number {
  const directives = cacheControl.toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(directives)) return MIN_CACHE_SECONDS;
  const maxAge = /\bmax-age="?(\d{1,9})/.exec(directives)?.[1];
  const seconds = maxAge === undefined ? DEFAULT_CACHE_SECONDS : Number(maxAge) - (Number(age) || 0);
  return Math.min(MAX_CACHE_SECONDS, Math.max(MIN_CACHE_SECONDS, seconds));
}

/** The host of a client's metadata document, for the consent page; undefined for other clients. CI-08. */
export function documentHost({ clientId, origin }: Pick<Client, "clientId" | "origin">): string | undefined {
  return origin === "metadata_document" ? new URL(clientId).host : undefined;
}

function documentError(cause: RefusalCause, message: string): OAuthError {
  const description = "We could not identify the application: its client_id does not lead to a valid client metadata document.";
  return new OAuthError("invalid_client", cause, message, { status: 400, description });
}
