import type { AccountStore } from "@gatehouse/accounts";
import { cacheRows } from "../cache/row-cache.ts";
import * as addressChanges from "../queries/address-changes.ts";
import { saveAccountRecord } from "../queries/also.ts";
import * as deletions from "../queries/deletions.ts";
import * as identities from "../queries/identities.ts";
import * as invitations from "../queries/invitations.ts";
import * as mailedTokens from "../queries/mailed-tokens.ts";
import * as passkeys from "../queries/passkeys.ts";
import * as passwords from "../queries/passwords.ts";
import { findPerson, findPersonByEmail, findPersonByExternalId } from "../queries/people.ts";
import * as personRegistrations from "../queries/person-registrations.ts";
import * as rememberedBrowsers from "../queries/remembered-browsers.ts";
import * as secondFactors from "../queries/second-factors.ts";
import { saveSignIn } from "../queries/sessions.ts";
import { listSignInProviders } from "../queries/sign-in-providers.ts";
import { findWaysIn } from "../queries/ways-in.ts";
import type { Handle } from "../query/handle.ts";
import { bind } from "./bind.ts";

const { mailedTokenSpend: _spend, mailedTokenWrites: _writes, isLiveUndoLink: _undoes, ...mailedTokenQueries } = mailedTokens;

const QUERIES = {
  findPerson,
  findPersonByEmail,
  findPersonByExternalId,
  record: saveAccountRecord,
  findWaysIn,
  saveSignIn,
  ...addressChanges,
  ...deletions,
  ...identities,
  ...invitations,
  ...personRegistrations,
  ...mailedTokenQueries,
  ...secondFactors,
  ...rememberedBrowsers,
  ...passkeys,
  ...passwords,
};

/** The accounts' store on this database. The sign-in providers are cached. */
export function createAccountStore(handle: Handle): AccountStore {
  const findProviders = cacheRows(handle, "signInProviders", () => listSignInProviders(handle));
  return {
    ...bind(QUERIES, handle),
    listSignInProviders: async () => (await findProviders("all")) ?? [],
  };
}
