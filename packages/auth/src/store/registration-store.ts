import type { ClientBlockKey } from "../clients/block.ts";
import type { Client } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";
import type { InitialAccessToken } from "./resource-store.ts";

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

/**
 * No method lets a blocked client in, not even one that races with the admin who blocks it: the check and the write are one
 * atomic step.
 */
export type RegistrationStore = {
  /** Is one of these blocked at this moment? */
  isBlocked(keys: readonly ClientBlockKey[], now: number): Promise<boolean>;
  /** Application, client and secret together or not at all. False when it is blocked. */
  addDynamicClient(client: NewDynamicClient, now: number): Promise<boolean>;
  /** The client, if it registered itself. */
  findDynamicClient(clientId: string): Promise<DynamicRegistration | undefined>;
  /**
   * Replaces what it says of itself. What users allowed before is forgotten when `forget` is set. False when it is blocked, or
   * blocked for what it says now.
   */
  replaceDynamicClient(client: SelfDescribedClient, forget: boolean, now: number): Promise<boolean>;
  /** Deletes it with its application, grants and tokens. False when it is blocked or gone. */
  removeDynamicClient(clientId: string): Promise<boolean>;
  /** Adds or replaces the client of a metadata document; a blocked one is disabled. Safe when several processes do so at once. */
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
