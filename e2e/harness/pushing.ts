import { type ActingClient, newProof, postAs, redirectUriOf } from "./flow.ts";
import type { Answer, Fields } from "./http.ts";

/** Pushes a valid authorization request; `change` replaces, adds or (undefined) removes parameters. */
export function pushRequest(
  issuer: string,
  client: ActingClient,
  change: Fields = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const right: Fields = {
    response_type: "code",
    redirect_uri: redirectUriOf(client),
    code_challenge: newProof().challenge,
    code_challenge_method: "S256",
    scope: "api:read",
    state: "the-state",
  };
  return postAs(issuer, "/par", client, { ...right, ...change }, headers);
}

/** The URL that the browser opens for a pushed request. */
export function pushedPath(client: ActingClient, requestUri: string, more: Record<string, string> = {}): string {
  return `/authorize?${new URLSearchParams({ client_id: client.client_id, request_uri: requestUri, ...more })}`;
}
