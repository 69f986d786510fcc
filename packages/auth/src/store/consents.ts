import type { Environment } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";

/**
 * An application in one environment that a user has allowed, with the clients that the user uses, for the account page.
 */
export type ConnectedApp = {
  applicationId: string;
  applicationName: string;
  environment: Environment;
  clients: { clientId: string; name: string }[];
  /** All scopes that the user has allowed any of the clients. */
  scope: string;
  allowedAt: number;
  /** When a token was last issued to one of them; null when none was. */
  lastUsedAt: number | null;
};

/** What a user has allowed a client so far. */
export type Consent = {
  /** Space-separated. */
  scope: string;
  /** The ids of the APIs that the scope is for, space-separated. AZ-33. */
  audience: string;
  /** What the user was told the client is. Consent given to another identity counts for nothing. */
  identity: Hash;
};

/** The consents of users. Disconnecting an application deletes them. */
export type ConsentStore = {
  /** Undefined when the user has not allowed the client yet. */
  findConsent(userId: string, clientId: string): Promise<Consent | undefined>;
  /** Adds to earlier consent for the same identity; replaces consent for another one. */
  saveConsent(consent: Consent & { userId: string; clientId: string; now: number }): Promise<void>;
  /**
   * Deletes the consent and revokes every grant of this user to this client and to the other clients of its application
   * in its environment.
   */
  revokeConnectedApp(userId: string, clientId: string, now: number): Promise<void>;
  listConnectedApps(userId: string, now: number): Promise<ConnectedApp[]>;
};
