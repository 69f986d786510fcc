import { CLI_CLIENT_ID, CLI_SCOPES } from "@gatehouse/console/clients/built-in-clients";
import * as oauth from "openid-client";
import { forgetTokens, readTokens, type StoredTokens, writeTokens } from "./token-file.ts";

const REFRESH_BEFORE_MS = 30_000;

/** A signed-in user of a running server. */
export type RemoteSession = {
  /**
   * A valid access token. Renews it when it is about to expire, and asks the user to sign in again if that is refused.
   */
  accessToken(): Promise<string>;
  /** Drops the tokens, after the server has refused them. The next call of `accessToken` signs in again. */
  reject(): void;
};

/**
 * Signs in to the server as a device, RFC 8628: prints a URL and a code, and waits until the user has allowed it in a
 * browser. Tokens of an earlier sign-in are used again. `show` prints one line for the user. Throws an Error that says
 * what to do.
 */
export async function signIn(server: string, show: (line: string) => void): Promise<RemoteSession> {
  const config = await discover(server);
  let tokens = readTokens(server);

  async function askUser(): Promise<StoredTokens> {
    const device = await oauth.initiateDeviceAuthorization(config, { scope: CLI_SCOPES.join(" ") });
    show(
      `Open ${device.verification_uri_complete ?? device.verification_uri} and check that it shows the code ${device.user_code}`,
    );
    return keep(await oauth.pollDeviceAuthorizationGrant(config, device));
  }

  function keep(answer: oauth.TokenEndpointResponse, previous?: string): StoredTokens {
    const { access_token: accessToken, refresh_token: refreshToken = previous, expires_in = 0 } = answer;
    tokens = { accessToken, refreshToken, expiresAt: Date.now() + expires_in * 1000 };
    writeTokens(server, tokens);
    return tokens;
  }

  async function renew(): Promise<StoredTokens> {
    if (tokens?.refreshToken === undefined) return askUser();
    try {
      return keep(await oauth.refreshTokenGrant(config, tokens.refreshToken), tokens.refreshToken);
    } catch (cause) {
      if (!(cause instanceof oauth.ResponseBodyError) || cause.error !== "invalid_grant") throw cause;
      return askUser();
    }
  }

  return {
    async accessToken() {
      try {
        const current = tokens && Date.now() < tokens.expiresAt - REFRESH_BEFORE_MS ? tokens : await renew();
        return current.accessToken;
      } catch (cause) {
        throw readable(cause);
      }
    },
    reject() {
      tokens = undefined;
      forgetTokens(server);
    },
  };
}

async function discover(server: string): Promise<oauth.Configuration> {
  const execute = server.startsWith("http:") ? [oauth.allowInsecureRequests] : [];
  try {
    return await oauth.discovery(new URL(server), CLI_CLIENT_ID, {}, oauth.None(), { algorithm: "oauth2", execute });
  } catch (cause) {
    throw new Error(`No Gatehouse answers at ${server}. Check --server, and that the server runs.`, { cause });
  }
}

function readable(cause: unknown): Error {
  if (!(cause instanceof oauth.ResponseBodyError)) return cause instanceof Error ? cause : new Error(String(cause));
  switch (cause.error) {
    case "access_denied":
      return new Error("You denied the sign-in.", { cause });
    case "expired_token":
      return new Error("The code has expired. Run the command again.", { cause });
    default:
      return new Error(`The server refused the sign-in: ${cause.error_description ?? cause.error}`, { cause });
  }
}
