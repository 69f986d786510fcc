import type { Client, Environment } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";

export type ClientStore = {
  /** The client with its application's name and all its secrets, live or not; undefined when unknown. */
  findClient(clientId: string): Promise<Client | undefined>;
  /** The client of the same application that this secret belongs to. Called only after authentication has failed. */
  findSecretOwner(
    applicationId: string,
    hash: Hash,
  ): Promise<{ clientId: string; environment: Environment } | undefined>;
  /** Records when a secret was last used. Fire-and-forget. */
  touchClientSecret(secretId: string, now: number): Promise<void>;
};
