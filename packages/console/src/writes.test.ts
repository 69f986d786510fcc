import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type NewAccount,
  type NewMail,
  type NewMailedToken,
  type SignInProvider,
  WHAT_ENDS,
} from "@gatehouse/accounts";
import { type ApiResource, mintTimeOrderedId, type NewDynamicClient, type SigningKey, sha256 } from "@gatehouse/auth";
import { PASSWORD_SIGN_IN } from "@gatehouse/auth/testing";
import * as audit from "@gatehouse/db/audit";
import * as endAll from "@gatehouse/db/backup/end-all";
import { CACHES, type CacheName } from "@gatehouse/db/cache/caches";
import { openDatabase } from "@gatehouse/db/database";
import * as installation from "@gatehouse/db/facts";
import type { Db, ReadDb } from "@gatehouse/db/query/db";
import * as page from "@gatehouse/db/query/page";
import * as scan from "@gatehouse/db/query/scan";
import { sqliteDb } from "@gatehouse/db/sqlite/db";
import { createGroupCommit } from "@gatehouse/db/sqlite/group-commit";
import * as accountChanges from "@gatehouse/db/stores/accounts/account-change";
import * as also from "@gatehouse/db/stores/accounts/account-records";
import * as people from "@gatehouse/db/stores/accounts/accounts";
import * as addressChanges from "@gatehouse/db/stores/accounts/address-changes";
import * as apiTokens from "@gatehouse/db/stores/accounts/api-tokens";
import * as makers from "@gatehouse/db/stores/accounts/authorized-writes";
import * as deletions from "@gatehouse/db/stores/accounts/deletions";
import * as identities from "@gatehouse/db/stores/accounts/identities";
import * as invitations from "@gatehouse/db/stores/accounts/invitations";
import * as logoutNotices from "@gatehouse/db/stores/accounts/logout-notices";
import * as mailedTokens from "@gatehouse/db/stores/accounts/mailed-tokens";
import * as passkeys from "@gatehouse/db/stores/accounts/passkeys";
import * as passwords from "@gatehouse/db/stores/accounts/passwords";
import * as profile from "@gatehouse/db/stores/accounts/profile";
import * as accountRegistrations from "@gatehouse/db/stores/accounts/registrations";
import * as rememberedBrowsers from "@gatehouse/db/stores/accounts/remembered-browsers";
import * as accountEndings from "@gatehouse/db/stores/accounts/revocation";
import * as secondFactors from "@gatehouse/db/stores/accounts/second-factors";
import * as signInMethods from "@gatehouse/db/stores/accounts/sign-in-methods";
import * as signInProviders from "@gatehouse/db/stores/accounts/sign-in-providers";
import * as signInRows from "@gatehouse/db/stores/accounts/sign-in-rows";
import * as accountEmptying from "@gatehouse/db/stores/accounts/untrusted-accounts";
import * as userChanges from "@gatehouse/db/stores/accounts/user-changes";
import * as userSessions from "@gatehouse/db/stores/accounts/user-sessions";
import * as users from "@gatehouse/db/stores/accounts/users";
import * as accessTokens from "@gatehouse/db/stores/auth/access-tokens";
import * as apiResources from "@gatehouse/db/stores/auth/api-resources";
import * as codes from "@gatehouse/db/stores/auth/authorization-codes";
import * as clientBlocks from "@gatehouse/db/stores/auth/client-blocks";
import * as clientLookup from "@gatehouse/db/stores/auth/client-lookup";
import * as consents from "@gatehouse/db/stores/auth/consents";
import * as deviceCodes from "@gatehouse/db/stores/auth/device-codes";
import * as registrations from "@gatehouse/db/stores/auth/dynamic-registrations";
import * as grantStatus from "@gatehouse/db/stores/auth/grant-status";
import * as grants from "@gatehouse/db/stores/auth/grants";
import * as previewSlots from "@gatehouse/db/stores/auth/preview-slots";
import * as pushedRequests from "@gatehouse/db/stores/auth/pushed-requests";
import * as refreshFamilies from "@gatehouse/db/stores/auth/refresh-families";
import * as spentIds from "@gatehouse/db/stores/auth/replays";
import * as enrolment from "@gatehouse/db/stores/auth/second-factor-enrolment";
import * as sessions from "@gatehouse/db/stores/auth/sessions";
import * as signingKeys from "@gatehouse/db/stores/auth/signing-keys";
import * as testRuns from "@gatehouse/db/stores/auth/test-runs";
import * as unusedClients from "@gatehouse/db/stores/auth/unused-clients";
import * as failureGroups from "@gatehouse/db/stores/failures/failure-groups";
import * as jobClaims from "@gatehouse/db/stores/jobs/job-claims";
import * as jobOutcomes from "@gatehouse/db/stores/jobs/job-outcomes";
import * as jobs from "@gatehouse/db/stores/jobs/jobs";
import * as leases from "@gatehouse/db/stores/jobs/leases";
import * as mails from "@gatehouse/db/stores/jobs/mails";
import * as sealedValues from "@gatehouse/db/stores/seal/sealed-values";
import * as stats from "@gatehouse/db/stores/stats/stat-writes";
import * as usage from "@gatehouse/db/stores/stats/usage-writes";
import * as deliveryBody from "@gatehouse/db/stores/webhooks/delivery-body";
import * as eviction from "@gatehouse/db/stores/webhooks/eviction";
import * as webhookRuns from "@gatehouse/db/stores/webhooks/handler-runs";
import * as inboxRetention from "@gatehouse/db/stores/webhooks/inbox-retention";
import * as webhookIntake from "@gatehouse/db/stores/webhooks/intake";
import * as webhookReconciliations from "@gatehouse/db/stores/webhooks/reconciliations";
import * as webhookReruns from "@gatehouse/db/stores/webhooks/reruns";
import * as crowds from "@gatehouse/db/sweep/crowds";
import * as deleteDead from "@gatehouse/db/sweep/delete-dead";
import * as expiredRows from "@gatehouse/db/sweep/expired-rows";
import * as sweepLag from "@gatehouse/db/sweep/lag";
import * as newest from "@gatehouse/db/sweep/newest";
import { UNPACED } from "@gatehouse/db/sweep/pace";
import * as sweeper from "@gatehouse/db/sweep/sweep";
import * as sweepAccounts from "@gatehouse/db/sweep/sweep-accounts";
import { NOW, SHOWN, seed } from "@gatehouse/db/testing/people";
import { aFamily, aRotation } from "@gatehouse/db/testing/refresh-families";
import { type Delivery, deliveryIdsFrom } from "@gatehouse/webhooks";
import Sqlite from "better-sqlite3";
import { eq, getTableName } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as applicationList from "./applications/list-queries.ts";
import * as applications from "./applications/queries.ts";
import * as applicationSearch from "./applications/search-queries.ts";
import * as auditChain from "./audit/chain-queries.ts";
import * as auditLines from "./audit/line-queries.ts";
import * as auditList from "./audit/queries.ts";
import * as installationLogo from "./branding/installation-logo-queries.ts";
import * as branding from "./branding/queries.ts";
import * as clients from "./clients/queries.ts";
import * as clientSecrets from "./clients/secret-queries.ts";
import * as usageRows from "./clients/usage-queries.ts";
import * as deliveryDetail from "./deliveries/detail/queries.ts";
import * as exportedDeliveries from "./deliveries/export/queries.ts";
import * as deliveryFacets from "./deliveries/facet-queries.ts";
import * as deliveries from "./deliveries/queries.ts";
import * as deliveryTail from "./deliveries/stream/queries.ts";
import * as failureGroupList from "./failures/group-queries.ts";
import * as refusals from "./failures/queries.ts";
import * as impact from "./impact/queries.ts";
import * as invitationList from "./invitations/queries.ts";
import * as mailList from "./mails/queries.ts";
import * as managedObjects from "./managed/queries.ts";
import * as configuration from "./manifest/queries.ts";
import * as firstSteps from "./overview/first-step-queries.ts";
import * as overview from "./overview/queries.ts";
import * as statRows from "./overview/stat-queries.ts";
import * as removedObjects from "./removed/queries.ts";
import * as resourceClients from "./resources/queries.ts";
import * as savedViews from "./saved-views/queries.ts";
import * as selfRegistered from "./self-registered/queries.ts";
import * as savedSettings from "./settings/queries.ts";
import * as retention from "./settings/retention-queries.ts";
import * as signInList from "./sign-ins/queries.ts";
import * as statusFacts from "./status/queries.ts";
import * as accountExport from "./users/account-export-queries.ts";
import * as accountEvents from "./users/activity-queries.ts";
import * as importedPeople from "./users/import/queries.ts";
import * as userList from "./users/queries.ts";
import * as userAdmin from "./users/security-queries.ts";
import * as webhookEndpoints from "./webhook-endpoints/queries.ts";
import * as endpointSets from "./webhook-endpoints/set-queries.ts";
import * as webhookSecrets from "./webhook-secrets/queries.ts";

