import { sha256 } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { rulesFor, speaksForAnother } from "../endpoints/register.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import { callerKey } from "../http/throttle-key.ts";
import { type FetchDocument, type FetchedDocument, isOutboundUrl, OutboundError } from "../outbound/outbound.ts";
import type { SelfDescribedClient } from "../store/registrations.ts";
import { blockedClient, blockKeysOf } from "./block.ts";
import type { Client } from "./client.ts";
import { readClientMetadata } from "./metadata.ts";

// Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): a client whose id is the URL of its metadata.

const LIMITS = { maxBytes: 5 * 1024, timeoutMs: 5000, accept: ["application/json", "+json"] };
/** Bounds of what caching headers may say, and what counts without any. §5.2. */
const SHORTEST_SECONDS = 60;
const LONGEST_SECONDS = 86_400;
const USUAL_SECONDS = 3600;
const REMEMBERED = 10_000;

/** When each document is to be fetched again, by the way out it was fetched through. */
const freshUntil = new WeakMap<FetchDocument, Map<string, number>>();

/** Is this an id of the kind that is a URL? No id that we issue or let be chosen is. CI-09. */
export function isUrlClientId(clientId: string): boolean {
  return /^https?:\/\//i.test(clientId);
}

/**
 * Sees to it that the client of this id is in the store as its document describes it, fetched anew when the last reading has
 * had its time. Throws what is shown on our own page: 400, never a redirect (CI-07). Call it for signed-in users only.
 */
export async function loadDocumentClient(clientId: string, deps: Deps, caller: Caller): Promise<void> {
  const { fetchDocument } = deps;
  if (!deps.config.clientMetadataDocuments || !fetchDocument)
    throw unusable("client_unknown", "client metadata documents are switched off");
  const known = await deps.store.findClient(clientId);
  if (known?.enabled === false) return; // the next check says so
  const fresh = freshUntil.get(fetchDocument) ?? new Map<string, number>();
  freshUntil.set(fetchDocument, fresh);
  if (known && deps.now() < (fresh.get(clientId) ?? 0)) return;

  requireDocumentUrl(clientId, deps);
  // The sweeper may have deleted the client since; what was blocked stays blocked.
  if (await deps.store.isBlocked(blockKeysOf({ clientId, options: {} }), deps.now())) throw blockedClient(400);
  await requireQuota(deps, caller);
  const document = await fetchIt(clientId, fetchDocument);
  const client = await readDocument(clientId, document, deps);
  await deps.store.saveDocumentClient(client, known !== undefined && speaksForAnother(known, client), deps.now());
  if (fresh.size >= REMEMBERED) fresh.clear();
  fresh.set(clientId, deps.now() + lifetimeOf(document));
}

/** §3: an absolute https URL with a path, without fragment, credentials and dot segments; compared as it is written. CI-01. */
function requireDocumentUrl(clientId: string, { config }: Pick<Deps, "config">): void {
  const [, path] = /^https?:\/\/[^/?#]+(\/[^?#]*)/.exec(clientId) ?? [];
  const dotted = path !== undefined && /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
  const allowed = isOutboundUrl(clientId, { allowLoopback: config.issuer.startsWith("http:") });
  if (!allowed || path === undefined || dotted || clientId.includes("#")) {
    throw unusable("client_document_invalid", "the client_id is no URL that a metadata document may have");
  }
}

async function requireQuota({ quota }: Pick<Deps, "quota">, caller: Caller): Promise<void> {
  const waitSeconds = (await quota?.("client document", callerKey(caller))) ?? 0;
  if (waitSeconds === 0) return;
  throw new OAuthError("temporarily_unavailable", "rate_limited", "too many documents fetched for this address", {
    description: "Too many applications were looked up from here. Try again later.",
    status: 429,
    headers: { "Retry-After": String(waitSeconds) },
  });
}

async function fetchIt(clientId: string, fetchDocument: FetchDocument): Promise<FetchedDocument> {
  try {
    return await fetchDocument(clientId, LIMITS);
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) throw thrown;
    throw unusable("client_document_unavailable", `${thrown.problem}: ${thrown.message}`);
  }
}

/** §4, §4.1: it has to be about this very URL, and to hold nothing that would have to stay secret. CI-02, CI-03. */
async function readDocument(clientId: string, { text }: FetchedDocument, deps: Deps): Promise<SelfDescribedClient> {
  const invalid = (message: string) => unusable("client_document_invalid", message);
  const members = parseObject(text);
  if (!members) throw invalid("the document is not a JSON object");
  if (members["client_id"] !== clientId) throw invalid("client_id in the document is not its URL");
  if ("client_secret" in members || "client_secret_expires_at" in members) throw invalid("the document has a client_secret");
  if (typeof members["client_name"] !== "string" || members["client_name"].trim() === "") throw invalid("client_name is missing");
  const method = members["token_endpoint_auth_method"] ?? "none";
  if (method !== "none" && method !== "private_key_jwt") throw invalid("token_endpoint_auth_method must be none or private_key_jwt");
  try {
    const given = { ...members, token_endpoint_auth_method: method, grant_types: grantsOf(members), response_types: ["code"] };
    const { name, settings } = readClientMetadata(given, await rulesFor(deps));
    const where = clientId.replace(/^https?:\/\//i, "");
    return { ...settings, clientId, applicationId: sha256(clientId).slice(0, 22), applicationName: `${name} (${where})` };
  } catch (thrown) {
    throw thrown instanceof OAuthError ? invalid(thrown.message) : thrown;
  }
}

/** The document is for every server there is: of its grants, those count that we have for it. */
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

/** RFC 9111 §5.2, as far as one reader with bounds of its own needs it. CI-06. */
function lifetimeOf({ headers: { cacheControl = "", age } }: FetchedDocument): number {
  const directives = cacheControl.toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(directives)) return SHORTEST_SECONDS;
  const maxAge = /\bmax-age="?(\d{1,9})/.exec(directives)?.[1];
  const seconds = maxAge === undefined ? USUAL_SECONDS : Number(maxAge) - (Number(age) || 0);
  return Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, seconds));
}

/** The host that a URL of an id names; undefined for other ids. For the consent page: CI-08. */
export function documentHost({ clientId, origin }: Pick<Client, "clientId" | "origin">): string | undefined {
  return origin === "metadata_document" ? new URL(clientId).host : undefined;
}

function unusable(cause: RefusalCause, message: string): OAuthError {
  const description = "The application could not be recognised: its client_id does not lead to a description of it that we can use.";
  return new OAuthError("invalid_client", cause, message, { status: 400, description });
}
