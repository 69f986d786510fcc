import { readAuthorization } from "@gatehouse/guard";
import type { GatehouseOptions } from "../options.ts";
import { readApiSettings } from "../settings.ts";
import { type Api, apiOf } from "./api.ts";
import { type Rejection, rejectionOf } from "./rejection.ts";
import type { TokenDemand, TokenRequest, VerifiedToken } from "./token.ts";
import { verifyRequest, verifySent } from "./verify.ts";

/**
 * Checks an access token for this API and returns what it allows. An opaque token is introspected at each call; a JWT
 * is verified locally, and counts until it expires unless `live` asks the server. A token that is bound to a key needs
 * its request, for the proof. PK-48.
 *
 * @throws GatehouseError `invalid_token`, `insufficient_scope`, `insufficient_user_authentication` or `unavailable`.
 *   Respond with its `status`, and with its `challenge` as `WWW-Authenticate`.
 */
export type VerifyToken = (
  token: string | null | undefined,
  demand?: TokenDemand & { request?: TokenRequest | undefined },
) => Promise<VerifiedToken>;

/** The token of a request that may pass, or how to reject it. */
export type CheckedRequest = { ok: true; token: VerifiedToken } | ({ ok: false } & Rejection);

/** Access tokens at one API. */
export type Tokens = {
  /** The settings, read at the first call. Throws GatehouseError `configuration`. */
  api(): Api;
  verifyToken: VerifyToken;
  /** Checks the token in the `Authorization` header of a request. */
  checkRequest(request: TokenRequest, demand: TokenDemand): Promise<CheckedRequest>;
};

/** {@link VerifyToken} for an API alone: a bundle with it has no code of sign-in and sessions. PK-63 */
export function createVerifyToken(options: GatehouseOptions = {}): VerifyToken {
  return createTokens(options).verifyToken;
}

/** Nothing is read or asked before the first call. PK-12. */
export function createTokens(options: GatehouseOptions): Tokens {
  let opened: Api | undefined;
  const api = () => {
    opened ??= apiOf(readApiSettings(options));
    return opened;
  };
  return {
    api,
    async verifyToken(secret, { request, ...demand } = {}) {
      const authorization = request?.headers.get("authorization") ?? null;
      try {
        const bound = /^dpop /i.test(authorization ?? "");
        const sent = secret ? { secret, bound } : readAuthorization(null); // BR-04
        return await verifySent(sent, demand, request, api());
      } catch (thrown) {
        throw rejectionOf(thrown, authorization, demand, api()).error;
      }
    },
    async checkRequest(request, demand) {
      try {
        return { ok: true, token: await verifyRequest(request, demand, api()) };
      } catch (thrown) {
        const rejection = rejectionOf(thrown, request.headers.get("authorization"), demand, api());
        if (rejection.error.status >= 500) api().settings.onError(rejection.error);
        return { ok: false, ...rejection };
      }
    },
  };
}
