import { DPOP_ALGORITHMS } from "@gatehouse/guard";
import { PROMPTS } from "../authorization/checks.ts";
import { RESPONSE_MODES } from "../authorization/client-response.ts";
import { ASSERTION_ALGORITHMS } from "../clients/options.ts";
import type { Config } from "../deps.ts";
import { GRANT_TYPES } from "../grants/table.ts";
import { publishedDocument } from "../http/published.ts";
import { advertisedScopes, scopesOf } from "../resources/scope.ts";
import { supportedLevels } from "../sessions/levels.ts";
import { CLAIMS, ID_TOKEN_ALGORITHMS } from "../tokens/id-token.ts";

const CONFIDENTIAL_METHODS = ["client_secret_basic", "client_secret_post", "private_key_jwt"];
const ALL_METHODS = [...CONFIDENTIAL_METHODS, "none"];

/** OpenID Connect Discovery §3, RP-Initiated Logout §2.1, Back-Channel Logout §2.1. MD-05. */
const openid = {
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  claims_supported: CLAIMS,
  claims_parameter_supported: false,
  prompt_values_supported: PROMPTS,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
};

/**
 * The version of what `@gatehouse/sdk` uses of this server. Add one when the SDK is to rely on something new, in the minor
 * version before the SDK that requires it. PK-25.
 */
const SERVED_API = 1;

/** GET /.well-known/oauth-authorization-server. RFC 8414. MD-01. */
export const authorizationServerMetadata = publishedDocument("/.well-known/oauth-authorization-server", describe);

/** Lists only what is supported, and every member whose default would be wrong. MD-03, MD-04, MD-06, MC-02, DF-13. */
function describe(config: Config): object {
  const { issuer, resource, registration = "closed", clientMetadataDocuments = false } = config;
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device_authorization`,
    revocation_endpoint: `${issuer}/revoke`,
    introspection_endpoint: `${issuer}/introspect`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/logout`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ["code"],
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ALL_METHODS,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: ALL_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    introspection_endpoint_auth_methods_supported: CONFIDENTIAL_METHODS,
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    // MC-11: offline_access is listed here but never in the metadata of a resource.
    scopes_supported: advertisedScopes(scopesOf(config)),
    ...openid,
    ...(config.uiLocales && { ui_locales_supported: config.uiLocales }),
    acr_values_supported: supportedLevels(config),
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    pushed_authorization_request_endpoint: `${issuer}/par`,
    require_pushed_authorization_requests: false,
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    ...(registration !== "closed" && { registration_endpoint: `${issuer}/register` }),
    ...(clientMetadataDocuments && { client_id_metadata_document_supported: true }),
    protected_resources: [resource],
    gatehouse_api: SERVED_API,
  };
}
