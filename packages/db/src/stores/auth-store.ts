import type { Hash, Refusal, RefusalStore, Store } from "@gatehouse/auth";
import { createRowLimiter, networkKey } from "@gatehouse/net";
import { cacheRows } from "../cache/row-cache.ts";
import * as accessTokens from "../queries/access-tokens.ts";
import { listResources } from "../queries/api-resources.ts";
import { isBlocked } from "../queries/client-blocks.ts";
import * as clients from "../queries/client-lookup.ts";
import * as codes from "../queries/codes.ts";
import * as consents from "../queries/consents.ts";
import * as deviceCodes from "../queries/device-codes.ts";
import * as grants from "../queries/grants.ts";
import * as logoutNotices from "../queries/logout-notices.ts";
import * as pushedRequests from "../queries/pushed-requests.ts";
import * as refreshTokens from "../queries/refresh-tokens.ts";
import { insertRefusal } from "../queries/refusals.ts";
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
} from "../queries/registrations.ts";
import * as sessions from "../queries/sessions.ts";
import * as signingKeys from "../queries/signing-keys.ts";
import * as spentIds from "../queries/spent-ids.ts";
import type { Handle } from "../query/handle.ts";

const QUERIES = {
  ...clients,
  ...grants,
  ...codes,
  ...accessTokens,
  ...refreshTokens,
  ...deviceCodes,
  ...consents,
  ...sessions,
  listResources,
  ...signingKeys,
  ...pushedRequests,
  ...spentIds,
  ...logoutNotices,
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

/** The maximum of cached access tokens: a few megabytes. */
const ACCESS_TOKENS = 5000;

/** The protocol's store on this database. Clients and access tokens are cached on SQLite. */
export function createAuthStore(handle: Handle): Store {
  const { touchClientSecret, findClient, findAccessToken, findAccessTokens, ...queries } = QUERIES;
  const findChain = cacheRows(handle, "accessTokens", (hashes) => findAccessTokens(handle, hashes.split(" ") as Hash[]));
  return {
    ...bind(queries, handle),
    findClient: cacheRows(handle, "configuration", (clientId) => findClient(handle, clientId)),
    findAccessToken: cacheRows(handle, "accessTokens", (hash) => findAccessToken(handle, hash as Hash), ACCESS_TOKENS),
    findAccessTokens: async (hashes) => (await findChain(hashes.join(" "))) ?? [],
    touchClientSecret: touchAtMostOnceAMinute(handle, touchClientSecret),
    recordRefusal: ledger(handle),
  };
}

type Bound<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (handle: Handle, ...rest: infer Rest) => infer Answer ? (...rest: Rest) => Answer : never;
};

/** Binds every query to the handle. */
function bind<Queries extends Record<string, (handle: Handle, ...rest: never[]) => unknown>>(
  queries: Queries,
  handle: Handle,
): Bound<Queries> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [name, (...rest: never[]) => query(handle, ...rest)]),
  ) as Bound<Queries>;
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

const REFUSALS_PER_MINUTE = 300;
/** So that one network cannot use up the limit and hide its other requests. */
const REFUSALS_PER_NETWORK = 60;

/**
 * Writes to the failure ledger. Above the limits per minute, refusals are only counted, and the first one of a later minute also writes a row
 * that says how many are missing. A ledger that cannot be written fails no request.
 */
function ledger(handle: Handle): RefusalStore["recordRefusal"] {
  const hasRoom = createRowLimiter(REFUSALS_PER_NETWORK, REFUSALS_PER_MINUTE, REFUSALS_PER_MINUTE);
  let minute = 0;
  let dropped = 0;

  return async (refusal) => {
    const current = Math.floor(refusal.at / 60);
    const missing = current === minute ? 0 : dropped;
    if (current !== minute) [minute, dropped] = [current, 0];
    if (!hasRoom("refusal", networkKey(refusal), refusal.at)) {
      dropped += 1;
      return;
    }
    try {
      if (missing > 0) await insertRefusal(handle, gap(refusal, missing));
      await insertRefusal(handle, refusal);
    } catch (cause) {
      console.error("The failure ledger could not be written:", cause instanceof Error ? cause.message : cause);
    }
  };
}

function gap(next: Refusal, missing: number): Refusal {
  return {
    ...next,
    errorId: `${next.errorId}-gap`,
    endpoint: "*",
    error: "temporarily_unavailable",
    cause: "rate_limited",
    message: `${missing} more refusals came before this one and were not kept: over ${REFUSALS_PER_NETWORK} in a minute from one network, or ${REFUSALS_PER_MINUTE} from all.`,
    detail: { missing },
    clientId: null,
    address: null,
  };
}
