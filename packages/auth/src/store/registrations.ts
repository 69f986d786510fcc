import type { ClientBlockKey } from "../clients/block.ts";
import type { Client } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";

/**
 * A client that no admin registered: dynamically registered (RFC 7591) or described by its metadata document. Each has
 * an application of its own.
 */
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

/** A client to write at dynamic registration; `secret` is null for public clients and key authentication. RFC 7591. */
export type NewDynamicClient = SelfDescribedClient & {
  registrationTokenHash: Hash;
  secret: { id: string; hash: Hash; hint: string } | null;
};

/** What a client needs to manage its own registration. RFC 7592. */
export type DynamicRegistration = { client: Client; tokenHash: Hash; createdAt: number };

/**
 * A token that allows its holder to register clients. RFC 7591 §3. `remaining` uses, null for any number; `expiresAt`
 * in Unix seconds, null for never.
 */
export type InitialAccessToken = {
  hash: Hash;
  name: string;
  remaining: number | null;
  expiresAt: number | null;
  createdAt: number;
};

/**
 * Every method checks blocks and writes in one atomic step, so a blocked client cannot win a race against the admin who
 * blocks it.
 */
export type RegistrationStore = {
  /** True when one of these keys is blocked now. */
  isBlocked(keys: readonly ClientBlockKey[], now: number): Promise<boolean>;
  /** Writes application, client and secret in one transaction. False when the client is blocked. */
  addDynamicClient(client: NewDynamicClient, now: number): Promise<boolean>;
  /** A dynamically registered client; undefined for any other. */
  findDynamicClient(clientId: string): Promise<DynamicRegistration | undefined>;
  /**
   * Replaces the client's metadata. An approval ends, in the same step, if the metadata differs. False when the client
   * or something in its new metadata is blocked.
   */
  replaceDynamicClient(client: SelfDescribedClient, now: number): Promise<boolean>;
  /** Deletes the client with its application, grants and tokens. False when it is blocked or already deleted. */
  removeDynamicClient(clientId: string): Promise<boolean>;
  /**
   * Adds or replaces the client of a metadata document; a blocked one is disabled. An approval ends as it does for
   * `replaceDynamicClient`. Safe to call from several processes at once.
   */
  saveDocumentClient(client: SelfDescribedClient, now: number): Promise<void>;
  /** Records that a user has allowed a self-described client. */
  confirmClient(clientId: string, now: number): Promise<void>;
  /** Records, to the hour, that a self-described client got a token. Fire-and-forget. */
  touchClient(clientId: string, now: number): Promise<void>;
  /** The number of dynamically registered clients that no user has allowed yet, counted up to `most`. */
  countUnconfirmedClients(most: number): Promise<number>;
  findInitialAccessToken(hash: Hash): Promise<InitialAccessToken | undefined>;
  /**
   * Uses up one registration of a live token. One conditional statement: only as many racing callers succeed as uses
   * remain.
   */
  spendInitialAccessToken(hash: Hash, now: number): Promise<boolean>;
};
