import { blockKeysOf, type ClientBlockKey } from "../clients/block.ts";
import type { Client } from "../clients/client.ts";
import type { SelfDescribedClient } from "../store/registrations.ts";
import type { Store } from "../store/store.ts";
import { type MemoryTables, update } from "./memory-tables.ts";

/** What holds of every client that no admin registered. */
const STRANGER: Omit<Client, keyof SelfDescribedClient> = {
  environment: "production",
  firstParty: false,
  resourceServer: false,
  enabled: true,
  accessEpoch: 0,
  refreshRetrySeconds: 30,
  secrets: [],
  origin: "dynamic",
};

type Methods =
  | "isBlocked"
  | "addDynamicClient"
  | "findDynamicClient"
  | "replaceDynamicClient"
  | "removeDynamicClient"
  | "saveDocumentClient"
  | "confirmClient"
  | "touchClient"
  | "countUnconfirmedClients"
  | "findInitialAccessToken"
  | "spendInitialAccessToken";

/** The client with what it now says about itself. An approval ends if that differs. */
function described(client: SelfDescribedClient, known: Client | undefined, enabled: boolean): Client {
  const next: Client = { ...STRANGER, ...known, ...client, enabled };
  const { approved: _, ...unapproved } = next;
  return JSON.stringify({ ...known, enabled }) === JSON.stringify(next) ? next : unapproved;
}

/** The methods of {@link memoryStore} for clients that no admin registered. */
export function registrationMethods(tables: MemoryTables): Pick<Store, Methods> {
  const { clients, consents } = tables;
  const isBlocked = (keys: readonly ClientBlockKey[], now: number) =>
    tables.clientBlocks.some(
      ({ kind, value, expiresAt }) =>
        (expiresAt === null || expiresAt > now) && keys.some((key) => key.kind === kind && key.value === value),
    );
  const forgetConsents = (clientId: string) => {
    for (const [key, consent] of consents) if (consent.clientId === clientId) consents.delete(key);
  };

  return {
    isBlocked: async (keys, now) => isBlocked(keys, now),
    addDynamicClient: async ({ registrationTokenHash: tokenHash, secret, ...client }, now) => {
      if (isBlocked(blockKeysOf(client), now)) return false;
      const secrets = secret
        ? [{ id: secret.id, hash: secret.hash, createdAt: now, expiresAt: null, revokedAt: null }]
        : [];
      clients.set(client.clientId, { ...STRANGER, ...client, secrets, origin: "dynamic" });
      tables.strangers.set(client.clientId, { tokenHash, createdAt: now, confirmedAt: null, lastUsedAt: null });
      return true;
    },
    findDynamicClient: async (clientId) => {
      const client = clients.get(clientId);
      const beside = tables.strangers.get(clientId);
      return client && beside?.tokenHash
        ? { client, tokenHash: beside.tokenHash, createdAt: beside.createdAt }
        : undefined;
    },
    replaceDynamicClient: async (client, now) => {
      if (!clients.get(client.clientId)?.enabled) return false;
      const enabled = !isBlocked(blockKeysOf(client), now);
      clients.set(client.clientId, described(client, clients.get(client.clientId), enabled));
      return enabled;
    },
    removeDynamicClient: async (clientId) => {
      if (!clients.get(clientId)?.enabled) return false;
      clients.delete(clientId);
      tables.strangers.delete(clientId);
      forgetConsents(clientId);
      return true;
    },
    saveDocumentClient: async (client, now) => {
      if (clients.get(client.clientId)?.enabled === false) return;
      const enabled = !isBlocked(blockKeysOf(client), now);
      clients.set(client.clientId, {
        ...described(client, clients.get(client.clientId), enabled),
        origin: "metadata_document",
      });
      const beside = { tokenHash: null, createdAt: now, confirmedAt: null, lastUsedAt: null };
      tables.strangers.set(client.clientId, { ...beside, ...tables.strangers.get(client.clientId) });
    },
    confirmClient: async (clientId, now) => void update(tables.strangers, clientId, () => true, { confirmedAt: now }),
    touchClient: async (clientId, now) => void update(tables.strangers, clientId, () => true, { lastUsedAt: now }),
    countUnconfirmedClients: async (most) =>
      [...tables.strangers.values()].filter((one) => one.tokenHash && one.confirmedAt === null).slice(0, most).length,
    findInitialAccessToken: async (hash) => tables.initialAccessTokens.get(hash),
    spendInitialAccessToken: async (hash, now) => {
      const token = tables.initialAccessTokens.get(hash);
      if (!token || token.remaining === 0 || (token.expiresAt !== null && token.expiresAt <= now)) return false;
      tables.initialAccessTokens.set(hash, {
        ...token,
        remaining: token.remaining === null ? null : token.remaining - 1,
      });
      return true;
    },
  };
}
