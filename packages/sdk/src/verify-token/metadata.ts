import { DPOP_ALGORITHMS, pathOf, resourceMetadataUrl } from "@gatehouse/guard";
import type { ApiSettings } from "../settings.ts";

const MAX_AGE_SECONDS = 3600;
const HEADERS = {
  "content-type": "application/json",
  "cache-control": `public, max-age=${MAX_AGE_SECONDS}`,
  // Clients that run in a browser, on other origins, read it first.
  "access-control-allow-origin": "*",
};
const ALLOW = { allow: "GET, HEAD, OPTIONS", "access-control-allow-methods": "GET" };

/**
 * Answers a request for the metadata of this API, at the path that its challenges name; undefined for any other path.
 * RFC 9728 §3, PK-51.
 */
export function answerMetadata(
  { method, url }: Pick<Request, "method" | "url">,
  settings: ApiSettings,
): Response | undefined {
  if (pathOf(url) !== new URL(resourceMetadataUrl(settings)).pathname) return undefined;
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: { ...HEADERS, ...ALLOW } });
  if (method !== "GET" && method !== "HEAD")
    return Response.json({ error: "method_not_allowed" }, { status: 405, headers: ALLOW });
  return new Response(method === "HEAD" ? null : JSON.stringify(documentOf(settings)), { headers: HEADERS });
}

function documentOf({ issuer, resource, apiScopes }: ApiSettings) {
  return {
    resource,
    authorization_servers: [issuer],
    ...(apiScopes.length > 0 && { scopes_supported: apiScopes }),
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  };
}
