import type { Store } from "@gatehouse/auth";
import { cacheAccessTokens } from "../../cache/access-tokens.ts";
import { cacheOwners } from "../../cache/owners.ts";
import { cacheRemoteAccessTokens } from "../../cache/remote-access-tokens.ts";
import { cacheRows } from "../../cache/row-cache.ts";
import { readSpendable } from "../../cache/spendable.ts";
import type { Handle } from "../../query/handle.ts";
import { bind } from "../bind.ts";
import { createFailureLedger } from "../failures/ledger.ts";
import { revokeAccessToken, saveAccessToken } from "./access-tokens.ts";
import { listResources } from "./api-resources.ts";
import { isBlocked } from "./client-blocks.ts";
import * as clients from "./client-lookup.ts";
import * as codes from "./codes.ts";
import * as consents from "./consents.ts";
import * as deviceCodes from "./device-codes.ts";
import { findEnrolment } from "./enrolment.ts";
import * as grants from "./grants.ts";
import * as pushedRequests from "./pushed-requests.ts";
import * as refreshFamilies from "./refresh-families.ts";
import {
  addDynamicClient,
  confirmClient,
  countUnconfirmedClients,
  findDynamicClient,
  findInitialAccessToken,
  removeDynamicClient,
  replaceDynamicClient,
  saveDocumentClient,
  spendInitialAccessToken,
  touchClient,
} from "./registrations.ts";
import * as sessions from "./sessions.ts";
import * as signingKeys from "./signing-keys.ts";
import * as spentIds from "./spent-ids.ts";

const QUERIES = {
  ...clients,
  ...grants,
  ...codes,
  saveAccessToken,
  revokeAccessToken,
  ...refreshFamilies,
  ...deviceCodes,
  ...consents,
  ...sessions,
  listResources,
  findEnrolment,
  ...signingKeys,
  ...pushedRequests,
  ...spentIds,
  isBlocked,
  addDynamicClient,
  findDynamicClient,
  replaceDynamicClient,
  removeDynamicClient,
  saveDocumentClient,
  confirmClient,
  touchClient,
  countUnconfirmedClients,
  findInitialAccessToken,
  spendInitialAccessToken,
};

/** The protocol's store on this database. Clients and access tokens are cached. */
export function createAuthStore(handle: Handle): Store {
  const { touchClientSecret, findClient, ...queries } = QUERIES;
  return {
    ...bind(queries, handle),
    ...credentialReads(handle),
    findClient: cacheRows(handle, "clients", (clientId) => findClient(handle, clientId)),
    touchClientSecret: touchAtMostOnceAMinute(handle, touchClientSecret),
    recordRefusal: createFailureLedger(handle),
  };
}

type CredentialReads = Pick<Store, "findAccessToken" | "findAccessTokens" | "findCode" | "findRefreshFamily">;

/** Access tokens are cached. Codes and refresh tokens never are, but what can end them is, where reads take no round trip. */
function credentialReads(handle: Handle): CredentialReads {
  if (handle.local) {
    const owners = cacheOwners(handle, handle.local);
    const find = cacheAccessTokens(handle, handle.local, owners);
    return {
      findAccessToken: async (hash) => find(hash),
      findAccessTokens: async (hashes) => hashes.flatMap((hash) => find(hash) ?? []),
      ...readSpendable(handle, handle.local, owners),
    };
  }
  const find = cacheRemoteAccessTokens(handle);
  return {
    findAccessToken: find,
    findAccessTokens: async (hashes) => (await Promise.all(hashes.map(find))).filter((token) => token !== undefined),
    ...bind({ findCode: codes.findCode, findRefreshFamily: refreshFamilies.findRefreshFamily }, handle),
  };
}

/** The statement checks the row's own time too; this saves sending it. */
function touchAtMostOnceAMinute(handle: Handle, touch: typeof clients.touchClientSecret): Store["touchClientSecret"] {
  const touchedAt = new Map<string, number>();
  return async (secretId, now) => {
    const last = touchedAt.get(secretId);
    if (last !== undefined && now >= last && now < last + 60) return;
    if (touchedAt.size >= 10_000) touchedAt.clear();
    touchedAt.set(secretId, now);
    await touch(handle, secretId, now);
  };
}
