import { isLoopbackHost } from "@gatehouse/runtime/loopback";
import type { ClientType } from "./client-type.ts";
import { type Members, type MetadataCode, metadataError, readTexts } from "./metadata-members.ts";
import { checkRedirectUri, MAX_UNREGISTERED_REDIRECT_URIS, privateSchemeOf } from "./redirect-uri-rules.ts";

export type UriRules = {
  /** Private schemes that a public native client may use. CF-14. */
  privateSchemes: readonly string[];
  /**
   * Drop URIs that are not allowed beside ones that are. The response of a registration says what was kept; a document
   * gets no response.
   */
  dropRefused: boolean;
};

/** What decides which URIs a client may have. */
export type UriOwner = { type: ClientType; applicationType: "web" | "native" | undefined };

/**
 * The redirect URIs in client metadata that may be registered, each once: https by the rules of production; http only
 * on loopback and not for a declared web application; the listed private schemes for public native clients. Throws
 * `code` with the first problem if none is allowed, or one is not and none may be dropped. RFC 7591 §2; CF-14, DC-04,
 * MC-05.
 */
export function readUris(
  members: Members,
  name: "redirect_uris" | "post_logout_redirect_uris",
  owner: UriOwner,
  rules: UriRules,
  code: MetadataCode,
): string[] {
  const uris = readTexts(members, name, MAX_UNREGISTERED_REDIRECT_URIS, code) ?? [];
  const checked = [...new Set(uris)].map((uri) => ({ uri, problem: uriProblem(uri, owner, rules) }));
  const kept = checked.flatMap(({ uri, problem }) => (problem === undefined ? [uri] : []));
  const refused = checked.find(({ problem }) => problem !== undefined);
  if (refused && !(rules.dropRefused && kept.length > 0)) throw metadataError(code, `${name}: ${refused.problem}`);
  return kept;
}

function uriProblem(
  uri: string,
  { type, applicationType }: UriOwner,
  { privateSchemes }: UriRules,
): string | undefined {
  const scheme = privateSchemeOf(uri);
  const loopback = applicationType !== "web" && isHttpOnLoopback(uri);
  if (scheme !== undefined && !privateSchemes.includes(scheme)) return "use https, or http on loopback.";
  if (scheme !== undefined && type !== "native") {
    return `the scheme ${scheme} is only for native clients whose token_endpoint_auth_method is none.`;
  }
  const isNative = loopback || scheme !== undefined;
  const verdict = checkRedirectUri({
    uri,
    type: isNative ? "native" : "web",
    environment: loopback ? "development" : "production",
  });
  return verdict.ok ? undefined : verdict.message;
}

/** Compares the host as written: `http://LOCALHOST` does not count. */
function isHttpOnLoopback(uri: string): boolean {
  const [, host = ""] = /^http:\/\/(\[[^\]]*\]|[^:/?]*)(?:[:/?]|$)/.exec(uri) ?? [];
  return isLoopbackHost(host);
}
