import type { ClientType, Environment } from "../clients/client.ts";

/** A client that a user has allowed, for the account page. */
export type ConnectedApp = {
  clientId: string;
  applicationName: string;
  environment: Environment;
  type: ClientType;
  scope: string;
  allowedAt: number;
  /** When a token was last issued to it; null when none was. */
  lastUsedAt: number | null;
};

/** The scopes that a user has allowed a client so far. Disconnecting the app deletes them. */
export type ConsentStore = {
  /** Space-separated scopes; undefined when the user has not allowed the client yet. */
  findConsent(userId: string, clientId: string): Promise<string | undefined>;
  saveConsent(consent: { userId: string; clientId: string; scope: string; now: number }): Promise<void>;
  /** Deletes the consent and revokes every grant of this user to this client. */
  revokeConnectedApp(userId: string, clientId: string, now: number): Promise<void>;
  listConnectedApps(userId: string, now: number): Promise<ConnectedApp[]>;
};
