import { OAuthError } from "../errors/error.ts";
import type { EndpointContext } from "../http/endpoint.ts";
import { readCredentials } from "./credentials.ts";
import { loadDocumentClient } from "./document-cache.ts";
import { isUrlClientId } from "./metadata-document.ts";

/**
 * Reads the metadata document of a client that pushes its first request: until then, nobody here has heard of it. Limited per caller as the
 * lookups of signed-in users are. Throws `invalid_client` when there is no such document. CI-07, PA-01.
 */
export async function loadPushingClient({ request, form, deps, caller }: EndpointContext): Promise<void> {
  if (!deps.config.clientMetadataDocuments) return;
  const clientId = readCredentials(request, form)[0]?.clientId;
  if (clientId === undefined || !isUrlClientId(clientId) || (await deps.store.findClient(clientId))) return;
  try {
    await loadDocumentClient(clientId, deps, caller);
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || thrown.code !== "invalid_client") throw thrown;
    const { refusalCause, message, description } = thrown;
    throw new OAuthError("invalid_client", refusalCause, message, { description: description ?? "Client authentication failed." });
  }
}