/** In the folders of the stores, what binds and buffers queries. */
const NO_QUERIES =
  /(bind|sealed-columns|bounded-writes|store|ledger|sign-in-log|rate-limiter|counted-usage|usage-counts|delivery-rows|dead-rows|pace)[.]ts$/;

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(folder, name));

const QUERIES = {
  ...sealedValues,
  ...accessTokens,
  ...accountChanges,
  ...accountEmptying,
  ...accountEndings,
  ...accountEvents,
  ...branding,
  ...profile,
  ...also,
  ...people,
  ...rememberedBrowsers,
  ...secondFactors,
  ...enrolment,
  ...sweepAccounts,
  ...accountExport,
  ...addressChanges,
  ...apiResources,
  ...apiTokens,
  ...applicationList,
  ...applicationSearch,
  ...applications,
  ...audit,
  ...auditChain,
  ...auditLines,
  ...auditList,
  ...clientBlocks,
  ...clientLookup,
  ...clients,
  ...clientSecrets,
  ...codes,
  ...configuration,
  ...consents,
  ...deliveries,
  ...deliveryBody,
  ...deliveryDetail,
  ...deliveryFacets,
  ...deliveryTail,
  ...exportedDeliveries,
  ...deletions,
  ...deviceCodes,
  ...endAll,
  ...endpointSets,
  ...eviction,
  ...firstSteps,
  ...grants,
  ...grantStatus,
  ...identities,
  ...impact,
  ...importedPeople,
  ...inboxRetention,
  ...installation,
  ...installationLogo,
  ...invitations,
  ...invitationList,
  ...jobClaims,
  ...jobOutcomes,
  ...jobs,
  ...leases,
  ...logoutNotices,
  ...mailedTokens,
  ...mails,
  ...makers,
  ...managedObjects,
  ...overview,
  ...page,
  ...passkeys,
  ...passwords,
  ...accountRegistrations,
  ...previewSlots,
  ...pushedRequests,
  ...refreshFamilies,
  ...configuration,
  ...failureGroupList,
  ...failureGroups,
  ...refusals,
  ...removedObjects,
  ...resourceClients,
  ...registrations,
  ...retention,
  ...savedSettings,
  ...savedViews,
  ...scan,
  ...selfRegistered,
  ...sessions,
  ...signingKeys,
  ...signInList,
  ...signInProviders,
  ...signInRows,
  ...spentIds,
  ...statRows,
  ...statusFacts,
  ...stats,
  ...crowds,
  ...deleteDead,
  ...expiredRows,
  ...newest,
  ...sweepLag,
  ...sweeper,
  ...testRuns,
  ...unusedClients,
  ...usage,
  ...usageRows,
  ...userAdmin,
  ...userChanges,
  ...userSessions,
  ...users,
  ...mailList,
  ...userList,
  ...signInMethods,
  ...webhookEndpoints,
  ...webhookIntake,
  ...webhookReconciliations,
  ...webhookReruns,
  ...webhookRuns,
  ...webhookSecrets,
};
async function sealOneRow(db: Db): Promise<void> {
  const to = { number: 1, hash: "h", mac: "m", keyId: "k", prunedNumber: 0, prunedHash: "", prunedMac: "" };
  const seals = [{ id: "sealed", number: 1, hash: "h", mac: "m", keyId: "k" }];
  await auditChain.sealAuditRows(db, { from: undefined, to, seals, added: [{ ...auditRow, id: "sealed" }] });
}

/** The query functions that are given a builder for writes: one that takes a ReadDb cannot write. */
type CanWrite<Queries> = {
  [Name in keyof Queries as Queries[Name] extends (db: ReadDb, ...rest: never[]) => unknown
    ? never
    : Queries[Name] extends (db: Db, ...rest: never[]) => Promise<unknown>
      ? Name
      : never]: (db: Db) => Promise<unknown>;
};

