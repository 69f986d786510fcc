import { MAX_QUERY_LENGTH } from "./authorization/answer.ts";
import type { Client } from "./client.ts";
import type { Deps } from "./deps.ts";
import { OAuthError } from "./error.ts";
import { readHint } from "./id-token.ts";
import { LIFETIME } from "./lifetimes.ts";
import { matchPostLogoutUri, type ProvenRedirect, redirectTo } from "./redirect-uri.ts";
import type { RefusalCause } from "./refusal.ts";
import { type ActiveSession, endSession } from "./session.ts";

const NAMES = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;
type Values = { readonly [name in (typeof NAMES)[number]]?: string };

/** What the logout page does next. */
export type LogoutStep =
  /** The session has ended, or there was none: back to the client, or our own page where no way back was proven. */
  | { kind: "done"; to: ProvenRedirect | undefined }
  /** Ask: nothing proves that the user wants this. `request` goes into the form. LO-02. */
  | { kind: "confirm"; request: string; applicationName: string | undefined };

const PURPOSE = "logout request";

/**
 * A client asks to end the session of the browser. `params` are the query. Without a valid hint about this very session the user
 * is asked first, or any page could sign people out. Throws `OAuthError` for the error page; nothing has ended then.
 * OpenID Connect RP-Initiated Logout §2, §3.
 */
export async function requestLogout(params: URLSearchParams, active: ActiveSession | undefined, deps: Deps): Promise<LogoutStep> {
  const values = readValues(params);
  const hint = values.id_token_hint === undefined ? undefined : await readHint(values.id_token_hint, deps);
  if (values.id_token_hint !== undefined && !hint) throw shown("token_malformed", "id_token_hint is not an id token of ours.");
  if (hint && values.client_id !== undefined && values.client_id !== hint.clientId) {
    throw shown("client_id_mismatch", "client_id is not the client that id_token_hint was issued to.");
  }
  const clientId = hint?.clientId ?? values.client_id;
  const client = clientId === undefined ? undefined : await deps.store.findClient(clientId);
  const to = provenReturn(values, client);
  if (!active) return { kind: "done", to };

  const { session, user } = active;
  if (hint?.userId === user.id && hint.sessionId === session.id) {
    await endSession(active, deps);
    return { kind: "done", to };
  }
  const request = deps.seal.seal(PURPOSE, JSON.stringify([to ?? null, session.id, deps.now()]));
  return { kind: "confirm", request, applicationName: client?.enabled ? client.applicationName : undefined };
}

/** The user said yes on our page. Undefined when the form is too old or of another session; the CSRF token was checked before. */
export async function confirmLogout(
  sealed: string,
  active: ActiveSession | undefined,
  deps: Deps,
): Promise<{ to: ProvenRedirect | undefined } | undefined> {
  const opened = deps.seal.open(PURPOSE, sealed);
  if (opened === undefined) return undefined;
  const [to, sessionId, askedAt]: [ProvenRedirect | null, string, number] = JSON.parse(opened); // sealed by us, so it has this shape
  if (deps.now() >= askedAt + LIFETIME.pendingRequestSeconds || (active && active.session.id !== sessionId)) return undefined;
  if (active) await endSession(active, deps);
  return { to: to ?? undefined };
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

/** LO-01: exactly as registered, and only for a client that is named. */
function provenReturn(values: Values, client: Client | undefined): ProvenRedirect | undefined {
  const sent = values.post_logout_redirect_uri;
  if (sent === undefined) return undefined;
  const uri = client?.enabled ? matchPostLogoutUri(client, sent) : undefined;
  if (uri === undefined) {
    throw shown("redirect_uri_unregistered", "The application asked to return to an address that is not registered for it.");
  }
  return redirectTo(uri, { state: values.state });
}

function shown(reason: RefusalCause, description: string): OAuthError {
  return new OAuthError("invalid_request", reason, description, { status: 400, description });
}
