import { DPOP_ALGORITHMS } from "../dpop.ts";
import { publishedDocument } from "../published.ts";
import { isScopeName, SCOPES } from "../scope.ts";

/** GET /.well-known/oauth-protected-resource/api: where a client that met a 401 at our API learns whom to ask. RFC 9728. */
export const protectedResourceMetadata = publishedDocument("/.well-known/oauth-protected-resource/api", ({ issuer, resource }) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: apiScopes(),
  bearer_methods_supported: ["header"],
  dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  resource_name: "Gatehouse API",
}));

/** The scopes that mean something at the API. PM-02. */
export function apiScopes(): string[] {
  return Object.keys(SCOPES).filter((name) => isScopeName(name) && SCOPES[name].kind === "api");
}
