import type { Caller, Deps } from "./deps.ts";
import { OAuthError, type OAuthErrorCode } from "./error.ts";
import { CORS } from "./http.ts";
import { resourceMetadataUrl } from "./published.ts";
import type { RefusalCause, RefusalDetail } from "./refusal.ts";
import { refuse } from "./refuse.ts";
import { isSubsetScope } from "./scope.ts";
import { PREFIX, sha256 } from "./secret.ts";
import { fallen } from "./standing.ts";
import type { AccessToken, TokenUser } from "./store.ts";

/** What a route demands of the token: every scope named, and the resource it was issued for (ours, unless said). */
export type BearerDemand = { scope: string | readonly string[]; audience?: string };
export type BearerToken = AccessToken & { user: TokenUser };
export type BearerResult = { ok: true; token: BearerToken } | { ok: false; response: Response };

/** What answers to a bearer request carry besides: personal, so never cached. BR-11. */
export const BEARER_HEADERS = { ...CORS, "Cache-Control": "no-store", Vary: "Authorization" } as const;

const BEARER = /^bearer(?: +(.*))?$/i;
/** OAuth 2.1 §5.1.1. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The access token of a request, from the `Authorization` header and nowhere else, checked anew each time: known, live,
 * for this resource, with every scope. Otherwise a ready 400, 401 or 403 with its challenge. OAuth 2.1 §5.1–§5.3, BR-01…BR-14.
 */
export async function requireBearer(request: Request, demand: BearerDemand, deps: Deps, caller: Caller): Promise<BearerResult> {
  const scope = typeof demand.scope === "string" ? demand.scope : demand.scope.join(" ");
  let found: BearerToken | undefined;
  try {
    const secret = readBearer(request.headers.get("authorization"));
    found = await findLive(secret, demand.audience ?? deps.config.resource, deps);
    if (!isSubsetScope(scope, found.scope)) throw insufficientScope(scope, found.scope);
    return { ok: true, token: found };
  } catch (thrown) {
    const headers = { ...BEARER_HEADERS, ...challenge(thrown, scope, deps) };
    const at = { endpoint: new URL(request.url).pathname.slice(0, 200), clientId: found?.clientId ?? null };
    return { ok: false, response: await refuse(thrown, at, deps, caller, headers) };
  }
}

function readBearer(header: string | null): string {
  // A client that names two tokens leaves open which one counts; `Headers` joins repeated fields with a comma. BR-07.
  if (header?.includes(",")) {
    const description = "Send one Authorization header.";
    throw new OAuthError("invalid_request", "authorization_repeated", description, { description });
  }
  const token = BEARER.exec(header ?? "")?.[1];
  if (token === undefined || token === "") {
    throw new OAuthError("invalid_token", "token_missing", "no bearer token", { description: "Send an access token as a bearer token." });
  }
  if (!B64TOKEN.test(token)) throw deadToken("token_malformed", "not the syntax of a bearer token");
  return token;
}

async function findLive(secret: string, audience: string, { store, now }: Pick<Deps, "store" | "now">): Promise<BearerToken> {
  const token = secret.startsWith(PREFIX.accessToken) ? await store.findAccessToken(sha256(secret)) : undefined;
  if (!token) throw deadToken("token_unknown", unknownBecause(secret));
  const of = { clientId: token.clientId, tokenId: token.id };
  if (token.revokedAt !== null) throw deadToken("token_revoked", "the token was revoked", of);
  const cause = fallen(token);
  if (cause) throw deadToken(cause, `what the token was issued for has ended: ${cause.replaceAll("_", " ")}`, of);
  const expiredBySeconds = now() - token.expiresAt;
  if (expiredBySeconds >= 0) throw deadToken("token_expired", "the token has expired", { ...of, expiredBySeconds });
  if (token.audience !== audience) {
    throw deadToken("token_wrong_audience", "issued for another resource", { ...of, audience: token.audience });
  }
  return token;
}

/** BR-10: the commonest mistake is another of our own secrets in the wrong place. */
function unknownBecause(secret: string): string {
  const kind = Object.entries(PREFIX).find(([, prefix]) => secret.startsWith(prefix))?.[0];
  return kind === undefined || kind === "accessToken" ? "no such access token" : `not an access token but a secret of kind ${kind}`;
}

function deadToken(reason: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  const description = "The access token is malformed, unknown, expired, revoked or meant for another resource.";
  return new OAuthError("invalid_token", reason, message, { description, detail });
}

function insufficientScope(needed: string, held: string): OAuthError {
  const description = `This needs the scope ${needed}.`;
  return new OAuthError("insufficient_scope", "scope_insufficient", description, { description, detail: { needed, held } });
}

const CHALLENGED: ReadonlySet<OAuthErrorCode> = new Set(["invalid_token", "insufficient_scope", "invalid_request"]);

/** OAuth 2.1 §5.3.1, RFC 9728 §5.1: `error` only when a token was sent (BR-04), and the way to the metadata always. */
function challenge(thrown: unknown, scope: string, { config }: Pick<Deps, "config">): Record<string, string> {
  if (!(thrown instanceof OAuthError) || !CHALLENGED.has(thrown.code)) return {};
  const attributes = ['realm="gatehouse"'];
  if (thrown.reason !== "token_missing") {
    attributes.push(`error="${thrown.code}"`);
    if (thrown.description) attributes.push(`error_description="${thrown.description}"`);
  }
  if (scope !== "") attributes.push(`scope="${scope}"`);
  attributes.push(`resource_metadata="${resourceMetadataUrl(config)}"`);
  return { "WWW-Authenticate": `Bearer ${attributes.join(", ")}` };
}
