import { MAX_QUERY_LENGTH } from "../authorization/response.ts";
import { type Client, isSelfDescribed } from "../clients/client.ts";
import { matchPostLogoutUri, type ProvenRedirect, redirectHost, redirectTo } from "../clients/redirect-uri.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import { recordRefusal } from "../errors/refuse.ts";
import { LIFETIME } from "../lifetimes.ts";
import { type IdTokenHint, readIdTokenHint } from "../tokens/id-token.ts";
import { type ActiveSession, endSession } from "./session.ts";

const NAMES = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;
type Values = { readonly [name in (typeof NAMES)[number]]?: string };

/** Where the browser goes after logout. */
export type LogoutDestination =
  /** Our own page: the request has no proven post-logout URI. */
  | { kind: "stay" }
  | { kind: "redirect"; to: ProvenRedirect }
  /** Our own page with a link to `to`: for a self-described client, a redirect would be an open redirect. AZ-35. */
  | { kind: "leave"; to: ProvenRedirect; host: string };

/** What the logout page does next. */
export type LogoutStep =
  /** The session has ended, or there was none. */
  | { kind: "done"; after: LogoutDestination }
  /** Ask the user: nothing proves that they want this. `request` goes into the form. LO-02. */
  | { kind: "confirm"; request: string; applicationName: string | undefined };

/** The sealed content of the confirmation form. */
type PendingLogout = { clientId: string | undefined; values: Values; sessionId: string; askedAt: number };

const PURPOSE = "logout request";

/**
 * Handles a client's request to end the browser's session; `params` are the query. Without a valid hint for this
 * session the user must confirm, or any page could sign users out. A request with a fault can still sign out, after the
 * user confirmed, but returns nowhere; the fault is recorded. OpenID Connect RP-Initiated Logout §2, §3.
 */
export async function requestLogout(
  params: URLSearchParams,
  active: ActiveSession | undefined,
  deps: Deps,
  caller: Caller,
): Promise<LogoutStep> {
  const { values, hint, client, after, fault } = await readRequest(params, deps);
  if (fault) await recordRefusal(fault, { endpoint: "/logout", clientId: client?.clientId ?? null }, deps, caller);
  if (!active) return { kind: "done", after };

  const { session, user } = active;
  if (!fault && hint?.userId === user.id && (await isOfSession(hint, session.id, deps))) {
    await endSession(active, deps);
    return { kind: "done", after };
  }
  const { id_token_hint: _, ...kept } = values;
  const asked: PendingLogout = { clientId: client?.clientId, values: kept, sessionId: session.id, askedAt: deps.now() };
  const request = deps.seal.seal(PURPOSE, JSON.stringify(asked));
  return { kind: "confirm", request, applicationName: client?.enabled ? client.applicationName : undefined };
}

type LogoutRequest = {
  values: Values;
  hint: IdTokenHint | undefined;
  client: Client | undefined;
  after: LogoutDestination;
  /** Why the request is not proven, so that it returns nowhere. */
  fault?: OAuthError;
};

/** Reads a request. With a fault nothing in it is believed but the client's name, for the question. LO-02. */
async function readRequest(params: URLSearchParams, deps: Deps): Promise<LogoutRequest> {
  let client: Client | undefined;
  try {
    const values = readValues(params);
    const hint = values.id_token_hint === undefined ? undefined : await readIdTokenHint(values.id_token_hint, deps);
    if (values.id_token_hint !== undefined && !hint) {
      throw logoutError("token_malformed", "id_token_hint is not an ID token of this server.");
    }
    if (hint && values.client_id !== undefined && values.client_id !== hint.clientId) {
      throw logoutError("client_id_mismatch", "client_id is not the client that id_token_hint was issued to.");
    }
    const clientId = hint?.clientId ?? values.client_id;
    client = clientId === undefined ? undefined : await deps.store.findClient(clientId);
    return { values, hint, client, after: requireDestination(values, client) };
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || thrown.status >= 500) throw thrown;
    return { values: {}, hint: undefined, client, after: { kind: "stay" }, fault: thrown };
  }
}