const owner = { grantId: "grant", clientId: "shop-dev", userId: "ada", scope: "openid", context: null };
const lifetime = { createdAt: NOW, expiresAt: NOW + 600, absoluteExpiresAt: NOW + 600 };
const grant = {
  id: "grant-2",
  clientId: "shop-dev",
  userId: "ada",
  scope: "",
  sessionId: "session",
  accessEpoch: 0,
  createdAt: NOW,
};
const access = {
  ...owner,
  id: "token",
  clientEpoch: 0,
  audience: "api",
  environment: "development",
  issuedAt: NOW,
  expiresAt: NOW + 600,
} as const;
const family = aFamily("grant", { ...lifetime, id: "family", currentHash: sha256("refresh") });
const access2 = { ...access, hash: sha256("access 2") };
const bought = { accessToken: access2, refreshFamily: { ...family, id: "family 2" } };
const rotation = aRotation("refresh", "refresh 2", { rotatedAt: NOW, expiresAt: NOW + 600 });
const apiToken: apiTokens.ApiTokenRow = {
  id: "api-token",
  hash: sha256("api token"),
  hint: "oken",
  name: "CI",
  makerId: "ada",
  scopes: ["audit:read"],
  environments: ["development"],
  clientId: null,
  firstPartyOrigins: [],
  createdAt: NOW,
  expiresAt: NOW + 600,
  endedAt: null,
  lastUsedAt: null,
};
const managed: managedObjects.ManagedRow = {
  kind: "client",
  object: "shop-dev",
  file: "gatehouse.json",
  settings: { scopes: ["openid"] },
  locked: true,
  appliedAt: NOW,
  appliedBy: "Ada",
  auditFrom: "",
  unlockedAt: null,
  unlockedBy: null,
};
const savedView = {
  id: "view",
  userId: "ada",
  list: "/users",
  name: "Admins",
  query: "role=admin",
  shared: false,
  createdAt: NOW,
};
const session = {
  ...lifetime,
  userId: "ada",
  authTime: NOW,
  userAgent: null,
  address: null,
  lastSeenAt: NOW,
  accessEpoch: 0,
  ...PASSWORD_SIGN_IN,
};
const code = { ...owner, ...lifetime, redirectUri: "", codeChallenge: "", audience: null, authTime: NOW };
const device = {
  clientId: "shop-dev",
  scope: "",
  audience: null,
  requestedAddress: null,
  requestedUserAgent: null,
  intervalSeconds: 5,
  exemptionId: null,
  ...lifetime,
};
const request = { clientId: "shop-dev", parameters: "", dpopJkt: null, exemptionId: null, expiresAt: NOW + 60 };
const resource: Omit<ApiResource, "id"> = {
  name: "Notes",
  scopes: [],
  tokenFormat: "opaque",
  tokenAlgorithm: "ES256",
  environments: null,
  attachedBy: "admins",
  strangers: "refused",
  createdAt: NOW,
  disabledAt: null,
} as const;
const slot = {
  id: "slot",
  clientId: "shop-dev",
  key: "pr-1",
  redirectUri: "https://pr-1.preview.example.com/cb",
  makerId: "ada",
  makerName: "Ada",
  createdAt: NOW,
  renewedAt: NOW,
  endsAt: NOW + 600,
};
const frame = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/cb" };
const testRun = {
  id: "run",
  clientId: "shop-dev",
  operatorId: "ada",
  grantId: "run-grant",
  createdAt: NOW,
  expiresAt: NOW + 600,
  accessEpoch: 0,
};
const secret = { clientId: "shop-dev", hash: sha256("another"), hint: "ther", createdAt: NOW };
const settings = {
  redirectUris: [],
  postLogoutRedirectUris: [],
  grantTypes: [],
  scopes: [],
  options: {},
  firstParty: false,
  resourceServer: false,
  refreshRetrySeconds: 30,
};
const client = {
  ...settings,
  applicationId: "shop",
  environment: "staging",
  type: "web",
  createdAt: NOW,
  updatedAt: NOW,
} as const;
const dynamic: NewDynamicClient = {
  ...settings,
  clientId: "dynamic",
  applicationId: "dynamic",
  applicationName: "Dynamic",
  type: "web",
  grantTypes: ["authorization_code"],
  registrationTokenHash: sha256("registration"),
  secret: { id: "dynamic", hash: sha256("dynamic"), hint: "amic" },
} as const;
const fresh: NewDynamicClient = {
  ...dynamic,
  clientId: "fresh",
  applicationId: "fresh",
  applicationName: "Fresh",
  secret: null,
};
const block = { kind: "client_id", value: "dynamic", reason: "spam", createdAt: NOW, expiresAt: null } as const;
const key: Omit<SigningKey, "kid"> = {
  algorithm: "ES256",
  publicJwk: { kty: "EC" },
  sealedPrivateJwk: "",
  createdAt: NOW,
  activeFrom: NOW,
  retiredAt: null,
  removeAfter: null,
} as const;
const removal = { removedAt: NOW, removedBy: "Ada" };
const removedClient = {
  id: "shop-dev",
  name: "Main",
  applicationId: "shop",
  applicationName: "Shop",
  version: 1,
  environment: "development" as const,
};
const removedApplication: removedObjects.RemovedObject = {
  ...removal,
  id: "gone",
  name: "Gone",
  environment: null,
  applicationId: "gone",
  applicationName: "Gone",
  kind: "application",
  rows: {
    application: { id: "gone", name: "Gone", description: "", createdAt: NOW },
    branding: { applicationId: "gone", settings: {}, updatedAt: NOW },
    clients: [{ ...client, id: "gone-dev", applicationId: "gone", name: "Main" }],
  },
};
const endpoint = {
  slug: "stripe",
  provider: "stripe",
  environment: "production",
  name: null,
  settings: {},
  createdAt: NOW,
} as const;
const webhookSecret = {
  id: "whsec",
  endpoint: "stripe",
  kind: "signing" as const,
  sealed: "",
  hash: sha256("whsec"),
  hint: "hsec",
  name: null,
  createdAt: NOW,
  expiresAt: null,
  removedAt: null,
  lastMatchedAt: null,
};
const auditRow: audit.AuditRow = {
  id: "audit",
  at: NOW,
  actorId: "ada",
  actorName: "Ada",
  role: "admin",
  via: "console",
  action: "webhook.reveal",
  object: "delivery",
  environment: null,
  detail: {},
  address: null,
};
const delivery: Omit<Delivery, "id"> = {
  endpoint: "stripe",
  environment: "production",
  source: "http",
  receivedAt: NOW,
  method: "POST",
  outcome: "accepted",
  reason: "accepted",
  status: 200,
  eventType: null,
  eventId: null,
  secretId: "whsec",
  mode: null,
  skewSeconds: 0,
  headers: {},
  body: Buffer.from(""),
  bodyBytes: 0,
  ackMs: 1,
  address: null,
} as const;
const deliveredEvent = {
  key: Buffer.from("key"),
  id: null,
  type: null,
  objectKey: null,
  handlers: [{ name: "*", orderKey: null, queue: "webhook" }],
};
const stat = { at: NOW, environment: "production", metric: "webhook_result", key: "stripe/accepted", count: 2 };
const used: usage.UsageRows = {
  clients: [{ clientId: "shop-dev", day: NOW, metric: "sign_in", count: 2 }],
  secrets: [{ secretId: "secret-1", day: NOW, uses: 2 }],
  uris: [{ clientId: "shop-dev", uriHash: "hash", day: NOW, uses: 2 }],
  scopes: [{ clientId: "shop-dev", scope: "openid", day: NOW, uses: 2 }],
  lastTokens: [{ clientId: "gone", lastTokenAt: NOW }],
  applications: [{ applicationId: "gone", lastTokenAt: NOW, refusals: 2 }],
  refusalHours: [{ applicationId: "gone", hour: NOW, count: 2 }],
};
const rerun: webhookReruns.RerunRow = {
  id: "rerun",
  trigger: "manual",
  actorId: "ada",
  actorName: "Ada",
  role: "admin",
  state: "queued",
  cursor: null,
  total: 1,
  totalKnown: true,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  problems: [],
  createdAt: NOW,
  finishedAt: null,
  selection: { kind: "ids", ids: ["delivery"] },
};
const refusal = {
  at: NOW,
  endpoint: "/token",
  error: "invalid_grant",
  cause: "code_expired",
  message: "",
  detail: {},
} as const;
const signInRow: signInRows.SignInLogRow = {
  id: "sign-in",
  at: NOW,
  outcome: "failed",
  cause: "wrong_password",
  factor: "password",
  userId: "ada",
  emailHash: null,
  typedEmail: null,
  level: null,
  clientId: null,
  address: null,
  userAgent: null,
  detail: {},
  bucket: "failed ada",
};
const failures: failureGroups.CountedGroup = {
  key: "group",
  cause: "code_expired",
  endpoint: "/token",
  clientId: null,
  difference: "",
  firstAt: NOW,
  lastAt: NOW,
  count: 2,
  hours: new Map([[NOW, 2]]),
  rows: [{ ...refusal, errorId: "e", clientId: null, address: null }],
  trim: true,
};
const initial = { hash: sha256("initial"), name: "initial", remaining: 5, expiresAt: null, createdAt: NOW };
const mail: NewMail = {
  id: "mail",
  kind: "sign_in_code",
  recipient: "ada@example.com",
  userId: "ada",
  locale: "en",
  payload: "",
  expiresAt: null,
  createdAt: NOW,
};
const newAccount: NewAccount = {
  id: "new",
  email: "new@example.com",
  name: "New",
  createdAt: NOW,
  passwordHash: "$hash",
  role: "user" as const,
  registeredBy: "self" as const,
};
const invitation = {
  id: "invitation",
  email: "new@example.com",
  hash: sha256("invitation"),
  invitedBy: "cli",
  createdAt: NOW,
  expiresAt: NOW + 60,
  role: "viewer" as const,
};
const addressChange: NewMailedToken = {
  hash: sha256("change"),
  userId: "ada",
  email: "ada@example.org",
  codeHash: null,
  browser: null,
  data: null,
  signInEpoch: 0,
  purpose: "email_change" as const,
  createdAt: NOW,
  expiresAt: NOW + 60,
};
const mailedToken: NewMailedToken = {
  hash: sha256("link"),
  purpose: "sign_in",
  userId: "ada",
  email: "ada@example.com",
  codeHash: sha256("code"),
  browser: null,
  data: null,
  signInEpoch: null,
  createdAt: NOW,
  expiresAt: NOW + 600,
};
const accountChanged = {
  id: "event",
  userId: "ada",
  at: NOW,
  kind: "password_changed",
  userAgent: null,
  address: null,
  detail: {},
} as const;
const imported = { id: "imported", provider: "imported", issuer: "i", subject: "1", email: null };
const user = { name: "Cy", role: "user", createdAt: NOW, registeredBy: "self", passwordHash: "$argon2id$" } as const;
const picture = { type: "image/png", bytes: Buffer.from("picture") } as const;
const passkey = {
  credentialId: "passkey",
  userId: "ada",
  publicKey: Buffer.from("key"),
  algorithm: -7,
  counter: 0,
  transports: [],
  aaguid: "",
  name: "Passkey",
  backupEligible: false,
  backedUp: false,
  userVerified: true,
  rpId: "localhost",
  createdAt: NOW,
  lastUsedAt: null,
};
const job = { id: "job", queue: "queue", orderKey: "key", payload: {}, createdAt: NOW };
const claim = { queue: "queue", limit: 1, leaseToken: "claimed", leaseSeconds: 60 };
const held = { ...job, leaseToken: "held", attempts: 1 };
const identity = {
  id: "identity",
  userId: "ada",
  provider: "corp",
  issuer: "https://id.example",
  subject: "1",
  email: null,
  createdAt: NOW,
  lastUsedAt: NOW,
};
const provider: SignInProvider = {
  id: "corp",
  preset: "oidc",
  name: "Corp",
  issuer: "https://id.example",
  clientId: "gate",
  secret: null,
  settings: {},
  position: 0,
  enabled: false,
  createdAt: NOW,
  updatedAt: NOW,
};
const totp = { secret: "sealed", lastStep: 1, createdAt: NOW };
const remembered = {
  id: "browser",
  userId: "ada",
  signInEpoch: 0,
  userAgent: null,
  address: null,
  createdAt: NOW,
  lastUsedAt: NOW,
  expiresAt: NOW + 60,
};
const approval = { userId: "ada", grantId: "grant", context: {} };

