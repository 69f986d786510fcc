import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  getValidatedIdTokenClaims,
  type IDToken,
  type IntrospectionResponse,
  introspectionRequest,
  processAuthorizationCodeResponse,
  processIntrospectionResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from "oauth4webapi";
import type { Server } from "../process-state.ts";
import { request } from "./server.ts";

/** A response of the token endpoint, checked. `at`: when it was asked for, in milliseconds. */
export type TokenAnswer = { answer: TokenEndpointResponse; claims: IDToken | undefined; at: number };

/** The server's metadata, fetched now: a browser must not be sent to a server that is down. PK-32. */
export function findServer(server: Server): Promise<AuthorizationServer> {
  return request(server, async ({ as }) => as, { fresh: true });
}

/**
 * Checks `state` and `iss` of a callback and exchanges its code. OAuth 2.1 §4.1.3, RFC 9207 §2.4, OpenID Connect Core
 * §3.1.3.7. PK-30.
 */
export function exchangeCode(
  server: Server,
  callback: {
    parameters: URLSearchParams;
    state: string;
    nonce: string | undefined;
    verifier: string;
    redirectUri: string;
  },
): Promise<TokenAnswer> {
  const { parameters, state, nonce, verifier, redirectUri } = callback;
  return request(
    server,
    async ({ as, client, authentication, options }) => {
      const checked = validateAuthResponse(as, client, parameters, state);
      const at = server.settings.now();
      const response = await authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        checked,
        redirectUri,
        verifier,
        options,
      );
      const expected = nonce === undefined ? {} : { expectedNonce: nonce, requireIdToken: true };
      return checkedAnswer(await processAuthorizationCodeResponse(as, client, response, expected), at);
    },
    CODE_IS_SPENT,
  );
}

/** A code that is sent twice revokes its grant. OAuth 2.1 §7.5.2. */
const CODE_IS_SPENT = { once: true };

/** Exchanges a refresh token. Rejects with GrantEnded when it is no longer valid. OAuth 2.1 §4.3. */
export function refresh(server: Server, refreshToken: string): Promise<TokenAnswer> {
  return request(server, async ({ as, client, authentication, options }) => {
    const at = server.settings.now();
    const response = await refreshTokenGrantRequest(as, client, authentication, refreshToken, options);
    return checkedAnswer(await processRefreshTokenResponse(as, client, response), at);
  });
}

function checkedAnswer(answer: TokenEndpointResponse, at: number): TokenAnswer {
  return { answer, claims: getValidatedIdTokenClaims(answer), at };
}

/** Asks the server about an access token. RFC 7662. */
export function introspect(server: Server, token: string): Promise<IntrospectionResponse> {
  return request(server, async ({ as, client, authentication, options }) =>
    processIntrospectionResponse(as, client, await introspectionRequest(as, client, authentication, token, options)),
  );
}

/** Revokes a refresh token, which ends its grant, or an access token alone. RFC 7009. */
export function revoke(server: Server, token: string): Promise<void> {
  return request(server, async ({ as, client, authentication, options }) =>
    processRevocationResponse(await revocationRequest(as, client, authentication, token, options)),
  );
}

/** Where browsers end their session at the server. OpenID Connect RP-Initiated Logout §2.1. */
export function endSessionEndpoint(server: Server): Promise<string> {
  return request(server, async ({ as }) => as.end_session_endpoint ?? `${as.issuer}/logout`);
}
