import type { Client } from "./clients/client.ts";
import type { RefusalCause } from "./errors/refusal.ts";
import type { GrantType } from "./grants/table.ts";

/** What a user signed in with, or tried to. `second_step`: the second factor was wrong. */
export type SignInFactor =
  | "password"
  | "passkey"
  | "email_code"
  | "sign_up"
  | "invitation"
  | "upstream"
  | "second_step";

/**
 * What the protocol and the sign-in pages report for statistics. Each call counts one more, in memory: it returns at
 * once and never throws. A host that leaves it out counts nothing. CO-11, CO-12.
 */
export type Usage = {
  /** The client got an access token with this scope. */
  tokenIssued(client: Client, grantType: GrantType, scope: string, format: "opaque" | "jwt"): void;
  /** A spent refresh token came again in time, so its response was repeated. CF-20. */
  refreshRepeated?(): void;
  /**
   * A user signed in to the client: it got a code, or the user approved a device (null). `entry` is the registered
   * redirect URI, since one that was sent can have any port.
   */
  signedIn(client: Client, entry: string | null): void;
  /**
   * A sign-in at our own pages began a session, or failed. `cause`: from the host's closed list; null for a success.
   * `clientId`: who asked for it; null without an authorization request.
   */
  signInEnded(factor: SignInFactor, cause: string | null, clientId: string | null): void;
  /** The secret with this id authenticated its client. */
  secretUsed(secretId: string): void;
  /**
   * A request was refused and recorded in the failure ledger. `clientId` is what the request claimed. `endpoint` is a
   * path, which a caller can invent.
   */
  refused(cause: RefusalCause, clientId: string | null, endpoint: string): void;
};
