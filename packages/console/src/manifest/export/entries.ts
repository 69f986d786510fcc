import type { SignInProvider } from "@gatehouse/accounts";
import { defaultGrants, GRANT_TYPES } from "@gatehouse/auth";
import type { ClientRow } from "../../clients/queries.ts";
import { holdsSecret } from "../../clients/register.ts";
import type { ResourceView } from "../../resources/resources.ts";
import type { EndpointRow } from "../../webhook-endpoints/queries.ts";
import type { WebhookSecretRow } from "../../webhook-secrets/queries.ts";
import { isActiveSecret } from "../../webhook-secrets/rows.ts";
import { canonical, type Entry, ordered, snakeCased, text } from "./entry.ts";
import type { VariableNames } from "./variable-names.ts";

// One function for each kind of entry of the file. What has its default is left out where the file's schema adds it
// again.

export function resourceEntry({
  id,
  name,
  scopes,
  tokenFormat,
  tokenAlgorithm,
  environments,
  attachedBy,
  strangers,
  enabled,
}: ResourceView): Entry {
  return {
    id,
    name,
    scopes: Object.fromEntries(scopes.map((scope) => [scope.name, scope.description])),
    token_format: tokenFormat,
    token_algorithm: tokenAlgorithm,
    environments,
    attached_by: attachedBy,
    strangers,
    ...(!enabled && { enabled }),
  };
}

/** `client`: the client's name, unless it is the application's only one. */
export function clientEntry(row: ClientRow, client: string | undefined, names: VariableNames): Entry {
  const {
    id,
    type,
    redirectUris,
    postLogoutRedirectUris,
    grantTypes,
    scopes,
    firstParty,
    resourceServer,
    refreshRetrySeconds,
  } = row;
  const usual = defaultGrants(type);
  const hasUsualGrants = grantTypes.length === usual.length && usual.every((grant) => grantTypes.includes(grant));
  const secret = holdsSecret(row)
    ? { from_env: names(row.applicationName, client ?? "", row.environment, "secret") }
    : undefined;
  return {
    client_id: id,
    type,
    ...(secret && { client_secret: secret }),
    ...(redirectUris.length > 0 && { redirect_uris: ordered(redirectUris, text) }),
    ...(postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: ordered(postLogoutRedirectUris, text) }),
    ...(!hasUsualGrants && { grant_types: GRANT_TYPES.filter((grant) => grantTypes.includes(grant)) }),
    scopes: ordered(scopes, text),
    ...(firstParty && { first_party: firstParty }),
    ...(resourceServer && { resource_server: resourceServer }),
    ...(refreshRetrySeconds !== DEFAULT_RETRY_SECONDS && { refresh_retry_seconds: refreshRetrySeconds }),
    ...snakeCased(canonical(row.options) as object),
    ...(row.disabledAt !== null && { enabled: false }),
  };
}

const DEFAULT_RETRY_SECONDS = 30;

/** With the secrets that are active at `now`. */
export function endpointEntry(
  { slug, provider, environment, name, settings, forward, disabledAt }: EndpointRow,
  secrets: readonly WebhookSecretRow[],
  names: VariableNames,
  now: number,
): Entry {
  const active = secrets.filter((secret) => secret.endpoint === slug && isActiveSecret(secret, now));
  const ofKind = (kind: WebhookSecretRow["kind"]) => active.filter((secret) => secret.kind === kind);
  const [apiKey] = ofKind("api_key");
  return {
    provider,
    ...(slug !== provider && { endpoint: slug }),
    environment,
    ...(name !== null && { name }),
    // With an API key also if there are none: the file then says that the key goes to the provider itself.
    ...((apiKey || Object.keys(settings).length > 0) && { settings: canonical(settings) }),
    secrets: ofKind("signing").map((secret) =>
      webhookSecretEntry(secret, { from_env: names("webhook", slug, "secret") }),
    ),
    ...(apiKey && { api_key: { from_env: names("webhook", slug, "api key") } }),
    ...(forward && { forward: { url: forward.url, ...(forward.events && { events: forward.events }) } }),
    ...(disabledAt !== null && { enabled: false }),
  };
}

function webhookSecretEntry({ name, expiresAt }: WebhookSecretRow, secret: { from_env: string }): Entry {
  if (name === null && expiresAt === null) return secret;
  return {
    secret,
    ...(name !== null && { name }),
    ...(expiresAt !== null && { ends_at: new Date(expiresAt * 1000).toISOString() }),
  };
}

export function providerEntry(
  { id, preset, name, issuer, clientId, secret, settings, position, enabled }: SignInProvider,
  names: VariableNames,
): Entry {
  return {
    id,
    preset,
    name,
    issuer,
    client_id: clientId,
    ...(secret !== null && { client_secret_env: names("sign in", id, "secret") }),
    position,
    enabled,
    ...snakeCased(canonical(settings) as object),
  };
}
