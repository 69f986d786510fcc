import { authenticateClient } from "../clients/authentication.ts";
import { isSelfDescribed } from "../clients/client.ts";
import { CLIENT_PARAMETERS } from "../clients/credentials.ts";
import { PREFIX } from "../crypto/secret.ts";
import { OAuthError } from "../errors/error.ts";
import { authorizationCode } from "../grants/authorization-code.ts";
import { clientCredentials } from "../grants/client-credentials.ts";
import { deviceCode } from "../grants/device-code.ts";
import type { GrantHandler } from "../grants/grant.ts";
import { refreshToken } from "../grants/refresh-token.ts";
import { DEVICE_CODE_GRANT, GRANTS, type GrantType, isGrantType, TOKEN_EXCHANGE_GRANT } from "../grants/table.ts";
import { tokenExchange } from "../grants/token-exchange.ts";
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

const HANDLERS: Record<GrantType, GrantHandler> = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  client_credentials: clientCredentials,
  [DEVICE_CODE_GRANT]: deviceCode,
  [TOKEN_EXCHANGE_GRANT]: tokenExchange,
};

/**
 * POST /token. OAuth 2.1 §3.2. Rejects an unknown grant before authenticating the client (TK-06). A verifier is for the
 * code alone (PK-07).
 */
export const token = formEndpoint({ path: "/token", parameters: PARAMETERS, cors: true }, async (posted) => {
  const { request, form, deps } = posted;
  const grantType = readGrantType(form);
  const client = await authenticateClient(posted);
  if (!client.grantTypes.includes(grantType)) {
    throw new OAuthError(
      "unauthorized_client",
      "client_grant_not_allowed",
      `the client is not registered for ${grantType}`,
      {
        description: "This client is not registered for this grant_type.",
        detail: { grantType },
      },
    );
  }
  if (deps.exemption && grantType === TOKEN_EXCHANGE_GRANT) {
    const description = "A request that the host makes under an exemption cannot exchange tokens.";
    throw new OAuthError("unauthorized_client", "client_grant_not_allowed", description, { description });
  }
  const proving = provenKey(request, client, deps);
  const answer = await HANDLERS[grantType](form, client, deps, proving && (await proving));
  const format = answer.access_token.startsWith(PREFIX.accessToken) ? "opaque" : "jwt";
  deps.usage?.tokenIssued(client, grantType, answer.scope ?? "", format);
  // Fire-and-forget: unused self-described clients are deleted some day (DC-06).
  if (isSelfDescribed(client)) deps.store.touchClient(client.clientId, deps.now()).catch(() => {});
  return answer;
});

/** There is no password grant. TK-05, SE-22, MC-01. */
function readGrantType(form: Form): GrantType {
  const sent = form.optional("grant_type");
  if (sent === undefined) {
    const description = "grant_type is missing.";
    throw new OAuthError("invalid_request", "grant_type_missing", description, { description });
  }
  if (isGrantType(sent)) return sent;
  throw new OAuthError("unsupported_grant_type", "grant_type_unsupported", "unknown grant_type", {
    description: "This grant_type is not supported.",
    detail: { grantType: sent.slice(0, 100) },
  });
}
