import { isUrl } from "@gatehouse/runtime";
import { isLocalHost, isLoopbackHost } from "@gatehouse/runtime/loopback";
import type { Environment } from "./client.ts";
import type { ClientType } from "./client-type.ts";
import { isDangerousScheme } from "./private-scheme.ts";

/** The most redirect URIs of a client, and of a self-described one; the most characters of each. RU-12. */
export const MAX_REDIRECT_URIS = 100;
export const MAX_UNREGISTERED_REDIRECT_URIS = 20;
export const MAX_REDIRECT_URI_LENGTH = 2048;

/** Why a redirect URI cannot be registered, and how to fix it. RU-03 … RU-05, RU-12. */
const MESSAGES = {
  type_has_none: "This type of client has no redirect URIs: leave the list empty.",
  empty: "Enter the full address that users return to, for example https://app.example.com/callback.",
  too_long: `Use at most ${MAX_REDIRECT_URI_LENGTH} characters.`,
  not_plain_ascii:
    "Use ASCII without spaces, control characters, quotes, angle brackets or backslashes. Percent-encode other characters and write an international host name in its xn-- form.",
  wildcard: "Wildcards are not allowed: register each URI in full.",
  fragment: "Remove the # and what follows: a redirect URI has no fragment.",
  not_absolute: "Start with the scheme, for example https://app.example.com/callback.",
  forbidden_scheme: "This scheme belongs to browsers or to the system, and a redirect to it could do harm: use https.",
  userinfo: "Remove the user name and password before the @.",
  host_not_canonical:
    "Write scheme and host in lower case, as browsers send them, without a default port and with IP addresses in standard form.",
  no_path: "Add the path, even if it is only a slash, for example https://app.example.com/.",
  dot_segments: "Remove . and .. segments from the path: clients resolve them, and the URI would no longer match.",
  reserved_parameter:
    "Remove code, state, iss, error, error_description and error_uri from the query: the response adds its own.",
  http_not_loopback: "Use https: http is allowed only for http://localhost, http://127.0.0.1 and http://[::1].",
  http_in_production: "Use https: production does not allow http. Use a development client for local work.",
  loopback_in_production:
    "Production does not allow loopback addresses. Register it for the development client instead.",
  scheme_needs_native: "Use https: only native apps can use a private scheme.",
} as const;

/** What to consider about a URI that can be registered. */
const WARNINGS = {
  scheme_without_period:
    "Any other app can claim a scheme like this one. If the app is yours, use a domain that you own, reversed, for example com.example.app:/callback.",
} as const;

export type RedirectUriProblem = keyof typeof MESSAGES;
export type RedirectUriCheck =
  | { ok: true; warning?: string }
  | { ok: false; problem: RedirectUriProblem; message: string };

type Candidate = { uri: string; type: ClientType; environment: Environment };

/**
 * Can this redirect URI be registered for a client of this type and environment? The message says what to change.
 * RU-08, SD-06.
 */
export function checkRedirectUri(candidate: Candidate): RedirectUriCheck {
  const problem = findProblem(candidate);
  if (problem) return { ok: false, problem, message: MESSAGES[problem] };
  const scheme = privateSchemeOf(candidate.uri);
  // RU-05, CF-14: editors use such schemes, so they are allowed with a warning.
  return scheme !== undefined && !scheme.includes(".")
    ? { ok: true, warning: WARNINGS.scheme_without_period }
    : { ok: true };
}

/** The scheme of a URI that is neither http nor https, as written; undefined for other URIs. */
export function privateSchemeOf(uri: string): string | undefined {
  const scheme = SCHEME.exec(uri)?.[1];
  return scheme === undefined || /^https?$/i.test(scheme) ? undefined : scheme;
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

function findProblem({ uri, type, environment }: Candidate): RedirectUriProblem | undefined {
  if (type === "service" || type === "device") return "type_has_none";
  const scheme = SCHEME.exec(uri)?.[1];
  return (
    spellingProblem(uri) ?? (scheme === undefined ? "not_absolute" : schemeProblem(uri, scheme, type, environment))
  );
}

function spellingProblem(uri: string): RedirectUriProblem | undefined {
  if (uri === "") return "empty";
  if (uri.length > MAX_REDIRECT_URI_LENGTH) return "too_long";
  if (!/^[\x21\x23-\x3B\x3D\x3F-\x5B\x5D\x5F\x61-\x7A\x7E%]+$/.test(uri) || /%(?![0-9A-Fa-f]{2})/.test(uri))
    return "not_plain_ascii";
  if (uri.includes("*")) return "wildcard";
  if (uri.includes("#")) return "fragment";
  return undefined;
}

function schemeProblem(
  uri: string,
  scheme: string,
  type: ClientType,
  environment: Environment,
): RedirectUriProblem | undefined {
  const name = scheme.toLowerCase();
  if (name === "https" || name === "http") return webProblem(uri, type, environment);
  // A host and a port, typed without the scheme: app.example:8443/callback.
  if (/^\d{1,5}(?:[/?]|$)/.test(uri.slice(scheme.length + 1))) return "not_absolute";
  if (isDangerousScheme(name)) return "forbidden_scheme";
  if (type !== "native") return "scheme_needs_native";
  if (name !== scheme) return "host_not_canonical";
  return /^:\/{0,3}$/.test(uri.slice(scheme.length)) ? "no_path" : queryProblem(uri);
}

function webProblem(uri: string, type: ClientType, environment: Environment): RedirectUriProblem | undefined {
  const [, scheme = "", authority = "", path = ""] = /^([^:]+):\/\/([^/?]*)([^?]*)/.exec(uri) ?? [];
  if (authority === "" || !isUrl(uri)) return "not_absolute";
  const url = new URL(uri);
  if (authority.includes("@")) return "userinfo";
  if (url.protocol !== `${scheme}:` || url.host !== authority) return "host_not_canonical";

  // RFC 8252 §7.3: an installed app can only listen on loopback, also in production.
  const isNativeLoopback = type === "native" && scheme === "http" && isLoopbackHost(url.hostname);
  if (environment === "production" && !isNativeLoopback) {
    if (scheme === "http") return "http_in_production";
    if (isLocalHost(url.hostname)) return "loopback_in_production";
  }
  if (scheme === "http" && !isLoopbackHost(url.hostname)) return "http_not_loopback";
  // Native apps also use a bare `http://127.0.0.1:<port>`, so only they can omit the path.
  if (path === "" && !(type === "native" && scheme === "http")) return "no_path";
  if (path !== "" && url.pathname !== path) return "dot_segments";
  return queryProblem(uri);
}

const RESERVED = ["code", "state", "iss", "error", "error_description", "error_uri"];

function queryProblem(uri: string): RedirectUriProblem | undefined {
  const at = uri.indexOf("?");
  if (at < 0) return undefined;
  const query = new URLSearchParams(uri.slice(at + 1));
  return RESERVED.some((name) => query.has(name)) ? "reserved_parameter" : undefined; // AZ-19: each exactly once
}
