import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { type AuthorizationRequest, checkRequest } from "./checks.ts";
import { readParameters } from "./parameters.ts";
import type { PendingRequest } from "./pending-request.ts";
import { findRedirectTarget } from "./target.ts";

/**
 * Validates a pending request again, for a page that shows it, within what the page offers. Undefined when it is no
 * longer valid: submitting the form shows the error.
 */
export async function recheckRequest(pending: PendingRequest, deps: Deps): Promise<AuthorizationRequest | undefined> {
  try {
    const parameters = readParameters(pending.params, pending.pushed, pending.exemptionId);
    return await checkRequest(parameters, await findRedirectTarget(parameters, deps), deps, pending.offer);
  } catch (thrown) {
    if (thrown instanceof OAuthError) return undefined; // the client was changed meanwhile
    throw thrown;
  }
}
