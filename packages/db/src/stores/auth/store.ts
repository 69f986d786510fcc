import type { Store } from "@gatehouse/auth";
import { cacheAccessTokens } from "../../cache/access-tokens.ts";
import { cacheOwners } from "../../cache/owners.ts";
import { cacheRemoteAccessTokens } from "../../cache/remote-access-tokens.ts";
import { cacheRows } from "../../cache/row-cache.ts";
import type { Db } from "../../query/db.ts";
import { bind } from "../bind.ts";
import { createFailureLedger } from "../failures/ledger.ts";
import { revokeAccessToken, saveAccessToken } from "./access-tokens.ts";
import { listResources } from "./api-resources.ts";
import * as codes from "./authorization-codes.ts";
import { isBlocked } from "./client-blocks.ts";
import * as clients from "./client-lookup.ts";
import * as consents from "./consents.ts";
import * as deviceCodes from "./device-codes.ts";
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
} from "./dynamic-registrations.ts";
import * as grants from "./grants.ts";
import * as pushedRequests from "./pushed-requests.ts";
import * as refreshFamilies from "./refresh-families.ts";
import * as spentIds from "./replays.ts";
import { findEnrolment } from "./second-factor-enrolment.ts";
import * as sessions from "./sessions.ts";
import * as signingKeys from "./signing-keys.ts";

const { localCodes, ...codeQueries } = codes;
const { localRefreshFamilies, tokenInserts: _tokenInserts, ...familyQueries } = refreshFamilies;

const QUERIES = {
  ...clients,
  ...grants,
  ...codeQueries,
  saveAccessToken,
  revokeAccessToken,
  ...familyQueries,
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
export function createAuthStore(db: Db): Store {
  const { touchClientSecret, findClient, ...queries } = QUERIES;
  return {
    ...bind(queries, db),
    ...credentialReads(db),
    findClient: cacheRows(db, "clients", (clientId) => findClient(db, clientId)),
    touchClientSecret: touchAtMostOnceAMinute(db, touchClientSecret),
    recordRefusal: createFailureLedger(db),
  };
}

type CredentialReads = Pick<Store, "findAccessToken" | "findAccessTokens" | "findCode" | "findRefreshFamily">;

/**
 * Access tokens are cached. Codes and refresh tokens never are, but what can end them is, where reads take no round
 * trip.
 */
function credentialReads(db: Db): CredentialReads {
  if (db.local) {
    const owners = cacheOwners(db, db.local);
    const find = cacheAccessTokens(db, db.local, owners);
    return {
      findAccessToken: async (hash) => find(hash),
      findAccessTokens: async (hashes) => hashes.flatMap((hash) => find(hash) ?? []),
      findCode: localCodes(db, db.local, owners),
      findRefreshFamily: localRefreshFamilies(db, db.local, owners),
    };
  }
  const find = cacheRemoteAccessTokens(db);
  return {
    findAccessToken: find,
    findAccessTokens: async (hashes) => (await Promise.all(hashes.map(find))).filter((token) => token !== undefined),
    ...bind({ findCode: codes.findCode, findRefreshFamily: refreshFamilies.findRefreshFamily }, db),
  };
}

/** The statement checks the row's own time too; this saves sending it. */
function touchAtMostOnceAMinute(db: Db, touch: typeof clients.touchClientSecret): Store["touchClientSecret"] {
  const touchedAt = new Map<string, number>();
  return async (secretId, now) => {
    const last = touchedAt.get(secretId);
    if (last !== undefined && now >= last && now < last + 60) return;
    if (touchedAt.size >= 10_000) touchedAt.clear();
    touchedAt.set(secretId, now);
    await touch(db, secretId, now);
  };
}
