import { loadDocumentClient } from "../clients/document-cache.ts";
import { isUrlClientId } from "../clients/metadata-document.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { readParameters } from "./parameters.ts";
import { type PendingRequest, sealRequest } from "./pending-request.ts";
import { readPushedRequest } from "./pushed-request.ts";
import { type AuthorizeResult, refuseOnPage } from "./response.ts";

/**
 * Loads the client of a metadata document. The user must sign in first, so that only signed-in users can make us fetch
 * a URL (CI-07). Undefined when the request can proceed, which is always so for other clients.
 */
export async function admitUnregisteredClient(
  { params, pushed }: Pick<PendingRequest, "params" | "pushed">,
  session: ActiveSession | undefined,
  deps: Deps,
  caller: Caller,
): Promise<AuthorizeResult | undefined> {
  const clientId = params.get("client_id");
  if (clientId === null || !isUrlClientId(clientId)) return undefined;
  let parameters = readParameters(params, pushed);
  try {
    // PA-04: a pushed request is valid for a minute and a sign-in takes longer, so what is sealed is the request, not
    // the reference to it.
    if (pushed === undefined && !session) parameters = await readPushedRequest(parameters, deps);
    if (parameters.repeated.length > 0)
      throw pageError("invalid_request", "The request is ambiguous: it contains a parameter more than once.");
    if (session) {
      await loadDocumentClient(clientId, deps, caller);
      return undefined;
    }
    if (parameters.values.prompt?.split(" ").includes("none"))
      throw pageError("login_required", "You need to sign in first.");
  } catch (thrown) {
    return refuseOnPage(thrown, parameters, deps, caller);
  }
  const { login_hint: loginHint, prompt } = parameters.values;
  const create = prompt?.split(" ").includes("create") ?? false;
  return { kind: "sign_in", request: sealRequest(parameters, null, deps), loginHint, create, renews: false };
}

/** AZ-35: errors are not redirected to an unknown client. */
function pageError(code: "invalid_request" | "login_required", description: string): OAuthError {
  const cause = code === "invalid_request" ? "parameter_repeated" : "prompt_none_unmet";
  return new OAuthError(code, cause, description, { description, status: 400 });
}
