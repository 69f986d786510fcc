import type { Client } from "../clients/client.ts";
import { matchRedirectUri, type ProvenRedirectUri } from "../clients/redirect-uri.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import { type Reach, type RegistryDeps, reachOf } from "../resources/registry.ts";
import type { AuthorizationParameters } from "./parameters.ts";

/** Who asks and where the answer goes: until both are proven, nobody is redirected anywhere. OAuth 2.1 §4.1.2.1. */
export type Target = {
  client: Client;
  redirectUri: ProvenRedirectUri;
  state: string | undefined;
  reach: Reach;
};

/** Finds the client and proves its redirect URI. Throws what is shown on our own page: 400, never a redirect (AZ-06 … AZ-09). */
export async function findTarget(parameters: AuthorizationParameters, deps: RegistryDeps & Pick<Deps, "store">): Promise<Target> {
  const { values } = parameters;
  requireOnce(parameters, "client_id");
  requireOnce(parameters, "redirect_uri");
  return targetOf(parameters, await findEnabledClient(values.client_id, deps), deps);
}

/** Proves the redirect URI of a client that is known already. Throws as {@link findTarget} does. */
export async function targetOf({ values }: AuthorizationParameters, client: Client, deps: RegistryDeps): Promise<Target> {
  if (values.redirect_uri === undefined) {
    throw pageError(
      "redirect_uri_missing",
      "redirect_uri missing",
      "The application did not say where to return to: redirect_uri is missing.",
    );
  }
  const match = matchRedirectUri(client, values.redirect_uri);
  if (!match.ok) {
    const text = "The application asked to return to an address that is not registered for it. Nothing was sent there.";
    throw pageError("redirect_uri_unregistered", "redirect_uri is not registered for this client", text, match.difference);
  }
  return { client, redirectUri: match.uri, state: values.state, reach: await reachOf(client, deps) };
}

/** A client id as we issue or accept them; anything else cannot be in the store, nor need it be looked up. */
export function isClientId(value: string): boolean {
  return /^[\x21-\x7E]{1,255}$/.test(value);
}

async function findEnabledClient(clientId: string | undefined, deps: Pick<Deps, "store">): Promise<Client> {
  if (clientId === undefined)
    throw pageError("client_missing", "client_id missing", "The application did not say who it is: client_id is missing.");
  const client = isClientId(clientId) ? await deps.store.findClient(clientId) : undefined;
  if (!client) throw pageError("client_unknown", "no client with this client_id", "This application is not registered here.");
  if (!client.enabled)
    throw pageError("client_disabled", "the client is switched off", "This application has been switched off by its administrator.");
  return client;
}

function requireOnce({ repeated }: AuthorizationParameters, name: "client_id" | "redirect_uri"): void {
  if (!repeated.includes(name)) return;
  throw pageError("parameter_repeated", `${name} sent more than once`, `The request is ambiguous: it contains ${name} more than once.`, {
    parameter: name,
  });
}

function pageError(cause: RefusalCause, message: string, description: string, detail: RefusalDetail = {}): OAuthError {
  return new OAuthError("invalid_request", cause, message, { status: 400, description, detail });
}
