import type { ClientType, Environment } from "./client.ts";

/** How many redirect URIs a client may have, how many of them when no admin registers it, and how long each may be. RU-12. */
export const MAX_REDIRECT_URIS = 100;
export const MAX_UNREGISTERED_REDIRECT_URIS = 20;
export const MAX_REDIRECT_URI_LENGTH = 2048;

/** Why a redirect URI cannot be registered, with what to do about it. RU-03 … RU-05, RU-12. */
const MESSAGES = {
  type_has_none: "This type of client never redirects: leave the list empty.",
  empty: "Enter the full address that users return to, for example https://app.example.com/callback.",
  too_long: `Use at most ${MAX_REDIRECT_URI_LENGTH} characters.`,
  not_plain_ascii:
    "Use plain ASCII without spaces, control characters, quotes, angle brackets or backslashes: write others as %-escapes, and an international host name in its xn-- form.",
  wildcard: "Wildcards are not allowed: register each address in full.",
  fragment: "Remove the # and what follows: a redirect URI has no fragment.",
  not_absolute: "Start with the scheme, for example https://app.example.com/callback.",
  forbidden_scheme: "This scheme could run code or read files in the browser: use https.",
  userinfo: "Remove the user name and password before the @.",
  host_not_canonical:
    "Write the scheme and the host in lower case and as the browser sends them, without a default port or odd spelling of an IP address.",
  no_path: "Add the path, even if it is only a slash, for example https://app.example.com/.",
  dot_segments: "Write the path without . and .. segments: clients would resolve them and no longer match.",
  reserved_parameter: "Remove code, state, iss, error, error_description and error_uri from the query: the answer carries its own.",
  http_not_loopback: "Use https: plain http is only for http://localhost, http://127.0.0.1 and http://[::1].",
  http_in_production: "Use https: production accepts no plain http. Register a development client for local work.",
  loopback_in_production: "Production accepts no loopback address. Register it with the development client instead.",
  scheme_needs_native: "Use https: only native apps may use a scheme of their own.",
  scheme_without_period: "Use the reverse of a domain you own as the scheme, for example com.example.app:/callback.",
} as const;

export type RedirectUriProblem = keyof typeof MESSAGES;
export type RedirectUriCheck = { ok: true } | { ok: false; problem: RedirectUriProblem; message: string };

type Candidate = { uri: string; type: ClientType; environment: Environment };

/** May this redirect URI be registered for such a client? The message tells the admin what to change. */
export function checkRedirectUri(candidate: Candidate): RedirectUriCheck {
  const problem = findProblem(candidate);
  return problem ? { ok: false, problem, message: MESSAGES[problem] } : { ok: true };
}

function findProblem({ uri, type, environment }: Candidate): RedirectUriProblem | undefined {
  if (type === "service" || type === "device") return "type_has_none";
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1];
  return spellingProblem(uri) ?? (scheme === undefined ? "not_absolute" : schemeProblem(uri, scheme, type, environment));
}

function spellingProblem(uri: string): RedirectUriProblem | undefined {
  if (uri === "") return "empty";
  if (uri.length > MAX_REDIRECT_URI_LENGTH) return "too_long";
  if (!/^[\x21\x23-\x3B\x3D\x3F-\x5B\x5D\x5F\x61-\x7A\x7E%]+$/.test(uri) || /%(?![0-9A-Fa-f]{2})/.test(uri)) return "not_plain_ascii";
  if (uri.includes("*")) return "wildcard";
  if (uri.includes("#")) return "fragment";
  return undefined;
}

const FORBIDDEN_SCHEMES = new Set(["javascript", "data", "file", "blob", "vbscript", "about", "view-source", "filesystem"]);

function schemeProblem(uri: string, scheme: string, type: ClientType, environment: Environment): RedirectUriProblem | undefined {
  const name = scheme.toLowerCase();
  if (FORBIDDEN_SCHEMES.has(name)) return "forbidden_scheme";
  if (name === "https" || name === "http") return webProblem(uri, type, environment);
  if (type !== "native") return "scheme_needs_native";
  if (!name.includes(".")) return "scheme_without_period"; // RU-05: reverse DNS
  if (name !== scheme) return "host_not_canonical";
  return uri.length === scheme.length + 1 ? "no_path" : queryProblem(uri);
}

const LOOPBACK_HOST = /^(127\.0\.0\.1|\[::1\]|localhost)$/;
/** Everything that never leaves the machine, whichever way it is written. */
const LOOPBACK_RANGE = /^(127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f.*\]|0\.0\.0\.0|\[::\]|(.+\.)?localhost)\.?$/;

function webProblem(uri: string, type: ClientType, environment: Environment): RedirectUriProblem | undefined {
  const [, scheme = "", authority = "", path = ""] = /^([^:]+):\/\/([^/?]*)([^?]*)/.exec(uri) ?? [];
  if (authority === "" || !URL.canParse(uri)) return "not_absolute";
  const url = new URL(uri);
  if (authority.includes("@")) return "userinfo";
  if (url.protocol !== `${scheme}:` || url.host !== authority) return "host_not_canonical";

  // RFC 8252 §7.3: an installed app has no other address to listen on, in production as elsewhere.
  const listensHere = type === "native" && scheme === "http" && LOOPBACK_HOST.test(url.hostname);
  if (environment === "production" && !listensHere) {
    if (scheme === "http") return "http_in_production";
    if (LOOPBACK_RANGE.test(url.hostname)) return "loopback_in_production";
  }
  if (scheme === "http" && !LOOPBACK_HOST.test(url.hostname)) return "http_not_loopback";
  // Native apps listen on a bare `http://127.0.0.1:<port>` too, so only they may leave the path out.
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
