import type { ClientBlock } from "../clients/block.ts";
import type { Client } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";
import type { AccessToken } from "../store/access-tokens.ts";
import type { ApiResource } from "../store/api-resources.ts";
import type { AuthorizationCode } from "../store/codes.ts";
import type { Consent } from "../store/consents.ts";
import type { DeviceCode } from "../store/device-codes.ts";
import type { Enrolment } from "../store/enrolment.ts";
import type { Grant } from "../store/grants.ts";
import type { PushedRequest } from "../store/pushed-requests.ts";
import type { RefreshFamily } from "../store/refresh-families.ts";
import type { Refusal } from "../store/refusals.ts";
import type { InitialAccessToken } from "../store/registrations.ts";
import type { LogoutNotice, Session } from "../store/sessions.ts";
import type { SigningKey } from "../store/signing-keys.ts";
import type { User } from "../store/users.ts";

/** The rows behind a {@link memoryStore}, for a test to arrange and to look at. */
export type MemoryTables = {
  /** What tokens tell about a user besides the account itself. */
  profiles: Map<string, { pictureId: string | null; profileChangedAt: number | null }>;
  clients: Map<string, Client>;
  users: Map<string, User>;
  grants: Map<string, Grant & { sid: string | null; revokedReason: string | null }>;
  codes: Map<Hash, AuthorizationCode>;
  accessTokens: Map<Hash, AccessToken>;
  refreshFamilies: Map<string, Omit<RefreshFamily, "clientId" | "userId">>;
  deviceCodes: Map<Hash, DeviceCode>;
  /** Keyed by user id and client id. */
  consents: Map<string, Consent & { userId: string; clientId: string; allowedAt: number }>;
  sessions: Map<Hash, Session>;
  resources: Map<string, ApiResource>;
  signingKeys: Map<string, SigningKey>;
  pushedRequests: Map<Hash, PushedRequest>;
  /** Hash → expiry. */
  spentIds: Map<Hash, number>;
  logoutNotices: Map<string, LogoutNotice>;
  /** Extra columns of self-described clients. */
  strangers: Map<
    string,
    { tokenHash: Hash | null; createdAt: number; confirmedAt: number | null; lastUsedAt: number | null }
  >;
  initialAccessTokens: Map<Hash, InitialAccessToken>;
  clientBlocks: ClientBlock[];
  enrolments: Map<string, Enrolment>;
  refusals: Refusal[];
  /** Secret id → last use. */
  touchedSecrets: Map<string, number>;
};

export function emptyTables(): MemoryTables {
  return {
    clients: new Map(),
    users: new Map(),
    profiles: new Map(),
    grants: new Map(),
    codes: new Map(),
    accessTokens: new Map(),
    refreshFamilies: new Map(),
    deviceCodes: new Map(),
    consents: new Map(),
    sessions: new Map(),
    resources: new Map(),
    signingKeys: new Map(),
    pushedRequests: new Map(),
    spentIds: new Map(),
    logoutNotices: new Map(),
    strangers: new Map(),
    initialAccessTokens: new Map(),
    clientBlocks: [],
    enrolments: new Map(),
    refusals: [],
    touchedSecrets: new Map(),
  };
}

/** Writes `change` over the row if it is there and `allowed`; says whether it did. */
export function update<K, Row>(
  table: Map<K, Row>,
  key: K,
  allowed: (row: Row) => boolean,
  change: Partial<Row>,
): boolean {
  const row = table.get(key);
  if (row === undefined || !allowed(row)) return false;
  table.set(key, { ...row, ...change });
  return true;
}
