import { type ProvenRedirect, type ProvenRedirectUri, redirectHost, redirectTo } from "../clients/redirect-uri.ts";
import type { AuthorizationParameters } from "./parameters.ts";

/** The ways in which a client can have its response, as the metadata lists them. AZ-21, MD-03. */
export const RESPONSE_MODES = ["query", "form_post"] as const;

/** A response to the client, through the browser. */
export type ClientResponse =
  /** 303 to the client, with a code or an error. */
  | { kind: "redirect"; to: ProvenRedirect }
  /** A page with a form that posts itself to the client. OAuth 2.0 Form Post Response Mode §2. */
  | { kind: "form_post"; to: ProvenRedirectUri; host: string; fields: Record<string, string> };

/**
 * Sends `params` to the client as it asked for; undefined ones are left out. An error about the response mode itself
 * goes in the query. Never in a fragment. AZ-21.
 */
export function respondToClient(
  redirectUri: ProvenRedirectUri,
  { values }: Pick<AuthorizationParameters, "values">,
  params: Record<string, string | undefined>,
): ClientResponse {
  if (values.response_mode !== "form_post" || !acceptsForms(redirectUri))
    return { kind: "redirect", to: redirectTo(redirectUri, params) };
  const fields = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { kind: "form_post", to: redirectUri, host: redirectHost(redirectUri), fields: Object.fromEntries(fields) };
}

/** A private scheme opens an app with a URL, and nothing is posted to it. */
export function acceptsForms(redirectUri: string): boolean {
  return /^https?:/.test(redirectUri);
}
