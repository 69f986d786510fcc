import { type AuthenticationDemand, authenticationChallenge, resourceMetadataUrl } from "@gatehouse/auth";
import type { OperationDeps } from "./deps.ts";

/** `WWW-Authenticate` for a sign-in that is too old or too weak: what the client has to request. RFC 9470 §3. */
export function insufficientAuthentication(demand: AuthenticationDemand, config: OperationDeps["config"]): string {
  const error =
    'error="insufficient_user_authentication", error_description="This requires a more recent or stronger sign-in."';
  return `Bearer ${[error, ...authenticationChallenge(demand), `resource_metadata="${resourceMetadataUrl(config)}"`].join(", ")}`;
}