/** A row or more for every write to find. */
async function fill(db: Db): Promise<void> {
  await seed(db);
  const { tables: t } = db;
  await db.update(t.users).set({ registeredBy: "operator" });
  await db.insert(t.users).values({ ...user, id: "cy", email: "cy@example.com" });
  await db.insert(t.savedViews).values(savedView);
  await db.insert(t.managedObjects).values(managed);
  await db.insert(t.apiTokens).values(apiToken);
  await db.insert(t.signInProviders).values(provider);
  await db.insert(t.identities).values(identity);
  await QUERIES.saveSession(db, { ...session, id: "session", hash: sha256("session") });
  await QUERIES.addTotp(db, { userId: "ada", signInEpoch: 0 }, totp, [sha256("recovery")], {});
  await QUERIES.rememberBrowser(db, { ...remembered, hash: sha256("remembered") }, {});
  await QUERIES.saveGrant(db, { ...grant, id: "grant" });
  await QUERIES.saveAccessToken(db, { ...access, hash: sha256("access") });
  await QUERIES.insertTestRun(db, testRun);
  await db.insert(t.previewSlots).values(slot);
  await QUERIES.bindGrantToSlot(db, "grant", "slot");
  await QUERIES.saveRefreshFamily(db, family);
  await QUERIES.saveCode(db, { ...code, hash: sha256("code") });
  await QUERIES.saveDeviceCode(db, { ...device, hash: sha256("device"), userCode: "BCDFGHJK" });
  await QUERIES.saveDeviceCode(db, { ...device, hash: sha256("approved"), userCode: "LMNPQRST" });
  await QUERIES.approveDeviceCode(db, sha256("approved"), approval, NOW);
  await QUERIES.savePushedRequest(db, { ...request, hash: sha256("request") });
  await db.transaction(QUERIES.usageWrites(db, used));
  await QUERIES.saveConsent(db, { userId: "ada", clientId: "shop-dev", scope: "openid", ...SHOWN, now: NOW });
  await QUERIES.addDynamicClient(db, dynamic, NOW);
  await QUERIES.saveBlock(db, { ...block, value: "nobody", expiresAt: NOW + 60 }, NOW);
  await QUERIES.insertInitialAccessToken(db, initial);
  await QUERIES.insertResource(db, { ...resource, id: "https://notes.example" });
  await QUERIES.saveSigningKey(db, { ...key, kid: "key" });
  await db.insert(t.passkeys).values(passkey);
  await QUERIES.insertFact(db, "fact", "1");
  await db.transaction([QUERIES.insertRerun(db, rerun)]);
  await db.transaction([
    QUERIES.endpointInsert(db, endpoint),
    QUERIES.endpointInsert(db, { ...endpoint, slug: "unused" }),
    QUERIES.webhookSecretWrite(db, { row: webhookSecret, change: {} }),
    QUERIES.webhookSecretWrite(db, { row: { ...webhookSecret, id: "other", endpoint: "unused" }, change: {} }),
  ]);
  await QUERIES.savePicture(db, { userId: "ada", pictureId: "p1", ...picture }, NOW);
  await QUERIES.addJobs(db, [job]);
  await db.insert(t.jobs).values({ ...held, id: "held", orderKey: "another", runAt: NOW * 2 });
  await QUERIES.holdLease(db, "lease", "holder", 30);
  await QUERIES.holdLease(db, "expired", "holder", 0);
  await db
    .update(t.clients)
    .set({ options: { backchannelLogoutUri: "https://shop.example/logout" } })
    .where(eq(t.clients.id, "shop-dev"));
}

