import { MAX_URL_LENGTH } from "@gatehouse/runtime";
import { sha256 } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import { type FetchDocument, type FetchedDocument, isOutboundUrl, OutboundError } from "../outbound/outbound.ts";
import type { SelfDescribedClient } from "../store/registrations.ts";
import type { Client } from "./client.ts";
import { readClientMetadata } from "./metadata.ts";
import { registrationRules } from "./registration-rules.ts";

// Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): the client id is the URL of the client's
// metadata. MC-04.

const LIMITS = { maxBytes: 5 * 1024, timeoutMs: 5000, accept: ["application/json", "+json"] };
/** How long a document is cached: at least, at most, and without caching headers. Client ID Metadata Documents §5.2. */
const MIN_CACHE_SECONDS = 60;
const MAX_CACHE_SECONDS = 86_400;
const DEFAULT_CACHE_SECONDS = 3600;

/** Is this client id a URL? Other client ids never are. CI-09. */
export function isUrlClientId(clientId: string): boolean {
  return clientId.length <= MAX_URL_LENGTH && /^https?:\/\//i.test(clientId);
}

/** A document that was read: the client that it describes, and for how many seconds it is fresh. */
export type ReadDocument = { client: SelfDescribedClient; freshSeconds: number };

/**
 * Fetches and reads the document at a client id. Throws errors for our own page, with 400 (CI-07); the cause of one
 * that may pass is a transient `OutboundError`.
 */
export async function readDocumentAt(
  clientId: string,
  asker: string,
  fetchDocument: FetchDocument,
  deps: Deps,
): Promise<ReadDocument> {
  const document = await fetchMetadata(clientId, asker, fetchDocument);
  return { client: await readDocument(clientId, document, deps), freshSeconds: cacheSeconds(document) };
}

/**
 * Client ID Metadata Documents §3: an absolute https URL with a path, without fragment, credentials and dot segments.
 * Checked as written, not as parsed. CI-01.
 */
export function requireDocumentUrl(clientId: string, { config }: Pick<Deps, "config">): void {
  const [, path] = /^https?:\/\/[^/?#]+(\/[^?#]*)/.exec(clientId) ?? [];
  const dotted = path !== undefined && /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
  const allowed = isOutboundUrl(clientId, { allowLoopback: config.issuer.startsWith("http:") });
  if (!allowed || path === undefined || dotted || clientId.includes("#")) {
    throw documentError("client_document_invalid", "the client_id is not an allowed URL for a metadata document");
  }
}

async function fetchMetadata(clientId: string, asker: string, fetchDocument: FetchDocument): Promise<FetchedDocument> {
  try {
    return await fetchDocument(clientId, { ...LIMITS, namedBy: "stranger", asker });
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) throw thrown;
    throw documentError("client_document_unavailable", `${thrown.problem}: ${thrown.message}`, thrown);
  }
}

/** CF-14: no private schemes, and nothing is dropped, since nobody would tell the client. */
const OF_DOCUMENTS = { privateSchemes: [], dropRefused: false };

/**
 * Client ID Metadata Documents §4, §4.1: the document must name its own URL as client_id and must not contain secrets.
 * CI-02, CI-03.
 */
async function readDocument(clientId: string, { text }: FetchedDocument, deps: Deps): Promise<SelfDescribedClient> {
  const invalid = (message: string) => documentError("client_document_invalid", message);
  const members = parseObject(text);
  if (!members) throw invalid("the document is not a JSON object");
  if (members["client_id"] !== clientId) throw invalid("client_id in the document is not its URL");
  if ("client_secret" in members || "client_secret_expires_at" in members)
    throw invalid("the document has a client_secret");
  if (typeof members["client_name"] !== "string" || members["client_name"].trim() === "")
    throw invalid("client_name is missing");
  const method = members["token_endpoint_auth_method"] ?? "none";
  if (method !== "none" && method !== "private_key_jwt")
    throw invalid("token_endpoint_auth_method must be none or private_key_jwt");
  try {
    const given = {
      ...members,
      token_endpoint_auth_method: method,
      grant_types: grantsOf(members),
      response_types: ["code"],
    };
    const { name, settings } = readClientMetadata(given, { ...(await registrationRules(deps)), ...OF_DOCUMENTS });
    const where = clientId.replace(/^https?:\/\//i, "");
    return {
      ...settings,
      clientId,
      applicationId: sha256(clientId).slice(0, 22),
      applicationName: `${name} (${where})`,
    };
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

/** The error for our own page. `from`: the error of the request, for the host's log. */
export function documentError(cause: RefusalCause, message: string, from?: unknown): OAuthError {
  const description =
    "We could not identify the application: its client_id does not lead to a valid client metadata document.";
  return new OAuthError("invalid_client", cause, message, { status: 400, description, cause: from });
}
