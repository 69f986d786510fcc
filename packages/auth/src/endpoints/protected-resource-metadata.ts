import { DPOP_ALGORITHMS, resourceMetadataUrl } from "@gatehouse/guard";
import { OAuthError } from "../errors/error.ts";
import { publishedDocument, publishedDocumentFrom } from "../http/published.ts";
import { type Resource, registeredResources } from "../resources/registry.ts";
import { apiScopes, scopesOf } from "../resources/scope.ts";

/**
 * GET /.well-known/oauth-protected-resource/api: tells a client that got a 401 from our API which server issues tokens.
 * RFC 9728, PM-01, MC-08.
 */
export const protectedResourceMetadata = publishedDocument("/.well-known/oauth-protected-resource/api", (config) => ({
  resource: config.resource,
  authorization_servers: [config.issuer],
  scopes_supported: apiScopes(scopesOf(config)),
  bearer_methods_supported: ["header"],
  dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  resource_name: "Gatehouse API",
}));

type Registered = { issuer: string; resource: Resource };

/**
 * GET /.well-known/oauth-protected-resource/<path>: the same for a registered resource on our own origin. A resource on
 * another origin must serve its own document. RFC 9728 §3.1, §3.3.
 */
export const registeredResourceMetadata = publishedDocumentFrom(
  "/.well-known/oauth-protected-resource",
  async (deps, request): Promise<Registered> => {
    const { issuer } = deps.config;
    const asked = issuer + new URL(request.url).pathname;
    const resource = (await registeredResources(deps)).find(
      ({ id }) => resourceMetadataUrl({ resource: id }) === asked,
    );
    if (resource) return { issuer, resource };
    const description = "No resource with this address is registered.";
    throw new OAuthError("invalid_request", "resource_unknown", description, { description, status: 404 });
  },
  ({ issuer, resource }) => ({
    resource: resource.id,
    authorization_servers: [issuer],
    scopes_supported: resource.scopes.map(({ name }) => name),
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
    resource_name: resource.name,
  }),
);
