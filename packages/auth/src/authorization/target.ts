import type { Client } from "../clients/client.ts";
import { matchExemptUri, matchRedirectUri, type ProvenRedirectUri } from "../clients/redirect-uri.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import type { Exemption } from "../request-policy.ts";
import { type AvailableResources, availableResources, type RegistryDeps } from "../resources/registry.ts";
import type { AuthorizationParameters } from "./parameters.ts";

/** The client and its proven redirect URI. Without both there is no redirect. OAuth 2.1 §4.1.2.1. */
export type RedirectTarget = {
  client: Client;
  redirectUri: ProvenRedirectUri;
  state: string | undefined;
  available: AvailableResources;
  /** The exemption whose redirect URI it is; undefined for a registered one. CO-28, CO-38. */
  exemption?: Exemption;
};

type TargetDeps = RegistryDeps & Pick<Deps, "store" | "now" | "policy">;

/**
 * Finds the client and proves its redirect URI. Throws errors for our own page, with 400 (AZ-06 … AZ-09, RU-10, CI-04).
 */
export async function findRedirectTarget(
  parameters: AuthorizationParameters,
  deps: TargetDeps,
): Promise<RedirectTarget> {
  const { values, exemptionId } = parameters;
  const exemption = exemptionId === undefined ? undefined : await requireExemption(exemptionId, deps);
  requireOnce(parameters, "client_id");
  requireOnce(parameters, "redirect_uri");
  return redirectTargetFor(parameters, await findEnabledClient(values.client_id, deps), exemption, deps);
}

function requireExemption(id: string, { policy }: Pick<Deps, "policy">): Promise<Exemption> {
  if (!policy) throw new Error("a request under an exemption, and no policy that knows it");
  return policy.ofRequest(id);
}

/**
 * Proves the redirect URI of a known client, for a request under the exemption if there is one. Throws as
 * {@link findRedirectTarget} does.
 */
export async function redirectTargetFor(
  { values: { redirect_uri: sent, state } }: AuthorizationParameters,
  client: Client,
  exemption: Exemption | undefined,
  deps: TargetDeps,
): Promise<RedirectTarget> {
  if (sent === undefined) {
    const text = "The application did not say where to send you back to: redirect_uri is missing.";
    throw pageError("redirect_uri_missing", "redirect_uri missing", text);
  }
  const match = exemption ? matchExemptUri(exemption, client, sent) : matchRedirectUri(client, sent);
  if (match.ok) return targetOf(match.uri, client, state, exemption, deps);
  if (exemption) throw exemption.refusal("redirect_uri", match.difference);

  const further = client.hasExemptions ? await deps.policy?.ofRedirectUri(client, sent) : undefined;
  const exempt = further && matchExemptUri(further, client, sent);
  if (exempt?.ok) return targetOf(exempt.uri, client, state, further, deps);
  const text =
    "The application asked to send you back to an address that is not registered for it. Nothing was sent there.";
  throw pageError(
    "redirect_uri_unregistered",
    "redirect_uri is not registered for this client",
    text,
    match.difference,
  );
}

async function targetOf(
  redirectUri: ProvenRedirectUri,
  client: Client,
  state: string | undefined,
  exemption: Exemption | undefined,
  deps: RegistryDeps,
): Promise<RedirectTarget> {
  return {
    client,
    redirectUri,
    state,
    available: await availableResources(client, deps),
    ...(exemption && { exemption }),
  };
}

/** Could this be a client id? Any other value is not looked up. */
export function isClientId(value: string): boolean {
  return /^[\x21-\x7E]{1,255}$/.test(value);
}

async function findEnabledClient(clientId: string | undefined, deps: Pick<Deps, "store">): Promise<Client> {
  if (clientId === undefined)
    throw pageError(
      "client_missing",
      "client_id missing",
      "The application did not identify itself: client_id is missing.",
    );
  const client = isClientId(clientId) ? await deps.store.findClient(clientId) : undefined;
  if (!client)
    throw pageError("client_unknown", "no client with this client_id", "This application is not registered here.");
  if (!client.enabled)
    throw pageError(
      "client_disabled",
      "the client is disabled",
      "This application has been disabled by an administrator.",
    );
  return client;
}

function requireOnce({ repeated }: AuthorizationParameters, name: "client_id" | "redirect_uri"): void {
  if (!repeated.includes(name)) return;
  throw pageError(
    "parameter_repeated",
    `${name} sent more than once`,
    `The request is ambiguous: it contains ${name} more than once.`,
    {
      parameter: name,
    },
  );
}

function pageError(cause: RefusalCause, message: string, description: string, detail: RefusalDetail = {}): OAuthError {
  return new OAuthError("invalid_request", cause, message, { status: 400, description, detail });
}
