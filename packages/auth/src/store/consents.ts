import type { Environment } from "../clients/client.ts";

/** An application in one environment that a user has allowed, with the clients that the user uses, for the account page. */
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

/** The scopes that a user has allowed a client so far. Disconnecting its application deletes them. */
export type ConsentStore = {
  /** Space-separated scopes; undefined when the user has not allowed the client yet. */
  findConsent(userId: string, clientId: string): Promise<string | undefined>;
  saveConsent(consent: { userId: string; clientId: string; scope: string; now: number }): Promise<void>;
  /** Deletes the consent and revokes every grant of this user to this client and to the other clients of its application in its environment. */
  revokeConnectedApp(userId: string, clientId: string, now: number): Promise<void>;
  listConnectedApps(userId: string, now: number): Promise<ConnectedApp[]>;
};
