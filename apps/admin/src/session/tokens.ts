import { ResponseBodyError, refreshTokenGrant, type TokenEndpointResponse, tokenRevocation } from "openid-client";
import { gatehouse } from "./gatehouse.ts";

/** What the console holds for one signed-in browser; lives in that browser's encrypted cookie. */
export type Tokens = {
  accessToken: string;
  refreshToken: string | null;
  /** Unix seconds. */
  expiresAt: number;
};

export const unixNow = () => Math.floor(Date.now() / 1000);

const RENEW_BEFORE_SECONDS = 60;
const REMEMBER_MS = 25_000;

/** `now` in Unix seconds. A server that does not rotate sends no refresh token, and the previous one stays. RFC 6749 §6. */
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

// The proxy and the route handlers are separate bundles of one process: what they share hangs on the global object.
const shared = globalThis as typeof globalThis & { gatehouseRenewals?: Map<string, Promise<Tokens | undefined>> };

/**
 * Trades the refresh token once, however many requests of a browser ask at the same time; late ones, still carrying
 * the old cookie, get the same answer. Resolves to undefined when the sign-in is over.
 * @throws when the server cannot be reached.
 */
export function renew(tokens: Tokens): Promise<Tokens | undefined> {
  const { refreshToken } = tokens;
  if (refreshToken === null) return Promise.resolve(undefined);
  shared.gatehouseRenewals ??= new Map();
  const renewals = shared.gatehouseRenewals;

  const underway = renewals.get(refreshToken);
  if (underway) return underway;

  const renewal = trade(refreshToken, tokens);
  renewals.set(refreshToken, renewal);
  const forget = () => renewals.delete(refreshToken);
  renewal.then(() => setTimeout(forget, REMEMBER_MS).unref(), forget);
  return renewal;
}

async function trade(refreshToken: string, previous: Tokens): Promise<Tokens | undefined> {
  try {
    return tokensFrom(await refreshTokenGrant(await gatehouse(), refreshToken), unixNow(), previous);
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === "invalid_grant") return undefined;
    throw error;
  }
}

/** Ends the console's access. Never fails: the cookie goes in any case, and the tokens expire by themselves. */
export async function revoke(tokens: Tokens): Promise<void> {
  try {
    await tokenRevocation(await gatehouse(), tokens.refreshToken ?? tokens.accessToken);
  } catch (error) {
    console.error("The console's tokens could not be revoked", error);
  }
}
