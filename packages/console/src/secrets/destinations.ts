import type { SignInProvider } from "@gatehouse/accounts";
import type { EndpointRow } from "../webhook-endpoints/queries.ts";

/**
 * Every stored credential that this server sends to somebody, with the address that it goes to. A person who enters one
 * trusts that address with it, so any change of the address, by the console, a file, a token or the command line, ends
 * the credential or needs it again. What the environment holds cannot be redirected without the environment. The ID token that a session keeps for its sign-out goes to its own issuer alone
 * (`upstreamSignOut`).
 */
export const DESTINATIONS = {
  "webhook API key": ({ settings }: Pick<EndpointRow, "settings">): unknown => settings["apiBaseUrl"],
  // The secret is never sent, but a receiver of what it signs could replay that to the product.
  "webhook forwarding secret": ({ forward, environment }: Pick<EndpointRow, "forward" | "environment">): unknown =>
    forward && `${environment === "production" ? "production" : "elsewhere"} ${forward.url}`,
  "sign-in provider's secret": ({ issuer }: Pick<SignInProvider, "issuer">): unknown => issuer,
  "SMTP server's password": ({ url }: { url: string }): unknown => {
    const { protocol, username, hostname, port } = new URL(url);
    return `${protocol}//${username}@${hostname}:${port || (protocol === "smtps:" ? 465 : 587)}`;
  },
};

export type SentCredential = keyof typeof DESTINATIONS;

/** Whether the credential would go to another address after a change. */
export function isRedirected<Kind extends SentCredential>(
  kind: Kind,
  before: Parameters<(typeof DESTINATIONS)[Kind]>[0],
  after: Parameters<(typeof DESTINATIONS)[Kind]>[0],
): boolean {
  const addressOf = DESTINATIONS[kind] as (of: typeof before) => unknown;
  return addressOf(before) !== addressOf(after);
}
