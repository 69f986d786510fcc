import { MAX_QUERY_LENGTH } from "../authorization/response.ts";
import type { Client } from "../clients/client.ts";
import { matchPostLogoutUri, type ProvenRedirect, redirectHost, redirectTo } from "../clients/redirect-uri.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause } from "../errors/refusal.ts";
import { LIFETIME } from "../lifetimes.ts";
import { readIdTokenHint } from "../tokens/id-token.ts";
import { type ActiveSession, endSession } from "./session.ts";

const NAMES = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;
type Values = { readonly [name in (typeof NAMES)[number]]?: string };

/** Where the browser goes once the session has ended. */
export type LogoutDestination =
  /** Our own page: the request proved no return address. */
  | { kind: "stay" }
  | { kind: "redirect"; to: ProvenRedirect }
  /** Our own page with a link to `to`: no admin registered the client, so a redirect would be an open one. AZ-35. */
  | { kind: "leave"; to: ProvenRedirect; host: string };

/** What the logout page does next. */
export type LogoutStep =
  /** The session has ended, or there was none. */
  | { kind: "done"; after: LogoutDestination }
  /** Ask: nothing proves that the user wants this. `request` goes into the form. LO-02. */
  | { kind: "confirm"; request: string; applicationName: string | undefined };

/** What the confirmation form carries, sealed. */
type Asked = { clientId: string | undefined; values: Values; sessionId: string; askedAt: number };

const PURPOSE = "logout request";

/**
 * A client asks to end the session of the browser. `params` are the query. Without a valid hint about this very session the user
 * is asked first, or any page could sign people out. Throws `OAuthError` for the error page; nothing has ended then.
 * OpenID Connect RP-Initiated Logout §2, §3.
 */
export async function requestLogout(params: URLSearchParams, active: ActiveSession | undefined, deps: Deps): Promise<LogoutStep> {
  const values = readValues(params);
  const hint = values.id_token_hint === undefined ? undefined : await readIdTokenHint(values.id_token_hint, deps);
  if (values.id_token_hint !== undefined && !hint) throw shown("token_malformed", "id_token_hint is not an id token of ours.");
  if (hint && values.client_id !== undefined && values.client_id !== hint.clientId) {
    throw shown("client_id_mismatch", "client_id is not the client that id_token_hint was issued to.");
  }
  const clientId = hint?.clientId ?? values.client_id;
  const client = clientId === undefined ? undefined : await deps.store.findClient(clientId);
  const after = provenReturn(values, client);
  if (!active) return { kind: "done", after };

  const { session, user } = active;
  if (hint?.userId === user.id && hint.sessionId === session.id) {
    await endSession(active, deps);
    return { kind: "done", after };
  }
  const { id_token_hint: _, ...kept } = values;
  const asked: Asked = { clientId, values: kept, sessionId: session.id, askedAt: deps.now() };
  const request = deps.seal.seal(PURPOSE, JSON.stringify(asked));
  return { kind: "confirm", request, applicationName: client?.enabled ? client.applicationName : undefined };
}

/**
 * The user pressed "Sign out" on our page. The return address is proven again: the client may have changed meanwhile, and then the
 * browser stays here. Undefined when the form is too old or of another session; the caller has verified the CSRF token.
 */
export async function confirmLogout(sealed: string, active: ActiveSession | undefined, deps: Deps): Promise<LogoutDestination | undefined> {
  const opened = deps.seal.open(PURPOSE, sealed);
  if (opened === undefined) return undefined;
  const { clientId, values, sessionId, askedAt }: Asked = JSON.parse(opened); // sealed by us, so it has this shape
  if (deps.now() >= askedAt + LIFETIME.pendingRequestSeconds || (active && active.session.id !== sessionId)) return undefined;
  if (active) await endSession(active, deps);
  const client = clientId === undefined ? undefined : await deps.store.findClient(clientId);
  return findReturn(values, client) ?? { kind: "stay" };
}

/** What was sent once, with a value. §2: repeated parameters leave open what is meant. */
function readValues(params: URLSearchParams): Values {
  if (params.toString().length > MAX_QUERY_LENGTH) throw shown("request_too_large", "The request is too long.");
  const values: { [name in (typeof NAMES)[number]]?: string } = {};
  for (const name of NAMES) {
    const sent = params.getAll(name);
    if (sent.length > 1) throw shown("parameter_repeated", `${name} was sent more than once.`);
    if (sent[0]) values[name] = sent[0];
  }
  return values;
}

/** The return address that was asked for. Throws when it is not the client's. */
function provenReturn(values: Values, client: Client | undefined): LogoutDestination {
  if (values.post_logout_redirect_uri === undefined) return { kind: "stay" };
  const found = findReturn(values, client);
  if (found) return found;
  throw shown("redirect_uri_unregistered", "The application asked to return to an address that is not registered for it.");
}

/** LO-01: exactly as registered, and only for a client that is named. Undefined when there is none. */
function findReturn({ post_logout_redirect_uri: sent, state }: Values, client: Client | undefined): LogoutDestination | undefined {
  const uri = sent !== undefined && client?.enabled ? matchPostLogoutUri(client, sent) : undefined;
  if (!client || uri === undefined) return undefined;
  const to = redirectTo(uri, { state });
  // AZ-35: a client that registered itself can name any address.
  return client.origin === "registered" ? { kind: "redirect", to } : { kind: "leave", to, host: redirectHost(uri) };
}

function shown(cause: RefusalCause, description: string): OAuthError {
  return new OAuthError("invalid_request", cause, description, { status: 400, description });
}