/** A call of every query function that can write, in a database that {@link fill} filled, so that it does write. */
const CALLS = {
  saveAccessToken: (h) => QUERIES.saveAccessToken(h, { ...access, hash: sha256("new") }),
  findAccessToken: (h) => QUERIES.findAccessToken(h, sha256("access")),
  revokeAccessToken: (h) => QUERIES.revokeAccessToken(h, sha256("access"), NOW),
  insertResource: (h) => QUERIES.insertResource(h, { ...resource, id: "https://new.example" }),
  updateResource: (h) => QUERIES.updateResource(h, "https://notes.example", { disabledAt: NOW }),
  deleteResource: (h) => QUERIES.deleteResource(h, "https://notes.example"),
  saveBranding: (h) => QUERIES.saveBranding(h, "shop", { settings: { colour: "#4f46e5" }, logo: picture }, NOW),
  saveAccountEvent: (h) => QUERIES.saveAccountEvent(h, { ...accountChanged, id: "another" }),
  changeProfile: (h) => QUERIES.changeProfile(h, { userId: "ada", name: "Augusta" }, NOW),
  markEventsLogged: async (h) => {
    await QUERIES.saveAccountEvent(h, { ...accountChanged, id: "unlogged" });
    return QUERIES.markEventsLogged(h, ["unlogged"]);
  },
  savePicture: (h) => QUERIES.savePicture(h, { userId: "bob", pictureId: "p2", ...picture }, NOW),
  removePicture: (h) => QUERIES.removePicture(h, { userId: "ada" }, NOW),
  insertApplication: (h) => QUERIES.insertApplication(h, { id: "new", name: "New", description: "", createdAt: NOW }),
  updateApplicationRow: (h) => QUERIES.updateApplicationRow(h, { id: "shop", name: "Other", description: "" }),
  deleteApplication: (h) => QUERIES.deleteApplication(h, "shop"),
  moveApplicationToRemoved: async (h) =>
    QUERIES.moveApplicationToRemoved(
      h,
      { id: "shop", name: "Shop", version: 1 },
      await QUERIES.listClientRows(h, "shop"),
      removal,
    ),
  moveClientToRemoved: (h) => QUERIES.moveClientToRemoved(h, removedClient, removal),
  restoreApplicationRows: (h) => QUERIES.restoreApplicationRows(h, removedApplication, "Gone", NOW),
  restoreClientRow: async (h) => {
    await QUERIES.moveClientToRemoved(h, removedClient, removal);
    const removed = await QUERIES.findRemoved(h, "shop-dev", NOW);
    return removed && QUERIES.restoreClientRow(h, removed, "Main", NOW);
  },
  saveBlock: (h) => QUERIES.saveBlock(h, block, NOW),
  deleteBlock: (h) => QUERIES.deleteBlock(h, { kind: "client_id", value: "nobody" }, NOW),
  deleteExpiredBlocks: (h) => QUERIES.deleteExpiredBlocks(h, NOW + 60),
  findClient: (h) => QUERIES.findClient(h, "shop-dev"),
  touchClientSecret: (h) => QUERIES.touchClientSecret(h, "secret-1", NOW),
  insertClient: (h) => QUERIES.insertClient(h, { ...client, id: "shop-staging" }),
  renameClientRows: (h) => QUERIES.renameClientRows(h, { applicationId: "shop", name: "Main", newName: "Web" }, NOW),
  updateClientRow: (h) => QUERIES.updateClientRow(h, "shop-dev", { disabledAt: NOW, updatedAt: NOW }),
  insertIdentity: (h) =>
    QUERIES.insertIdentity(h, { ...identity, id: "identity 2", subject: "2" }, { signInEpoch: 0 }, {}),
  insertAccountWithIdentity: (h) => {
    const account = { ...user, id: "dee", email: "dee@example.com" };
    return QUERIES.insertAccountWithIdentity(
      h,
      account,
      { ...identity, id: "identity 3", userId: "dee", subject: "3" },
      {},
    );
  },
  claimWithIdentity: (h) => {
    const claim = {
      identity: { ...identity, id: "identity 4", subject: "4" },
      email: "ada@example.com",
      empties: true,
    };
    return QUERIES.claimWithIdentity(h, claim, {}, NOW);
  },
  touchIdentity: (h) => QUERIES.touchIdentity(h, "identity", { email: "ada@example.com", lastUsedAt: NOW + 1 }),
  deleteIdentity: (h) =>
    QUERIES.deleteIdentity(h, { userId: "ada", id: "identity", signInEpoch: 0, keep: "session" }, {}, NOW),
  deleteClient: (h) => QUERIES.deleteClient(h, "shop-dev"),
  insertClientSecret: (h) => QUERIES.insertClientSecret(h, { ...secret, id: "secret-2" }),
  setClientSecrets: (h) => QUERIES.setClientSecrets(h, "shop-dev", [{ ...secret, id: "secret-1" }], NOW),
  insertAnotherSecret: (h) =>
    QUERIES.insertAnotherSecret(h, { ...secret, id: "secret-3" }, { most: 9, endOthersAt: NOW + 60, now: NOW }),
  cancelClientSecretEnd: (h) =>
    QUERIES.cancelClientSecretEnd(h, { clientId: "shop-dev", secretId: "secret-1", endsAt: null }, NOW),
  endClientSecret: (h) => {
    const seen = { clientId: "shop-dev", secretId: "secret-1", endsAt: null };
    return QUERIES.endClientSecret(h, seen, { needsAnother: false, now: NOW });
  },
  saveCode: (h) => QUERIES.saveCode(h, { ...code, hash: sha256("new") }),
  findCode: (h) => QUERIES.findCode(h, sha256("code")),
  redeemCode: (h) => QUERIES.redeemCode(h, sha256("code"), NOW, bought),
  countFailedVerifier: (h) => QUERIES.countFailedVerifier(h, sha256("code")),
  saveConsent: (h) =>
    QUERIES.saveConsent(h, { userId: "ada", clientId: "shop-dev", scope: "email", ...SHOWN, now: NOW }),
  revokeConnectedApp: (h) => QUERIES.revokeConnectedApp(h, "ada", "shop-dev", NOW),
  saveDeviceCode: (h) => QUERIES.saveDeviceCode(h, { ...device, hash: sha256("new"), userCode: "WXZBCDFG" }),
  findDeviceCode: (h) => QUERIES.findDeviceCode(h, sha256("device")),
  pollDeviceCode: (h) => QUERIES.pollDeviceCode(h, sha256("device"), NOW, 5),
  approveDeviceCode: (h) => QUERIES.approveDeviceCode(h, sha256("device"), approval, NOW),
  denyDeviceCode: (h) => QUERIES.denyDeviceCode(h, sha256("device"), NOW),
  redeemDeviceCode: (h) => QUERIES.redeemDeviceCode(h, sha256("approved"), NOW),
  endAllCredentials: (h) => QUERIES.endAllCredentials(h, NOW),
  saveGrant: (h) => QUERIES.saveGrant(h, grant, "session"),
  revokeGrant: (h) => QUERIES.revokeGrant(h, "grant", "test", NOW),
  revokeUserGrants: (h) => QUERIES.revokeUserGrants(h, "ada", "test", NOW),
  insertFact: (h) => QUERIES.insertFact(h, "new", "1"),
  factReplacement: (h) => h.guarded(QUERIES.factReplacement(h, "fact", { from: "1", to: "2" }), []),
  jobInsert: (h) => h.transaction([QUERIES.jobInsert(h, { ...job, id: "new" })]),
  leaseFence: (h) => h.transaction([QUERIES.leaseFence(h, { ...held, id: "held" })]),
  addJobs: (h) => QUERIES.addJobs(h, [{ ...job, id: "new" }]),
  hasDueJob: (h) => QUERIES.hasDueJob(h, "queue"),
  claimJobs: (h) => QUERIES.claimJobs(h, claim),
  extendLeases: (h) => QUERIES.extendLeases(h, [{ ...held, id: "held" }], 60),
  finishJob: (h) => QUERIES.finishJob(h, { ...held, id: "held" }),
  retryJob: (h) => QUERIES.retryJob(h, { ...held, id: "held" }, { error: "", seconds: 1 }),
  buryJob: (h) => QUERIES.buryJob(h, { ...held, id: "held" }, ""),
  releaseJobs: (h) => QUERIES.releaseJobs(h, [{ ...held, id: "held" }], 0),
  requeueJob: (h) => QUERIES.requeueJob(h, "job"),
  dropJob: (h) => QUERIES.dropJob(h, "job"),
  holdLease: (h) => QUERIES.holdLease(h, "new", "holder", 30),
  endLease: (h) => QUERIES.endLease(h, "lease", "holder", 600),
  dropLease: (h) => QUERIES.dropLease(h, "lease", "holder"),
  forgetLease: (h) => QUERIES.forgetLease(h, "expired"),
  logoutNotices: (h) => h.transaction([QUERIES.logoutNotices(h, eq(h.tables.sessions.id, "session"), NOW)]),
  lockRegistrations: (h) => h.transaction([QUERIES.lockRegistrations(h)]),
  endpointInsert: (h) => h.transaction([QUERIES.endpointInsert(h, { ...endpoint, slug: "new" })]),
  endpointUpdate: (h) =>
    h.transaction([QUERIES.endpointUpdate(h, "stripe", { name: "n" }, { environment: "production" })]),
  endpointDelete: (h) => h.transaction([QUERIES.endpointDelete(h, { slug: "unused", environment: "production" })]),
  webhookSecretWrite: (h) =>
    h.transaction([QUERIES.webhookSecretWrite(h, { row: webhookSecret, change: { name: "n" } })]),
  webhookSecretsRemoval: (h) =>
    h.transaction([QUERIES.webhookSecretsRemoval(h, { endpoint: "stripe", kind: "signing", keep: [] }, NOW)]),
  endWebhookSecret: (h) =>
    QUERIES.endWebhookSecret(
      h,
      { id: "whsec", endpoint: "stripe", environment: "production", endsAt: NOW, needsAnother: false },
      NOW,
    ),
  endpointSecretsRemoval: (h) =>
    h.transaction([QUERIES.endpointSecretsRemoval(h, { endpoint: "stripe", keep: [] }, NOW)]),
  endpointLock: (h) => h.transaction([QUERIES.endpointLock(h, "stripe")]),
  savePushedRequest: (h) => QUERIES.savePushedRequest(h, { ...request, hash: sha256("new") }),
  insertTestRun: (h) => QUERIES.insertTestRun(h, { ...testRun, id: "another", grantId: "another" }),
  bindGrantToSlot: async (h) => {
    await QUERIES.saveGrant(h, grant);
    return QUERIES.bindGrantToSlot(h, grant.id, "slot");
  },
  renewPreviewSlot: (h) => QUERIES.renewPreviewSlot(h, { ...slot, endsAt: NOW + 900 }, { now: NOW, clientVersion: 1 }),
  insertPreviewSlot: (h) =>
    QUERIES.insertPreviewSlot(h, { ...slot, id: "next" }, { most: 1, now: NOW, clientVersion: 1 }),
  endPreviewSlot: (h) => QUERIES.endPreviewSlot(h, "slot", NOW),
  setPreviewFrame: (h) =>
    QUERIES.setPreviewFrame(h, { clientId: "shop-dev", frame, version: 1, live: [slot], ended: ["slot"] }, NOW),
  endTestRun: (h) => QUERIES.endTestRun(h, testRun, NOW, []),
  usePushedRequest: (h) => QUERIES.usePushedRequest(h, sha256("request"), NOW),
  saveRefreshFamily: (h) => QUERIES.saveRefreshFamily(h, { ...family, id: "new" }),
  findRefreshFamily: (h) => QUERIES.findRefreshFamily(h, "family"),
  rotateRefreshFamily: (h) => QUERIES.rotateRefreshFamily(h, "family", rotation, access2),
  extendRefreshFamily: (h) =>
    QUERIES.extendRefreshFamily(
      h,
      "family",
      { presentedHash: sha256("refresh"), now: NOW, expiresAt: NOW + 60 },
      access2,
    ),
  writeSignIns: (h) => QUERIES.writeSignIns(h, [signInRow], [signInRow.bucket]),
  forgetTypedEmails: async (h) => {
    await QUERIES.writeSignIns(h, [{ ...signInRow, id: "typed", userId: null, typedEmail: "nobody@example.com" }]);
    return QUERIES.forgetTypedEmails(h, "~");
  },
  writeFailures: (h) => QUERIES.writeFailures(h, [failures]),
  groupStateUpdate: async (h) => {
    await QUERIES.writeFailures(h, [failures]);
    return h.transaction([QUERIES.groupStateUpdate(h, "group", { mutedUntil: null, resolvedAt: NOW })]);
  },
  addDynamicClient: (h) => QUERIES.addDynamicClient(h, fresh, NOW),
  findDynamicClient: (h) => QUERIES.findDynamicClient(h, "dynamic"),
  replaceDynamicClient: (h) => QUERIES.replaceDynamicClient(h, { ...dynamic, applicationName: "Other" }, NOW),
  removeDynamicClient: (h) => QUERIES.removeDynamicClient(h, "dynamic"),
  saveDocumentClient: (h) =>
    QUERIES.saveDocumentClient(h, { ...fresh, clientId: "https://app.example/client.json" }, NOW),
  approveClient: (h) => QUERIES.approveClient(h, "dynamic", { at: NOW, version: 1 }, []),
  pruneClient: (h) => QUERIES.pruneClient(h, "dynamic", NOW, []),
  confirmClient: (h) => QUERIES.confirmClient(h, "dynamic", NOW),
  touchClient: (h) => QUERIES.touchClient(h, "dynamic", NOW),
  insertInitialAccessToken: (h) => QUERIES.insertInitialAccessToken(h, { ...initial, hash: sha256("new") }),
  deleteInitialAccessToken: (h) => QUERIES.deleteInitialAccessToken(h, initial.hash),
  spendInitialAccessToken: (h) => QUERIES.spendInitialAccessToken(h, initial.hash, NOW),
  saveSession: (h) => QUERIES.saveSession(h, { ...session, id: "new", hash: sha256("new") }),
  findSession: (h) => QUERIES.findSession(h, sha256("session")),
  addTotp: (h) => QUERIES.addTotp(h, { userId: "cy", signInEpoch: 0 }, totp, [sha256("new code")], {}),
  spendTotpStep: (h) => QUERIES.spendTotpStep(h, "ada", 2, NOW),
  removeTotp: (h) =>
    QUERIES.removeTotp(h, { userId: "ada", signInEpoch: 0, sessionId: "session", codes: true }, {}, NOW),
  replaceRecoveryCodes: (h) =>
    QUERIES.replaceRecoveryCodes(h, { userId: "ada", signInEpoch: 0 }, [sha256("new code")], {}, NOW),
  spendRecoveryCode: (h) => QUERIES.spendRecoveryCode(h, "ada", sha256("recovery"), {}, NOW),
  rememberBrowser: (h) => QUERIES.rememberBrowser(h, { ...remembered, hash: sha256("another") }, {}),
  useRememberedBrowser: (h) => QUERIES.useRememberedBrowser(h, "ada", sha256("remembered"), NOW + 1),
  forgetBrowser: (h) => QUERIES.forgetBrowser(h, "ada", "browser", {}, NOW),
  rotateSession: (h) => QUERIES.rotateSession(h, sha256("session"), { hash: sha256("rotated"), authTime: NOW }),
  touchSession: (h) => QUERIES.touchSession(h, sha256("session"), { lastSeenAt: NOW + 1, expiresAt: NOW + 601 }),
  revokeSession: (h) => QUERIES.revokeSession(h, "ada", "session", NOW),
  replaceSession: (h) => QUERIES.replaceSession(h, "session", { ...session, id: "new", hash: sha256("new") }),
  saveSignIn: (h) => {
    const connection = { identity: { ...identity, id: "identity 5", subject: "5" }, signInEpoch: 0, also: {} };
    return QUERIES.saveSignIn(
      h,
      { ...session, id: "new", hash: sha256("new") },
      "session",
      { mails: [mail] },
      connection,
    );
  },
  saveSigningKey: (h) => QUERIES.saveSigningKey(h, { ...key, kid: "new", activeFrom: NOW + 1 }),
  retireSigningKey: (h) => QUERIES.retireSigningKey(h, "key", { retiredAt: NOW, removeAfter: NOW }),
  spendOnce: (h) => QUERIES.spendOnce(h, sha256("jti"), NOW + 60),
  saveMailedToken: (h) => QUERIES.saveMailedToken(h, mailedToken, { mails: [mail] }),
  countCodeTry: async (h) => {
    await QUERIES.saveMailedToken(h, mailedToken);
    return QUERIES.countCodeTry(h, mailedToken.hash, NOW);
  },
  spendMailedToken: async (h) => {
    await QUERIES.saveMailedToken(h, mailedToken);
    return QUERIES.spendMailedToken(h, mailedToken.hash, NOW, { mails: [mail] });
  },
  markPasswordBreached: (h) => QUERIES.markPasswordBreached(h, { userId: "ada", old: "$argon2id$not-checked-here" }),
  strengthenPasswordHash: (h) =>
    QUERIES.strengthenPasswordHash(h, { userId: "ada", old: "$argon2id$not-checked-here", hash: "stronger" }),
  changePassword: (h) =>
    QUERIES.changePassword(
      h,
      {
        userId: "ada",
        signInEpoch: 0,
        old: "$argon2id$not-checked-here",
        hash: "new",
        ends: WHAT_ENDS.password_changed,
        sessionId: "session",
      },
      NOW,
      {},
    ),
  resetPassword: async (h) => {
    await QUERIES.saveMailedToken(h, { ...mailedToken, purpose: "reset" });
    return QUERIES.resetPassword(
      h,
      { token: mailedToken.hash, userId: "ada", hash: "new", recoveryCode: undefined },
      NOW,
      {},
    );
  },
  recordMailAttempt: async (h) => {
    await h.transaction(QUERIES.mailWrites(h, mail));
    return QUERIES.recordMailAttempt(h, mail.id, { attempts: 1, answer: "421" });
  },
  requeueMail: async (h) => {
    await h.transaction(QUERIES.mailWrites(h, mail));
    await h.transaction([
      QUERIES.mailEnd(h, mail.id, { state: "failed", answer: "550", attempts: 1, at: NOW, wipe: false }),
    ]);
    return QUERIES.requeueMail(h, mail, NOW);
  },
  wipeOldMails: async (h) => {
    await h.transaction(
      QUERIES.mailWrites(h, {
        ...mail,
        id: mintTimeOrderedId({ now: () => NOW, random: (length) => randomBytes(length) }),
      }),
    );
    return QUERIES.wipeOldMails(h, NOW + 8 * 86_400);
  },
  insertUnverifiedAccount: (h) => QUERIES.insertUnverifiedAccount(h, newAccount, { mails: [mail] }),
  claimAddress: async (h) => {
    await QUERIES.saveInvitation(h, invitation, {});
    return QUERIES.claimAddress(
      h,
      newAccount,
      { kind: "invitation", hash: invitation.hash },
      () => ({ mails: [mail] }),
      NOW,
    );
  },
  proveAddress: (h) =>
    QUERIES.proveAddress(h, { userId: "ada", email: "ada@example.com", empties: true, passwordHash: "$new" }, {}, NOW),
  saveAddressChange: (h) => QUERIES.saveAddressChange(h, addressChange, { mails: [mail] }),
  changeAddress: async (h) => {
    await QUERIES.saveAddressChange(h, addressChange, {});
    const change = {
      userId: "ada",
      from: "ada@example.com",
      to: addressChange.email,
      token: addressChange.hash,
      sessionId: "session",
    };
    return QUERIES.changeAddress(
      h,
      { ...change, undo: { ...addressChange, purpose: "email_undo", hash: sha256("undo") } },
      {},
      NOW,
    );
  },
  undoAddressChange: async (h) => {
    await QUERIES.saveMailedToken(h, { ...addressChange, purpose: "email_undo" });
    const reset = { ...mailedToken, hash: sha256("reset after undo"), purpose: "reset" as const, userId: "ada" };
    return QUERIES.undoAddressChange(
      h,
      { userId: "ada", to: "old@example.com", token: addressChange.hash, changedAt: NOW, reset },
      {},
      NOW,
    );
  },
  requestDeletion: (h) => QUERIES.requestDeletion(h, { userId: "ada", deleteAfter: NOW + 60 }, { mails: [mail] }, NOW),
  restoreAccount: async (h) => {
    await QUERIES.requestDeletion(h, { userId: "ada", deleteAfter: NOW + 60 }, {}, NOW);
    return QUERIES.restoreAccount(h, { userId: "ada", deleteAfter: NOW + 60 }, {});
  },
  deleteAccount: async (h) => {
    await QUERIES.requestDeletion(h, { userId: "ada", deleteAfter: NOW }, {}, NOW);
    return QUERIES.deleteAccount(h, "ada", NOW);
  },
  saveInvitation: (h) => QUERIES.saveInvitation(h, invitation, { mails: [mail] }),
  withdrawInvitation: async (h) => {
    await QUERIES.saveInvitation(h, invitation, {});
    return QUERIES.withdrawInvitation(h, invitation.id, {}, NOW);
  },
  sweep: (h) => QUERIES.sweep(h, NOW + 400 * 86_400),
  deleteDead: async (h) => {
    for (const dead of QUERIES.deadRows(h, NOW + 400 * 86_400)) await QUERIES.deleteDead(h, dead, 100_000, UNPACED);
  },
  deleteUnusedClients: (h) => QUERIES.deleteUnusedClients(h, NOW + 2 * 86_400),
  changeAccount: (h) =>
    QUERIES.changeAccount(
      h,
      {
        userId: "ada",
        first: h
          .update(h.tables.users)
          .set({ locale: "de" })
          .where(eq(h.tables.users.id, "ada"))
          .returning({ id: h.tables.users.id }),
        rest: [
          ...QUERIES.discardUntrustedAccess(h, "ada", NOW),
          ...QUERIES.revocationWrites(h, WHAT_ENDS.password_changed, { userId: "ada", reason: "test" }, NOW),
        ],
        also: { mails: [mail], events: [accountChanged], audit: [auditRow] },
      },
      NOW,
    ),
  insertImportedAccount: (h) =>
    QUERIES.insertImportedAccount(
      h,
      { account: { ...user, id: "di", email: "di@example.com" }, factors: { totp: "sealed", identities: [imported] } },
      {},
      NOW,
    ),
  updateImportedAccount: (h) =>
    QUERIES.updateImportedAccount(
      h,
      { userId: "ada", change: { name: "Ada L." }, factors: { totp: "sealed", identities: [imported] } },
      {},
      NOW,
    ),
  saveAccountRecord: (h) =>
    QUERIES.saveAccountRecord(h, {
      mails: [{ ...mail, id: "recorded" }],
      events: [{ ...accountChanged, id: "recorded" }],
      audit: [{ ...auditRow, id: "recorded" }],
    }),
  addPasskey: (h) =>
    QUERIES.addPasskey(h, { ...passkey, credentialId: "new" }, { webauthnUserId: "user", signInEpoch: 0 }, {}, NOW),
  removePasskey: (h) => QUERIES.removePasskey(h, passkey, { signInEpoch: 0, sessionId: "session" }, {}, NOW),
  usePasskey: (h) =>
    QUERIES.usePasskey(h, "passkey", { counterBefore: 0, counter: 1, backedUp: false, usedAt: NOW }, {}),
  renamePasskey: (h) => QUERIES.renamePasskey(h, { ...passkey, name: "renamed" }, {}),
  requirePasswordChange: (h) => QUERIES.requirePasswordChange(h, "ada", {}, NOW),
  resetSecondFactors: (h) => QUERIES.resetSecondFactors(h, "ada", {}, NOW),
  disconnectApp: (h) => QUERIES.disconnectApp(h, { userId: "ada", clientId: "shop-dev" }, {}, NOW),
  disconnectApps: (h) => QUERIES.disconnectApps(h, "ada", {}, NOW),
  changeUser: (h) => QUERIES.changeUser(h, { id: "ada", name: undefined, role: "admin", passwordHash: undefined }, NOW),
  takeOverUser: (h) =>
    QUERIES.takeOverUser(h, { id: "cy", name: "Cy", role: "user", passwordHash: "$argon2id$new" }, NOW),
  markRegisteredByOperator: (h) => QUERIES.markRegisteredByOperator(h, "cy", []),
  updateUserDisabled: (h) => QUERIES.updateUserDisabled(h, { id: "ada", disabled: true }, NOW),
  signOutEverywhere: (h) => QUERIES.signOutEverywhere(h, { userId: "ada", apps: true }, NOW),
  insertUser: (h) => QUERIES.insertUser(h, { ...user, id: "di", email: "di@example.com" }),
  writeIfStillAuthorized: (h) =>
    QUERIES.writeIfStillAuthorized(h, { id: "ada", role: "user", credential: { kind: "session", id: "session" } }, [
      h.insert(h.tables.apiTokens).values({ ...apiToken, id: "made-token", hash: sha256("made token") }),
    ]),
  insertApiToken: (h) => QUERIES.insertApiToken(h, { ...apiToken, id: "other-token", hash: sha256("other token") }),
  endApiToken: (h) => QUERIES.endApiToken(h, apiToken.id, NOW),
  touchApiToken: (h) => QUERIES.touchApiToken(h, { id: apiToken.id, now: NOW, unlessSince: NOW - 60 }),
  insertSavedView: (h) => QUERIES.insertSavedView(h, { ...savedView, id: "other-view" }, { replaces: "view" }),
  saveSettings: (h) => QUERIES.saveSettings(h, { GATEHOUSE_SIGN_UP: "closed" }, { version: 0, also: [] }),
  saveInstallationLogo: (h) => QUERIES.saveInstallationLogo(h, picture, { version: 0, now: NOW, also: [] }),
  unlockManagedObject: (h) => QUERIES.unlockManagedObject(h, managed, { unlockedAt: NOW, unlockedBy: "Ada" }, []),
  deleteSavedView: (h) => QUERIES.deleteSavedView(h, savedView.id),
  signInProviderInsert: (h) => h.transaction([QUERIES.signInProviderInsert(h, { ...provider, id: "other" })]),
  signInProviderUpdate: (h) => h.transaction([QUERIES.signInProviderUpdate(h, { id: "corp", now: 2 }, { name: "n" })]),
  signInProviderDelete: (h) => h.transaction(QUERIES.signInProviderDelete(h, "corp")),
  sealAuditRows: sealOneRow,
  pruneAuditRows: async (h) => {
    await sealOneRow(h);
    await QUERIES.pruneAuditRows(h, 0, { prunedNumber: 1, prunedHash: "h", prunedMac: "m" }, []);
  },
  auditInsert: (h) => h.transaction([QUERIES.auditInsert(h, auditRow)]),
  findSealedEndpoint: (h) => QUERIES.findSealedEndpoint(h, "stripe"),
  insertDelivery: (h) => QUERIES.insertDelivery(h, { ...delivery, id: "new" }),
  bodyDeletion: async (h) => {
    await QUERIES.insertDelivery(h, { ...delivery, id: "handled" });
    await h.transaction([QUERIES.bodyDeletion(h, "handled")]);
  },
  insertDeliveryOnce: (h) => QUERIES.insertDeliveryOnce(h, { ...delivery, id: "new" }, [deliveredEvent]),
  writeFact: (h) => QUERIES.writeFact(h, "fact", "2"),
  sealedValueReplacement: (h) => {
    const from = { key: "whsec", sealed: "", kind: "" };
    return h.transaction([QUERIES.sealedValueReplacement(h, "webhook_secrets", from, "sealed again")]);
  },
  deleteFact: (h) => QUERIES.deleteFact(h, "fact"),
  factDeletion: (h) => h.transaction([QUERIES.factDeletion(h, "fact")]),
  sweepInbox: async (h) => {
    await QUERIES.insertDeliveryOnce(h, { ...delivery, id: `${deliveryIdsFrom(NOW)}-7000` }, [
      { ...deliveredEvent, handlers: [] },
    ]);
    return QUERIES.sweepInbox(h, NOW + 400 * 86_400, { bodyDays: 30, maxBytes: 1 });
  },
  addStats: (h) =>
    QUERIES.addStats(h, {
      hours: [stat],
      days: [stat],
      secrets: [{ id: "whsec", at: NOW }],
      endpoints: [{ slug: "stripe", acceptedAt: NOW, refused: { at: NOW, reason: "unparsable" } }],
      usage: used,
    }),
  readSchedule: (h) => QUERIES.readSchedule(h, NOW),
  usageWrites: (h) => h.transaction(QUERIES.usageWrites(h, used)),
  sweepUsage: (h) => QUERIES.sweepUsage(h, NOW + 400 * 86_400),
  cancelRerun: (h) => h.transaction([QUERIES.cancelRerun(h, "rerun", NOW)]),
} satisfies CanWrite<typeof QUERIES> & Record<string, (db: Db) => Promise<unknown>>;

