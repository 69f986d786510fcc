import { isUrlClientId, loadDocumentClient } from "../clients/metadata-document.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { type AuthorizeResult, refuseOnPage } from "./answer.ts";
import { readParameters } from "./parameters.ts";
import { type PendingRequest, sealRequest } from "./pending-request.ts";

/**
 * For a client that is its own document: the user signs in first, so that nobody else makes us fetch what a URL names (CI-07).
 * Undefined when the request may go on; at once for every other client.
 */
export async function admitUnregisteredClient(
  { params, pushed }: Pick<PendingRequest, "params" | "pushed">,
  session: ActiveSession | undefined,
  deps: Deps,
  caller: Caller,
): Promise<AuthorizeResult | undefined> {
  const clientId = params.get("client_id");
  if (clientId === null || !isUrlClientId(clientId)) return undefined;
  const parameters = readParameters(params, pushed);
  try {
    if (parameters.repeated.length > 0)
      throw pageError("invalid_request", "The request is ambiguous: it contains a parameter more than once.");
    if (session) {
      await loadDocumentClient(clientId, deps, caller);
      return undefined;
    }
    if (parameters.values.prompt?.split(" ").includes("none")) throw pageError("login_required", "You have to sign in first.");
  } catch (thrown) {
    return refuseOnPage(thrown, parameters, deps, caller);
  }
  return { kind: "sign_in", request: sealRequest("sign-in", parameters, null, deps), loginHint: parameters.values.login_hint };
}

/** AZ-35: who is not known yet is not redirected to. */
function pageError(code: "invalid_request" | "login_required", description: string): OAuthError {
  const cause = code === "invalid_request" ? "parameter_repeated" : "prompt_none_unmet";
  return new OAuthError(code, cause, description, { description, status: 400 });
}
