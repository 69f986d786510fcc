import { ResponseBodyError, refreshTokenGrant, type TokenEndpointResponse, tokenRevocation } from "openid-client";
import { authorizationServer } from "./authorization-server.ts";

/** The tokens of one signed-in browser, stored in its encrypted cookie. */
export type Tokens = {
  accessToken: string;
  refreshToken: string | null;
  /** Unix seconds. */
  expiresAt: number;
};

export const unixNow = () => Math.floor(Date.now() / 1000);

const RENEW_BEFORE_SECONDS = 60;
const KEEP_RENEWAL_MS = 25_000;

/** `now` is in Unix seconds. Keeps the previous refresh token when the server does not rotate it (RFC 6749 §6). */
export function tokensFrom(response: TokenEndpointResponse, now: number, previous?: Tokens): Tokens {
  return {
    accessToken: response.access_token,
    refreshToken: response.refresh_token ?? previous?.refreshToken ?? null,
    expiresAt: now + (response.expires_in ?? 300),
  };
}

export function isNearExpiry(tokens: Tokens, now: number): boolean {
  return tokens.expiresAt - RENEW_BEFORE_SECONDS <= now;
}

// The proxy and the route handlers are separate bundles in one process, so shared state lives on the global object.
const shared = globalThis as typeof globalThis & { gatehouseRenewals?: Map<string, Promise<Tokens | undefined>> };

/**
 * Exchanges the refresh token for new tokens. Concurrent requests of one browser share one exchange, and so do requests
 * that still send the old cookie shortly after. Resolves to undefined when the refresh token is no longer valid.
 * @throws when the server cannot be reached.
 */
export function renew(tokens: Tokens): Promise<Tokens | undefined> {
  const { refreshToken } = tokens;
  if (refreshToken === null) return Promise.resolve(undefined);
  shared.gatehouseRenewals ??= new Map();
  const renewals = shared.gatehouseRenewals;

  const pending = renewals.get(refreshToken);
  if (pending) return pending;

  const renewal = exchange(refreshToken, tokens);
  renewals.set(refreshToken, renewal);
  const forget = () => renewals.delete(refreshToken);
  renewal.then(() => setTimeout(forget, KEEP_RENEWAL_MS).unref(), forget);
  return renewal;
}

async function exchange(refreshToken: string, previous: Tokens): Promise<Tokens | undefined> {
  try {
    return tokensFrom(await refreshTokenGrant(await authorizationServer(), refreshToken), unixNow(), previous);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === "invalid_grant") return undefined;
    throw error;
  }
}

/**
 * Revokes the tokens (RFC 7009). Never throws: the cookie is deleted either way, and the tokens expire on their own.
 */
export async function revoke(tokens: Tokens): Promise<void> {
  try {
    await tokenRevocation(await authorizationServer(), tokens.refreshToken ?? tokens.accessToken);
  } catch (error) {
    console.error("Revoking the console's tokens failed", error);
  }
}
