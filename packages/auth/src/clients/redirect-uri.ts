import { isLoopbackHost } from "@gatehouse/runtime/loopback";
import type { Client } from "./client.ts";
import { type NearestUri, nearestUri } from "./nearest-uri.ts";

/** A redirect URI that is proven to belong to the client. Only the match functions of this file make one. */
export type ProvenRedirectUri = string & { readonly __brand: "ProvenRedirectUri" };

/** A complete `Location` of a redirect to a client. Only {@link redirectTo} makes one, from a proven URI. */
export type ProvenRedirect = string & { readonly __brand: "ProvenRedirect" };

/** The sent URI, and the most similar registered one. */
export type RedirectUriDifference = { sent: string } & NearestUri;

export type RedirectUriMatch = { ok: true; uri: ProvenRedirectUri } | { ok: false; difference: RedirectUriDifference };

/** Groups: host, port, rest. */
const HTTP_URI = /^http:\/\/(\[[^\]]*\]|[^:/?]*)(?::([1-9]\d{0,4}))?([/?].*)?$/s;

/**
 * Is `sent` one of the client's redirect URIs? Compares whole strings, without parsing or normalising (RU-01, RU-02). A
 * native app's loopback URI may have any port (RU-06, RU-07, NA-01, NA-02, CF-01).
 */
export function matchRedirectUri(client: Pick<Client, "type" | "redirectUris">, sent: string): RedirectUriMatch {
  if (registeredEntry(client, sent) !== undefined) return { ok: true, uri: sent as ProvenRedirectUri };
  return { ok: false, difference: differenceFrom(client.redirectUris, sent) };
}

/**
 * The registered URI that accepts `sent`: the same string or, for a native app, a loopback URI with another port.
 * Undefined without one.
 */
export function registeredEntry(
  { type, redirectUris }: Pick<Client, "type" | "redirectUris">,
  sent: string,
): string | undefined {
  if (redirectUris.includes(sent)) return sent;
  return type === "native" ? loopbackEntry(redirectUris, sent) : undefined;
}

/**
 * Is `sent` the redirect URI of this exemption, and the exemption the client's? No other URI is accepted under it.
 * CO-28, CO-38.
 */
export function matchExemptUri(
  exemption: { clientId: string; redirectUri: string },
  client: Pick<Client, "clientId">,
  sent: string,
): RedirectUriMatch {
  const { clientId, redirectUri } = exemption;
  if (sent === redirectUri && clientId === client.clientId) return { ok: true, uri: sent as ProvenRedirectUri };
  return { ok: false, difference: differenceFrom([redirectUri], sent) };
}

/** Is `sent` one of the client's post-logout URIs? Compares whole strings, without exception. LO-01. */
export function matchPostLogoutUri(
  client: Pick<Client, "postLogoutRedirectUris">,
  sent: string,
): ProvenRedirectUri | undefined {
  return client.postLogoutRedirectUris.includes(sent) ? (sent as ProvenRedirectUri) : undefined;
}

/**
 * The `Location` of a response to the client: its URI unchanged, with `params` added to the query; undefined ones are
 * left out. Concatenates, because a URL parser would rewrite the registered URI (RU-09, AZ-17).
 */
export function redirectTo(uri: ProvenRedirectUri, params: Record<string, string | undefined>): ProvenRedirect {
  const query = Object.entries(params)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");
  if (query === "") return uri as string as ProvenRedirect;
  const joint = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  return `${uri}${joint}${query}` as ProvenRedirect;
}

function loopbackEntry(registered: readonly string[], sent: string): string | undefined {
  const wanted = loopbackParts(sent);
  if (wanted === undefined) return undefined;
  return registered.find((uri) => {
    const own = loopbackParts(uri);
    return own !== undefined && own.host === wanted.host && own.rest === wanted.rest;
  });
}

/** The three loopback hosts are different hosts. RFC 8252 §7.3, CF-15. */
function loopbackParts(uri: string): { host: string; rest: string } | undefined {
  const match = HTTP_URI.exec(uri);
  if (!match || !isLoopbackHost(match[1] ?? "") || Number(match[2] ?? 80) > 65_535) return undefined;
  // `http://127.0.0.1:5999` and `http://127.0.0.1:5999/` are the same; real clients send the shorter one.
  const rest = match[3] ?? "/";
  return { host: match[1] ?? "", rest: rest.startsWith("?") ? `/${rest}` : rest };
}

/** What to show users about a redirect URI: its host, or the scheme of a native app. */
export function redirectHost(uri: string): string {
  const [, scheme = "", host = ""] = /^([^:]+):(?:\/\/([^/?]*))?/.exec(uri) ?? [];
  return scheme === "https" || scheme === "http" ? host : scheme;
}

const DIFFERENCE_LENGTH = 512;

/** The text that is stored is the one that is compared, so that the console finds the same URI. */
function differenceFrom(registered: readonly string[], sent: string): RedirectUriDifference {
  const shown = printable(sent.slice(0, DIFFERENCE_LENGTH));
  return { sent: shown, ...nearestUri(shown, registered) };
}

/** Escapes control characters and look-alikes, so that admins can see them. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7E]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
