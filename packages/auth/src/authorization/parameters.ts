import type { Hash } from "../crypto/secret.ts";

/** The parameters of an authorization request. Any other is ignored, even when repeated. AZ-02, OI-07. */
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
  "acr_values",
  "login_hint",
  "id_token_hint",
  "claims",
  "ui_locales",
  "dpop_jkt",
  "request",
  "request_uri",
] as const;

type Name = (typeof AUTHORIZATION_PARAMETERS)[number];

export type AuthorizationParameters = {
  /** Absent when missing, empty (AZ-03) or repeated. Names and values are case-sensitive (AZ-05). */
  values: { readonly [name in Name]?: string };
  /** The only parameter that may be repeated. RFC 8707 §2. */
  resources: readonly string[];
  /** The parameters sent more than once. AZ-04. */
  repeated: readonly Name[];
  /** Hash of the pushed request they come from, if any. RFC 9126. */
  pushed: Hash | undefined;
  /** Id of the exemption that it was pushed under. Never read from a request. CO-38. */
  exemptionId?: string;
};

/**
 * Reads the parameters of a query or a form. `pushed` is the hash of the pushed request they come from, and
 * `exemptionId` what that was pushed under. OAuth 2.1 §3.1.
 */
export function readParameters(
  params: URLSearchParams,
  pushed?: Hash,
  exemptionId?: string | null,
): AuthorizationParameters {
  const values: { [name in Name]?: string } = {};
  const repeated: Name[] = [];
  for (const name of AUTHORIZATION_PARAMETERS) {
    const sent = params.getAll(name);
    if (sent.length > 1) repeated.push(name);
    else if (sent[0]) values[name] = sent[0];
  }
  const resources = params.getAll("resource").filter((value) => value !== "");
  return { values, repeated, resources, pushed, ...(exemptionId && { exemptionId }) };
}

/** Form-encodes the parameters that {@link readParameters} reads, for sealing and storing. */
export function writeParameters({ values, resources }: AuthorizationParameters): string {
  const params = new URLSearchParams(Object.entries(values));
  for (const resource of resources) params.append("resource", resource);
  return params.toString();
}