/** Prepared reads take the whole database. */
const READS = [
  "findAccessToken",
  "findClient",
  "findCode",
  "findDeviceCode",
  "findRefreshFamily",
  "findDynamicClient",
  "findSession",
  "hasDueJob",
  "readSchedule",
].concat("findSealedEndpoint");

/** What the hot paths write must not empty a cache. */
const KEEP_CACHES = [
  "saveAccessToken",
  "saveRefreshFamily",
  "rotateRefreshFamily",
  "saveGrant",
  "saveCode",
  "redeemCode",
  "insertDeliveryOnce",
  "saveSession",
  "saveSignIn",
  "writeSignIns",
  "touchClient",
  "touchClientSecret",
  "usageWrites",
];

/** What each cache can hold, by key: a row that is there may be cached. */
async function cachedRows(db: Db, connection: Sqlite.Database): Promise<Record<CacheName, Map<string, unknown>>> {
  const keysOf = (table: string, key: string) =>
    connection.prepare<[], string>(`SELECT ${key} FROM ${table}`).pluck().all();
  const read = async (keys: string[], find: (key: string) => Promise<unknown>) =>
    new Map(await Promise.all(keys.map(async (key) => [key, await find(key)] as const)));
  const rows = (table: string, key: string, columns = "*") =>
    read(keysOf(table, key), async (value) =>
      connection.prepare(`SELECT ${columns} FROM ${table} WHERE ${key} = ?`).get(value),
    );
  return {
    // An expired token is rejected anyway
    accessTokens: await rows("(SELECT * FROM access_tokens WHERE expires_at > unixepoch())", "hash"),
    clients: await read(keysOf("clients", "id"), (id) => QUERIES.findClient(db, id)),
    grants: await rows("grants", "id", "revoked_at, access_epoch"),
    signInProviders: await read(["all"], () => QUERIES.listSignInProviders(db)),
    users: await rows(
      "users",
      "id",
      "disabled_at, access_epoch, email, name, role, email_verified_at, locale, picture_id, profile_changed_at",
    ),
    webhookEndpoints: await read(keysOf("webhook_endpoints", "slug"), (slug) => QUERIES.findSealedEndpoint(db, slug)),
  };
}

