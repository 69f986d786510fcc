import { isLoopbackHost } from "@gatehouse/runtime/loopback";
import type { Environment } from "./client.ts";
import type { ClientType } from "./client-type.ts";
import { nearestUri } from "./nearest-uri.ts";
import { registeredEntry } from "./redirect-uri.ts";

/** Every {@link UriDifferenceKind}. */
export const URI_DIFFERENCE_KINDS = [
  "white_space",
  "characters",
  "other_environment",
  "scheme",
  "user_name",
  "host",
  "port",
  "case",
  "slash",
  "encoding",
  "path",
  "query",
  "fragment",
] as const;
/**
 * In what way a sent redirect URI differs from a registered one. A closed list: the failure ledger groups by it. CO-26,
 * CO-51.
 */
export type UriDifferenceKind = (typeof URI_DIFFERENCE_KINDS)[number];

/** One difference, with a phrase that continues "The URI is not registered: …". */
export type UriDifference = { kind: UriDifferenceKind; text: string };

export type UriComparison = {
  /** The registered entry that `/authorize` accepts the sent URI by; null if it would refuse it. */
  matched: string | null;
  /** The most similar registered URI; null if there is none, or if one matched. */
  nearest: string | null;
  /** Index of the first character in which `nearest` differs; 0 without one. */
  differsAt: number;
  /** How it differs from `nearest`, the most telling first. Empty only if it matched or nothing is registered. */
  differences: UriDifference[];
};

/** A client of the same application in another environment. */
export type OtherRegistration = { environment: Environment; type: ClientType; redirectUris: readonly string[] };

/**
 * Compares a redirect URI with those of a client, by the matcher of `/authorize`, and says in words how it differs from
 * the nearest. Pure; fetches nothing. `others`: where else the URI may be registered. CO-26, CO-47.
 */
export function compareRedirectUris(
  sent: string,
  client: { type: ClientType; redirectUris: readonly string[] },
  others: readonly OtherRegistration[] = [],
): UriComparison {
  const matched = registeredEntry(client, sent);
  if (matched !== undefined) return { matched, nearest: null, differsAt: 0, differences: [] };
  const elsewhere = others.find((other) => registeredEntry(other, sent) !== undefined);
  const { nearest, differsAt } = nearestUri(sent, client.redirectUris);
  const found = nearest === null ? [] : differencesOf(sent, nearest);
  return {
    matched: null,
    nearest,
    differsAt,
    differences: elsewhere
      ? [{ kind: "other_environment", text: `it is registered for ${elsewhere.environment}` }, ...found]
      : found,
  };
}

type Parts = {
  scheme: string;
  user: string | undefined;
  host: string;
  port: string | undefined;
  path: string;
  query: string;
  fragment: string;
};

