import { authenticateClient } from "../clients/authentication.ts";
import { CLIENT_PARAMETERS } from "../clients/credentials.ts";
import { OAuthError } from "../errors/error.ts";
import { GRANTS, type GrantType, isGrantType } from "../grants/table.ts";
import { formEndpoint } from "../http/endpoint.ts";
import type { Form } from "../http/form.ts";
import { provenKey } from "../tokens/dpop.ts";

const PARAMETERS = [
  ...CLIENT_PARAMETERS,
  "grant_type",
  "scope",
  "resource",
  ...Object.values(GRANTS).flatMap(({ parameters }): readonly string[] => parameters),
];

/** POST /token. OAuth 2.1 §3.2. The order of the steps is TK-06's: an unknown grant is told before anyone authenticates. */
export const token = formEndpoint({ path: "/token", parameters: PARAMETERS, cors: true }, async (posted) => {
  const { request, form, deps } = posted;
  const grantType = readGrantType(form);
  const client = await authenticateClient(posted);
  if (!client.grantTypes.includes(grantType)) {
    throw new OAuthError("unauthorized_client", "client_grant_not_allowed", `the client is not registered for ${grantType}`, {
      description: "This client may not use this grant_type.",
      detail: { grantType },
    });
  }
  const proving = provenKey(request, client, deps);
  const answer = await GRANTS[grantType].handle(form, client, deps, proving && (await proving));
  // Written behind: strangers' clients that nobody uses any more are cleared away some day (DC-06).
  if (client.origin !== "registered") deps.store.touchClient(client.clientId, deps.now()).catch(() => {});
  return answer;
});

function readGrantType(form: Form): GrantType {
  const sent = form.optional("grant_type");
  if (sent === undefined) {
    const description = "grant_type is missing.";
    throw new OAuthError("invalid_request", "grant_type_missing", description, { description });
  }
  if (isGrantType(sent)) return sent;
  throw new OAuthError("unsupported_grant_type", "grant_type_unsupported", "no grant has this name", {
    description: "This grant_type is not supported here.",
    detail: { grantType: sent.slice(0, 100) },
  });
}