describe("every write is known to the caches", () => {
  let filled: Buffer;
  let connection: Sqlite.Database;
  let db: Db;
  let changed: () => string[];

  beforeAll(async () => {
    const database = await openDatabase(":memory:");
    if (database.engine.dialect !== "sqlite") throw new Error("expected SQLite");
    await database.migrate();
    await fill(database.db);
    filled = database.engine.connection.serialize();
    await database.close();
  });
  beforeEach(() => {
    connection = new Sqlite(filled);
    connection.pragma("foreign_keys = ON");
    db = sqliteDb(connection, createGroupCommit(connection));

    // The engine itself notes each row that changes: cascades, both halves of an upsert and triggers of a REPLACE
    // included.
    connection.pragma("recursive_triggers = ON");
    connection.exec("CREATE TEMP TABLE changed (change TEXT PRIMARY KEY ON CONFLICT IGNORE)");
    // No cache holds these, which the schema's own triggers keep.
    const { totals: _totals, applicationUse: _use, clientHosts: _hosts, ...tables } = db.tables;
    for (const table of Object.values(tables).map(getTableName)) {
      for (const operation of ["insert", "update", "delete"]) {
        const note = `INSERT OR IGNORE INTO changed VALUES ('${operation} ${table}')`;
        connection.exec(
          `CREATE TEMP TRIGGER "${operation} ${table}" AFTER ${operation} ON main."${table}" BEGIN ${note}; END`,
        );
      }
    }
    changed = () => connection.prepare<[], string>("SELECT change FROM changed ORDER BY change").pluck().all();
    return () => void connection.close();
  });

  test("covers every file of queries", async () => {
    const db = join(import.meta.dirname, "../../db/src");
    const files = [
      ...sourcesIn(import.meta.dirname).filter((file) => file.endsWith("queries.ts")),
      ...["stores", "sweep"].flatMap((folder) => sourcesIn(join(db, folder))).filter((file) => !NO_QUERIES.test(file)),
      ...["audit.ts", "facts.ts", "backup/end-all.ts", "query/page.ts", "query/scan.ts"].map((file) => join(db, file)),
    ];
    for (const file of files)
      expect(Object.keys(QUERIES), file).toEqual(
        expect.arrayContaining(Object.keys(await import(/* @vite-ignore */ file))),
      );
  });

  test.each(Object.entries(CALLS))("%s", async (name, call) => {
    const before = { versions: db.local?.versions(), rows: await cachedRows(db, connection) };
    await call(db);
    const changes = changed();
    if (READS.includes(name)) {
      expect(changes).toEqual([]);
      return;
    }
    expect(changes).not.toEqual([]);
    const after = { versions: db.local?.versions(), rows: await cachedRows(db, connection) };
    for (const cache of Object.keys(CACHES) as CacheName[]) {
      const stale = [...before.rows[cache]].filter(([key, row]) => !isDeepStrictEqual(after.rows[cache].get(key), row));
      if (stale.length > 0) expect(after.versions?.[cache], cache).not.toBe(before.versions?.[cache]);
    }
  });

  test.each(KEEP_CACHES)("%s leaves the caches alone", async (name) => {
    const before = db.local?.versions();
    await CALLS[name as keyof typeof CALLS](db);
    expect(db.local?.versions()).toBe(before);
  });

  test("a write sent as a read is rejected", async () => {
    const { tables } = db;
    const disguised = Object.assign(db.select().from(tables.users), { toSQL: () => db.delete(tables.users).toSQL() });
    expect(() => db.prepare(disguised, "disguised")).toThrow("as a read");
  });

  test("a statement that the builder did not make is rejected", () => {
    const { toSQL } = { toSQL: () => ({ sql: "UPDATE users SET name = ''", params: [] }) };
    expect(() => db.transaction([{ toSQL }])).toThrow("not a write");
  });
});
