import type { Client } from "./client.ts";
import type { InitialAccessToken } from "./resource-store.ts";
import type { Hash } from "./secret.ts";

/** A client that no admin registered: by request (RFC 7591), or by its own document. It is an application of its own. */
export type SelfDescribedClient = Pick<
  Client,
  | "clientId"
  | "applicationId"
  | "applicationName"
  | "type"
  | "redirectUris"
  | "postLogoutRedirectUris"
  | "grantTypes"
  | "scopes"
  | "options"
>;

export type NewDynamicClient = SelfDescribedClient & {
  registrationTokenHash: Hash;
  secret: { id: string; hash: Hash; hint: string } | null;
};

/** What managing a registration has to know of it. RFC 7592. */
export type DynamicRegistration = { client: Client; tokenHash: Hash; createdAt: number };

export type RegistrationStore = {
  /** Application, client and secret together or not at all. */
  addDynamicClient(client: NewDynamicClient, now: number): Promise<void>;
  /** The client, if it registered itself. */
  findDynamicClient(clientId: string): Promise<DynamicRegistration | undefined>;
  /** Replaces what it says of itself. What users allowed before is forgotten when `forget` is set. */
  replaceDynamicClient(client: SelfDescribedClient, forget: boolean, now: number): Promise<void>;
  /** Removes it with its application, grants and tokens. */
  removeDynamicClient(clientId: string): Promise<void>;
  /** Adds or replaces the client of a metadata document; safe when several processes do so at once. */
  saveDocumentClient(client: SelfDescribedClient, forget: boolean, now: number): Promise<void>;
  /** Of strangers' clients: a user allowed it, for the first time or again. */
  confirmClient(clientId: string, now: number): Promise<void>;
  /** Of strangers' clients: it got a token. To the hour; may be written behind. */
  touchClient(clientId: string, now: number): Promise<void>;
  /** How many clients registered themselves and no user has allowed yet. */
  countUnconfirmedClients(): Promise<number>;
  findInitialAccessToken(hash: Hash): Promise<InitialAccessToken | undefined>;
  /** Takes one use off a live token: one statement, so of racing callers only as many pass as there are uses. */
  spendInitialAccessToken(hash: Hash, now: number): Promise<boolean>;
};
