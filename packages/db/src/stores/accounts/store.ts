import type { AccountStore } from "@gatehouse/accounts";
import { cacheRows } from "../../cache/row-cache.ts";
import type { Db } from "../../query/db.ts";
import { saveSignIn } from "../auth/sessions.ts";
import { bind } from "../bind.ts";
import { saveAccountRecord } from "./account-records.ts";
import { findAccount, findAccountByEmail, findAccountByExternalId } from "./accounts.ts";
import * as addressChanges from "./address-changes.ts";
import * as deletions from "./deletions.ts";
import * as identities from "./identities.ts";
import * as invitations from "./invitations.ts";
import * as mailedTokens from "./mailed-tokens.ts";
import * as passkeys from "./passkeys.ts";
import * as passwords from "./passwords.ts";
import * as accountRegistrations from "./registrations.ts";
import * as rememberedBrowsers from "./remembered-browsers.ts";
import * as secondFactors from "./second-factors.ts";
import { createSignInLog } from "./sign-in-log.ts";
import { findSignInMethods } from "./sign-in-methods.ts";
import { listSignInProviders } from "./sign-in-providers.ts";

const {
  mailedTokenSpend: _spend,
  mailedTokenWrites: _writes,
  isLiveUndoLink: _undoes,
  ...mailedTokenQueries
} = mailedTokens;

const QUERIES = {
  findAccount,
  findAccountByEmail,
  findAccountByExternalId,
  record: saveAccountRecord,
  findSignInMethods,
  saveSignIn,
  ...addressChanges,
  ...deletions,
  ...identities,
  ...invitations,
  ...accountRegistrations,
  ...mailedTokenQueries,
  ...secondFactors,
  ...rememberedBrowsers,
  ...passkeys,
  ...passwords,
};

/** The accounts' store on this database. The sign-in providers are cached. */
export function createAccountStore(db: Db): AccountStore {
  const findProviders = cacheRows(db, "signInProviders", () => listSignInProviders(db));
  return {
    ...bind(QUERIES, db),
    ...createSignInLog(db),
    listSignInProviders: async () => (await findProviders("all")) ?? [],
  };
}
