import type { Hash } from "../crypto/secret.ts";

/** What we read from an authorization request. All else is ignored, even when repeated. AZ-02. */
export const AUTHORIZATION_PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "nonce",
  "prompt",
  "max_age",
  "login_hint",
  "id_token_hint",
  "claims",
  "dpop_jkt",
  "request",
  "request_uri",
] as const;

type Name = (typeof AUTHORIZATION_PARAMETERS)[number];

export type AuthorizationParameters = {
  /** Absent when missing, empty (AZ-03) or repeated. Names and values are case-sensitive (AZ-05). */
  values: { readonly [name in Name]?: string };
  /** The one parameter that may repeat. RFC 8707 §2. */
  resources: readonly string[];
  /** Sent more than once, whatever the values. AZ-04. */
  repeated: readonly Name[];
  /** Set when the client pushed them to us beforehand. RFC 9126. */
  pushed: Hash | undefined;
};

/** Reads the parameters of a query or a form; `pushed` names the pushed request they are of. OAuth 2.1 §3.1. */
export function readParameters(params: URLSearchParams, pushed?: Hash): AuthorizationParameters {
  const values: { [name in Name]?: string } = {};
  const repeated: Name[] = [];
  for (const name of AUTHORIZATION_PARAMETERS) {
    const sent = params.getAll(name);
    if (sent.length > 1) repeated.push(name);
    else if (sent[0]) values[name] = sent[0];
  }
  return { values, repeated, resources: params.getAll("resource").filter((value) => value !== ""), pushed };
}

/** The same request with only what we read, for sealing. */
export function writeParameters({ values, resources }: AuthorizationParameters): string {
  const params = new URLSearchParams(Object.entries(values));
  for (const resource of resources) params.append("resource", resource);
  return params.toString();
}