const URI = /^(?:([^:/?#]*):)?(?:\/\/(?:([^@/?#]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::([^/?#]*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/s;

function partsOf(uri: string): Parts {
  const [, scheme = "", user, host = "", port, path = "", query = "", fragment = ""] = URI.exec(uri) ?? [];
  return { scheme, user, host, port, path, query, fragment };
}

function differencesOf(sent: string, registered: string): UriDifference[] {
  const hidden = hiddenCharacters(sent);
  const bare = sent.replace(/[\s\p{C}]/gu, "");
  const [own, wanted] = [partsOf(bare), partsOf(registered)];
  const found = [
    hidden,
    differs(own.scheme, wanted.scheme, "scheme", () => `${own.scheme || "no scheme"} instead of ${wanted.scheme}`),
    own.user === undefined ? undefined : ({ kind: "user_name", text: "a user name before the host" } as const),
    differs(
      own.host,
      wanted.host,
      "host",
      () => `the host ${own.host || "is missing"} instead of ${wanted.host}${loopbackNote(own, wanted)}`,
    ),
    own.port === wanted.port ? undefined : ({ kind: "port", text: portText(own.port, wanted.port) } as const),
    pathDifference(own.path, wanted.path),
    queryDifference(own.query, wanted.query),
    own.fragment === ""
      ? undefined
      : ({ kind: "fragment", text: "a # and what follows; a redirect URI has no fragment" } as const),
  ].filter((one) => one !== undefined);
  return found.length > 0 ? found : [{ kind: "characters", text: "other characters than the registered URI" }];
}

function differs(own: string, wanted: string, kind: UriDifferenceKind, text: () => string): UriDifference | undefined {
  if (own === wanted) return undefined;
  if (own.toLowerCase() === wanted.toLowerCase())
    return { kind: "case", text: `upper and lower case differ: ${own} instead of ${wanted}` };
  return { kind, text: text() };
}

const loopbackNote = (own: Parts, wanted: Parts) =>
  isLoopbackHost(own.host) && isLoopbackHost(wanted.host) ? ". Gatehouse treats these as different hosts" : "";

function portText(own: string | undefined, wanted: string | undefined): string {
  if (own === undefined) return `no port, and ${wanted} is registered`;
  return wanted === undefined ? `the port ${own}, and none is registered` : `the port ${own} instead of ${wanted}`;
}

function pathDifference(own: string, wanted: string): UriDifference | undefined {
  if (own === wanted) return undefined;
  if (own === `${wanted}/`) return { kind: "slash", text: "a slash at the end" };
  if (`${own}/` === wanted) return { kind: "slash", text: "no slash at the end" };
  if (decoded(own) === decoded(wanted))
    return { kind: "encoding", text: "the same path, percent-encoded in another way" };
  if (own.toLowerCase() === wanted.toLowerCase())
    return { kind: "case", text: "upper and lower case differ in the path" };
  return { kind: "path", text: `the path ${own || "is missing"} instead of ${wanted || "none"}` };
}

function queryDifference(own: string, wanted: string): UriDifference | undefined {
  if (own === wanted) return undefined;
  if (wanted === "") return { kind: "query", text: "a query, and none is registered" };
  if (own === "") return { kind: "query", text: `no query, and ${wanted} is registered` };
  const sorted = (query: string) => query.slice(1).split("&").sort().join("&");
  return {
    kind: "query",
    text: sorted(own) === sorted(wanted) ? "its parameters in another order" : `the query ${own} instead of ${wanted}`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Spaces, line breaks, and characters that are not ASCII: those that an eye can miss are named by their code points.
 */
function hiddenCharacters(sent: string): UriDifference | undefined {
  const found = [...new Set(sent.match(/[^\x21-\x7E]/gu) ?? [])];
  if (found.length === 0) return undefined;
  const codes = found
    .slice(0, 5)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(", ");
  const isSpace = found.every((character) => /\s/u.test(character));
  return isSpace
    ? { kind: "white_space", text: `white space in it (${codes})` }
    : { kind: "characters", text: `characters that are not plain ASCII (${codes})` };
}

/**
 * What somebody pasted to test: the URI itself, its percent-encoded form, or the address of an authorization request.
 */
export type TestedUri = { uri: string; from: "uri" | "percent_encoded" | "authorize_url" };

/**
 * Reads what was pasted; surrounding white space of an address bar is dropped, that of a plain URI is kept and named.
 * CO-26.
 */
export function readTestedUri(pasted: string): TestedUri {
  const text = pasted.trim();
  const inQuery = /[?&#]redirect_uri=([^&#]*)/.exec(text);
  if (inQuery) return { uri: formDecoded(inQuery[1] ?? ""), from: "authorize_url" };
  if (/^[A-Za-z][A-Za-z0-9+.-]*%3A/i.test(text)) return { uri: formDecoded(text), from: "percent_encoded" };
  return { uri: pasted, from: "uri" };
}

const formDecoded = (text: string) => decoded(text.replaceAll("+", " "));