/** A client keeps its ID token when the user signs in again, which replaces the session. */
async function isOfSession(
  { sessionId: sid, clientId }: IdTokenHint,
  sessionId: string,
  { store }: Pick<Deps, "store">,
): Promise<boolean> {
  return sid === sessionId || (sid !== undefined && (await store.isSidOfSession({ sessionId, clientId, sid })));
}

/**
 * The same question for the browser's current session; ends nothing. Undefined when the form is expired or altered.
 * SE-09.
 */
export async function askLogoutAgain(
  sealed: string,
  { session }: ActiveSession,
  deps: Pick<Deps, "seal" | "now" | "store">,
): Promise<Extract<LogoutStep, { kind: "confirm" }> | undefined> {
  const pending = openPending(sealed, deps);
  if (!pending) return undefined;
  const { clientId } = pending;
  const client = clientId === undefined ? undefined : await deps.store.findClient(clientId);
  const request = deps.seal.seal(PURPOSE, JSON.stringify({ ...pending, sessionId: session.id }));
  return { kind: "confirm", request, applicationName: client?.enabled ? client.applicationName : undefined };
}

function openPending(sealed: string, deps: Pick<Deps, "seal" | "now">): PendingLogout | undefined {
  const opened = deps.seal.open(PURPOSE, sealed);
  // Sealed by us, so it has this shape
  const pending: PendingLogout | undefined = opened === undefined ? undefined : JSON.parse(opened);
  return pending && deps.now() < pending.askedAt + LIFETIME.pendingRequestSeconds ? pending : undefined;
}

/**
 * Ends the session after the user confirmed. Proves the post-logout URI again, because the client may have changed;
 * without one the browser stays here. Undefined when the form is expired or of another session. The caller must have
 * verified the CSRF token.
 */
export async function confirmLogout(
  sealed: string,
  active: ActiveSession | undefined,
  deps: Deps,
): Promise<LogoutDestination | undefined> {
  const pending = openPending(sealed, deps);
  if (!pending || (active && active.session.id !== pending.sessionId)) return undefined;
  const { clientId, values } = pending;
  if (active) await endSession(active, deps);
  const client = clientId === undefined ? undefined : await deps.store.findClient(clientId);
  return findDestination(values, client) ?? { kind: "stay" };
}

/**
 * The parameters with a value. Throws for a repeated one, which is ambiguous. LO-01, OpenID Connect RP-Initiated Logout
 * §2.
 */
function readValues(params: URLSearchParams): Values {
  if (params.toString().length > MAX_QUERY_LENGTH) throw logoutError("request_too_large", "The request is too long.");
  const values: { [name in (typeof NAMES)[number]]?: string } = {};
  for (const name of NAMES) {
    const sent = params.getAll(name);
    if (sent.length > 1) throw logoutError("parameter_repeated", `${name} was sent more than once.`);
    if (sent[0]) values[name] = sent[0];
  }
  return values;
}

/** The requested destination. Throws when the URI is not registered for the client. */
function requireDestination(values: Values, client: Client | undefined): LogoutDestination {
  if (values.post_logout_redirect_uri === undefined) return { kind: "stay" };
  const found = findDestination(values, client);
  if (found) return found;
  throw logoutError(
    "redirect_uri_unregistered",
    "The application asked to send you back to an address that is not registered for it.",
  );
}

/** The post-logout URI if it is registered for the enabled client; undefined otherwise. LO-01. */
function findDestination(
  { post_logout_redirect_uri: sent, state }: Values,
  client: Client | undefined,
): LogoutDestination | undefined {
  const uri = sent !== undefined && client?.enabled ? matchPostLogoutUri(client, sent) : undefined;
  if (!client || uri === undefined) return undefined;
  const to = redirectTo(uri, { state });
  // AZ-35: a self-described client can name any address.
  return isSelfDescribed(client) ? { kind: "leave", to, host: redirectHost(uri) } : { kind: "redirect", to };
}

function logoutError(cause: RefusalCause, description: string): OAuthError {
  return new OAuthError("invalid_request", cause, description, { status: 400, description });
}
