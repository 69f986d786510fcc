import { isUrl } from "@gatehouse/runtime";
import { isLoopbackHost } from "@gatehouse/runtime/loopback";
import type { ClientType } from "./client-type.ts";
import { matchRedirectUri } from "./redirect-uri.ts";
import { checkRedirectUri, type RedirectUriProblem } from "./redirect-uri-rules.ts";

type Candidate = Parameters<typeof checkRedirectUri>[0];

/** A URI that a registered one matches, and the most similar one that it doesn't, with what differs. */
export type RedirectUriExamples = { matching: string; refused: string; difference: string };

/**
 * Shows what registering this URI means, by the matcher of `/authorize`: one URI that will match, and the nearest that
 * will not. `difference` continues "…, it does not match": "with a slash at the end". CO-25, RU-01.
 */
export function redirectUriExamples(uri: string, type: ClientType): RedirectUriExamples | null {
  const client = { type, redirectUris: [uri] };
  const matches = (sent: string) => matchRedirectUri(client, sent).ok;
  const nearest = similarTo(uri).find(({ refused }) => refused !== uri && !matches(refused));
  const otherPort = uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^:/?]*))(?::\d+)?/, "$1:51004");
  return nearest ? { matching: matches(otherPort) ? otherPort : uri, ...nearest } : null;
}

/** Mistakes that people make, the likeliest first. */
function similarTo(uri: string): { refused: string; difference: string }[] {
  const [, path = "", query = ""] = /^([^?]*)(.*)$/s.exec(uri) ?? [];
  return [
    path.endsWith("/")
      ? { refused: path.slice(0, -1) + query, difference: "without the slash at the end" }
      : { refused: `${path}/${query}`, difference: "with a slash at the end" },
    { refused: uri.replace("://127.0.0.1", "://localhost"), difference: "with localhost instead of 127.0.0.1" },
    { refused: uri.replace("://localhost", "://127.0.0.1"), difference: "with 127.0.0.1 instead of localhost" },
    { refused: `${uri}${query === "" ? "?" : "&"}page=1`, difference: "with another query" },
  ];
}

/** At most this many corrections are tried: each fixes one violation. */
const MAX_CORRECTIONS = 8;

/** The nearest URI that may be registered instead of a refused one; null if only the user can know it. CO-25. */
export function nearestAcceptable(candidate: Candidate): string | null {
  let uri = candidate.uri;
  for (let corrections = 0; corrections < MAX_CORRECTIONS; corrections++) {
    const check = checkRedirectUri({ ...candidate, uri });
    if (check.ok) return uri === candidate.uri ? null : uri;
    const corrected = correct(uri, check.problem);
    if (corrected === null || corrected === uri) return null;
    uri = corrected;
  }
  return null;
}

function correct(uri: string, problem: RedirectUriProblem): string | null {
  switch (problem) {
    case "not_plain_ascii":
      return uri.trim() === uri ? parsed(uri) : uri.trim();
    case "fragment":
      return uri.slice(0, uri.indexOf("#"));
    case "not_absolute":
    case "scheme_needs_native":
      return withScheme(uri);
    case "userinfo":
      return uri.replace(/^([^:]+:\/\/)[^/?#]*@/, "$1");
    case "host_not_canonical":
    case "dot_segments":
      return parsed(uri);
    case "no_path":
      return uri.includes("?") ? uri.replace("?", "/?") : `${uri}/`;
    case "reserved_parameter":
      return withoutReserved(uri);
    case "http_not_loopback":
    case "http_in_production":
      return uri.replace(/^http:/, "https:");
    default:
      return null;
  }
}

/** As a browser writes it; null if it cannot. */
const parsed = (uri: string) => (isUrl(uri) ? new URL(uri).href : null);

/** A host that was typed without a scheme. */
function withScheme(uri: string): string | null {
  const [, host = ""] = /^(?:\/\/)?([a-z0-9.-]+)(?::\d+)?(?:[/?]|$)/i.exec(uri) ?? [];
  if (!host.includes(".") && host !== "localhost") return null;
  return `${isLoopbackHost(host) ? "http" : "https"}://${uri.replace(/^\/\//, "")}`;
}

function withoutReserved(uri: string): string {
  const at = uri.indexOf("?");
  const kept = uri
    .slice(at + 1)
    .split("&")
    .filter((pair) => !/^(code|state|iss|error|error_description|error_uri)(=|$)/.test(pair));
  return kept.length === 0 ? uri.slice(0, at) : `${uri.slice(0, at)}?${kept.join("&")}`;
}
