import type { TokenDemand as GuardDemand } from "@gatehouse/guard";
import type { Environment } from "../options.ts";

/** What an API requires of an access token. */
export type TokenDemand = {
  /** All of these scopes. */
  scope?: string | readonly string[] | undefined;
  /**
   * Clients of these environments only. Default: `production`, or all three while the issuer is http on loopback: a
   * development client must not open a production API.
   */
  environments?: readonly Environment[] | undefined;
  /** One of these levels of authentication. RFC 9470. */
  acr?: string | readonly string[] | undefined;
  /** The user signed in at most this many seconds ago. */
  maxAge?: number | undefined;
  /** Ask the server about the token now, even about a JWT, whose signature alone cannot tell that it was revoked. */
  live?: boolean | undefined;
};

/** An access token that is valid for this API. */
export type VerifiedToken = {
  /** The user, as `user.id` of a session; null for a client that acts for itself. */
  userId: string | null;
  clientId: string;
  /** An array, so that `includes` compares whole scopes. */
  scope: readonly string[];
  environment: Environment;
  /** How strong the sign-in was; null without a user. */
  acr: string | null;
  /** When the user signed in, in Unix seconds; null without a user, or if a sign-in provider did not say. */
  authTime: number | null;
  /** Unix seconds. */
  expiresAt: number;
  /** Every claim of the token, such as `jti`, `act` and `username`. Check types before use. */
  claims: Readonly<Record<string, unknown>>;
};

/** What is read of the request that carries a token. */
export type TokenRequest = Pick<Request, "method" | "url" | "headers">;

/** What the guard checks of a demand. */
export function requirementsOf({ scope = "", acr, maxAge }: TokenDemand): GuardDemand {
  return {
    scope,
    ...(acr !== undefined && { acr }),
    ...(maxAge !== undefined && { maxAgeSeconds: maxAge }),
  };
}
