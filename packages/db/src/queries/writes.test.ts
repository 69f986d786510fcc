import { readdirSync } from "node:fs";
import { type ApiResource, type NewDynamicClient, type SigningKey, sha256 } from "@gatehouse/auth";
import { type Delivery, deliveryIdsFrom } from "@gatehouse/webhooks";
import { eq, getTableName } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { changesOf, invalidatedBy } from "../cache/invalidation.ts";
import { type Database, openDatabase } from "../database.ts";
import type { Target } from "../query/builder.ts";
import type { Handle, ReadHandle } from "../query/handle.ts";
import { createCacheVersions } from "../sqlite/cache-versions.ts";
import { sqliteHandle } from "../sqlite/handle.ts";
import { NOW, seed } from "../testing/index.ts";
import * as accessTokens from "./access-tokens.ts";
import * as apiResources from "./api-resources.ts";
import * as applications from "./applications.ts";
import * as audit from "./audit.ts";
import * as clientBlocks from "./client-blocks.ts";
import * as clientLookup from "./client-lookup.ts";
import * as clients from "./clients.ts";
import * as codes from "./codes.ts";
import * as consents from "./consents.ts";
import * as deliveries from "./deliveries.ts";
import * as deliveryDetail from "./delivery-detail.ts";
import * as deliveryScans from "./delivery-scans.ts";
import * as deliveryTail from "./delivery-tail.ts";
import * as deviceCodes from "./device-codes.ts";
import * as endAll from "./end-all.ts";
import * as endpointSets from "./endpoint-sets.ts";
import * as eviction from "./eviction.ts";
import * as grantStatus from "./grant-status.ts";
import * as grants from "./grants.ts";
import * as inboxRetention from "./inbox-retention.ts";
import * as installation from "./installation.ts";
import * as jobClaims from "./job-claims.ts";
import * as jobOutcomes from "./job-outcomes.ts";
import * as jobs from "./jobs.ts";
import * as leases from "./leases.ts";
import * as logoutNotices from "./logout-notices.ts";
import * as newTokens from "./new-tokens.ts";
import * as page from "./page.ts";
import * as pushedRequests from "./pushed-requests.ts";
import * as refreshTokens from "./refresh-tokens.ts";
import * as refusals from "./refusals.ts";
import * as registrations from "./registrations.ts";
import * as scan from "./scan.ts";
import * as sessions from "./sessions.ts";
import * as signingKeys from "./signing-keys.ts";
import * as spentIds from "./spent-ids.ts";
import * as statRows from "./stat-rows.ts";
import * as stats from "./stats.ts";
import * as sweeper from "./sweep.ts";
import * as unusedClients from "./unused-clients.ts";
import * as userChanges from "./user-changes.ts";
import * as userSessions from "./user-sessions.ts";
import * as users from "./users.ts";
import * as webhookEndpoints from "./webhook-endpoints.ts";
import * as webhookIntake from "./webhook-intake.ts";
import * as webhookReconciliations from "./webhook-reconciliations.ts";
import * as webhookReruns from "./webhook-reruns.ts";
import * as webhookRuns from "./webhook-runs.ts";
import * as webhookSecrets from "./webhook-secrets.ts";

const QUERIES = {
  ...accessTokens,
  ...apiResources,
  ...applications,
  ...audit,
  ...clientBlocks,
  ...clientLookup,
  ...clients,
  ...codes,
  ...consents,
  ...deliveries,
  ...deliveryDetail,
  ...deliveryScans,
  ...deliveryTail,
  ...deviceCodes,
  ...endAll,
  ...endpointSets,
  ...eviction,
  ...grants,
  ...grantStatus,
  ...inboxRetention,
  ...installation,
  ...jobClaims,
  ...jobOutcomes,
  ...jobs,
  ...leases,
  ...logoutNotices,
  ...newTokens,
  ...page,
  ...pushedRequests,
  ...refreshTokens,
  ...refusals,
  ...registrations,
  ...scan,
  ...sessions,
  ...signingKeys,
  ...spentIds,
  ...statRows,
  ...stats,
  ...sweeper,
  ...unusedClients,
  ...userChanges,
  ...userSessions,
  ...users,
  ...webhookEndpoints,
  ...webhookIntake,
  ...webhookReconciliations,
  ...webhookReruns,
  ...webhookRuns,
  ...webhookSecrets,
};
/** The query functions that are given a builder for writes: one that takes a ReadHandle cannot write. */
type CanWrite<Queries> = {
  [Name in keyof Queries as Queries[Name] extends (handle: ReadHandle, ...rest: never[]) => unknown
    ? never
    : Queries[Name] extends (handle: Handle, ...rest: never[]) => Promise<unknown>
      ? Name
      : never]: (handle: Handle) => Promise<unknown>;
};

const owner = { grantId: "grant", clientId: "shop-dev", userId: "ada", scope: "openid", context: null };
const lifetime = { createdAt: NOW, expiresAt: NOW + 600, absoluteExpiresAt: NOW + 600 };
const grant = { id: "grant-2", clientId: "shop-dev", userId: "ada", scope: "", sessionId: "session", accessEpoch: 0, createdAt: NOW };
const access = { ...owner, id: "token", audience: "api", environment: "development", issuedAt: NOW, expiresAt: NOW + 600 } as const;
const refresh = { ...owner, ...lifetime, audience: "api" };
const bought = { accessToken: { ...access, hash: sha256("access 2") }, refreshToken: { ...refresh, hash: sha256("refresh 2") } };
const session = { ...lifetime, userId: "ada", authTime: NOW, userAgent: null, address: null, lastSeenAt: NOW, accessEpoch: 0 };
const code = { ...owner, ...lifetime, redirectUri: "", codeChallenge: "", audience: null, authTime: NOW };
const device = { clientId: "shop-dev", scope: "", audience: null, requestedFrom: null, intervalSeconds: 5, ...lifetime };
const request = { clientId: "shop-dev", parameters: "", dpopJkt: null, expiresAt: NOW + 60 };
const resource: Omit<ApiResource, "id"> = {
  ...{ name: "Notes", scopes: [], tokenFormat: "opaque", tokenAlgorithm: "ES256", environments: null, attachedBy: "admins" },
  ...{ strangers: "refused", createdAt: NOW, disabledAt: null },
} as const;
const secret = { clientId: "shop-dev", hash: sha256("another"), hint: "ther", createdAt: NOW };
const settings = {
  ...{ redirectUris: [], postLogoutRedirectUris: [], grantTypes: [], scopes: [], options: {} },
  ...{ firstParty: false, resourceServer: false, refreshRetrySeconds: 30 },
};
const client = { ...settings, applicationId: "shop", environment: "staging", type: "web", createdAt: NOW, updatedAt: NOW } as const;
const dynamic: NewDynamicClient = {
  ...settings,
  ...{ clientId: "dynamic", applicationId: "dynamic", applicationName: "Dynamic", type: "web", grantTypes: ["authorization_code"] },
  ...{ registrationTokenHash: sha256("registration"), secret: { id: "dynamic", hash: sha256("dynamic"), hint: "amic" } },
} as const;
const fresh: NewDynamicClient = { ...dynamic, clientId: "fresh", applicationId: "fresh", applicationName: "Fresh", secret: null };
const block = { kind: "client_id", value: "dynamic", reason: "spam", createdAt: NOW, expiresAt: null } as const;
const key: Omit<SigningKey, "kid"> = {
  ...{ algorithm: "ES256", publicJwk: { kty: "EC" }, sealedPrivateJwk: "", createdAt: NOW, activeFrom: NOW },
  ...{ retiredAt: null, removeAfter: null },
} as const;
const endpoint = { slug: "stripe", provider: "stripe", environment: "production", name: null, settings: {}, createdAt: NOW } as const;
const webhookSecret = {
  ...{
    id: "whsec",
    endpoint: "stripe",
    kind: "signing" as const,
    sealed: "",
    hash: sha256("whsec"),
    hint: "hsec",
    name: null,
    createdAt: NOW,
  },
  ...{ expiresAt: null, removedAt: null, lastMatchedAt: null },
};
const auditRow: audit.AuditRow = {
  ...{ id: "audit", at: NOW, actorId: "ada", actorName: "Ada", role: "admin", via: "console", action: "webhook.reveal" },
  ...{ object: "delivery", environment: null, detail: {}, address: null },
};
const delivery: Omit<Delivery, "id"> = {
  ...{
    endpoint: "stripe",
    source: "http",
    receivedAt: NOW,
    method: "POST",
    outcome: "accepted",
    reason: "accepted",
    status: 200,
    eventType: null,
  },
  ...{ eventId: null, secretId: "whsec", skewSeconds: 0, headers: {}, body: Buffer.from(""), bodyBytes: 0, ackMs: 1, address: null },
} as const;
const deliveredEvent = {
  key: Buffer.from("key"),
  id: null,
  type: null,
  objectKey: null,
  handlers: [{ name: "*", orderKey: null, queue: "webhook" }],
};
const stat = { at: NOW, environment: "production", metric: "webhook_result", key: "stripe/accepted", count: 2 };
const rerun: webhookReruns.RerunRow = {
  ...{ id: "rerun", trigger: "manual", actorId: "ada", actorName: "Ada", role: "admin", state: "queued", cursor: null, total: 1 },
  ...{ totalKnown: true, succeeded: 0, failed: 0, skipped: 0, problems: [], createdAt: NOW, finishedAt: null },
  selection: { kind: "ids", ids: ["delivery"] },
};
const refusal = { at: NOW, endpoint: "/token", error: "invalid_grant", cause: "code_expired", message: "", detail: {} } as const;
const initial = { hash: sha256("initial"), name: "initial", remaining: 5, expiresAt: null, createdAt: NOW };
const user = { name: "Cy", role: "user", createdAt: NOW, registeredBy: "self", passwordHash: "$argon2id$" } as const;
const job = { id: "job", queue: "queue", orderKey: "key", payload: {}, createdAt: NOW };
const claim = { queue: "queue", limit: 1, leaseToken: "claimed", leaseSeconds: 60 };
const held = { ...job, leaseToken: "held", attempts: 1 };
const approval = { userId: "ada", grantId: "grant", context: {} };

/** A row or more for every write to find. */
async function fill(handle: Handle): Promise<void> {
  await seed(handle);
  const { db, tables: t } = handle;
  await db.update(t.users).set({ registeredBy: "operator" });
  await db.insert(t.users).values({ ...user, id: "cy", email: "cy@example.com" });
  await QUERIES.saveSession(handle, { ...session, id: "session", hash: sha256("session") });
  await QUERIES.saveGrant(handle, { ...grant, id: "grant" });
  await QUERIES.saveAccessToken(handle, { ...access, hash: sha256("access") });
  await QUERIES.saveRefreshToken(handle, { ...refresh, hash: sha256("refresh") });
  await QUERIES.saveCode(handle, { ...code, hash: sha256("code") });
  await QUERIES.saveDeviceCode(handle, { ...device, hash: sha256("device"), userCode: "BCDFGHJK" });
  await QUERIES.saveDeviceCode(handle, { ...device, hash: sha256("approved"), userCode: "LMNPQRST" });
  await QUERIES.approveDeviceCode(handle, sha256("approved"), approval, NOW);
  await QUERIES.savePushedRequest(handle, { ...request, hash: sha256("request") });
  await QUERIES.saveConsent(handle, { userId: "ada", clientId: "shop-dev", scope: "openid", now: NOW });
  await QUERIES.addDynamicClient(handle, dynamic, NOW);
  await QUERIES.saveBlock(handle, { ...block, value: "nobody", expiresAt: NOW + 60 }, NOW);
  await QUERIES.insertInitialAccessToken(handle, initial);
  await QUERIES.insertResource(handle, { ...resource, id: "https://notes.example" });
  await QUERIES.saveSigningKey(handle, { ...key, kid: "key" });
  await QUERIES.insertFact(handle, "fact", "1");
  await handle.transaction([QUERIES.insertRerun(handle, rerun)]);
  await handle.transaction([
    QUERIES.endpointInsert(handle, endpoint),
    QUERIES.endpointInsert(handle, { ...endpoint, slug: "unused" }),
    QUERIES.webhookSecretWrite(handle, { row: webhookSecret, change: {} }),
    QUERIES.webhookSecretWrite(handle, { row: { ...webhookSecret, id: "other", endpoint: "unused" }, change: {} }),
  ]);
  await QUERIES.addJobs(handle, [job]);
  await db.insert(t.jobs).values({ ...held, id: "held", orderKey: "another", runAt: NOW * 2 });
  await QUERIES.holdLease(handle, "lease", "holder", 30);
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
  insertApplication: (h) => QUERIES.insertApplication(h, { id: "new", name: "New", description: "", createdAt: NOW }),
  updateApplicationRow: (h) => QUERIES.updateApplicationRow(h, { id: "shop", name: "Other", description: "" }),
  deleteApplication: (h) => QUERIES.deleteApplication(h, "shop"),
  saveBlock: (h) => QUERIES.saveBlock(h, block, NOW),
  deleteBlock: (h) => QUERIES.deleteBlock(h, { kind: "client_id", value: "nobody" }, NOW),
  deleteExpiredBlocks: (h) => QUERIES.deleteExpiredBlocks(h, NOW + 60),
  findClient: (h) => QUERIES.findClient(h, "shop-dev"),
  touchClientSecret: (h) => QUERIES.touchClientSecret(h, "secret-1", NOW),
  insertClient: (h) => QUERIES.insertClient(h, { ...client, id: "shop-staging" }),
  updateClientRow: (h) => QUERIES.updateClientRow(h, "shop-dev", { disabledAt: NOW, updatedAt: NOW }),
  deleteClient: (h) => QUERIES.deleteClient(h, "shop-dev"),
  insertClientSecret: (h) => QUERIES.insertClientSecret(h, { ...secret, id: "secret-2" }),
  keepOnlyClientSecret: (h) => QUERIES.keepOnlyClientSecret(h, { ...secret, id: "secret-1" }, NOW),
  discardClientSecret: (h) => QUERIES.discardClientSecret(h, "secret-1"),
  expireClientSecret: (h) => QUERIES.expireClientSecret(h, "secret-1", NOW + 60),
  retireClientSecret: (h) => QUERIES.retireClientSecret(h, { clientId: "shop-dev", secretId: "secret-1" }, NOW),
  saveCode: (h) => QUERIES.saveCode(h, { ...code, hash: sha256("new") }),
  findCode: (h) => QUERIES.findCode(h, sha256("code")),
  redeemCode: (h) => QUERIES.redeemCode(h, sha256("code"), NOW, bought),
  countFailedVerifier: (h) => QUERIES.countFailedVerifier(h, sha256("code")),
  saveConsent: (h) => QUERIES.saveConsent(h, { userId: "ada", clientId: "shop-dev", scope: "email", now: NOW }),
  revokeConnectedApp: (h) => QUERIES.revokeConnectedApp(h, "ada", "shop-dev", NOW),
  saveDeviceCode: (h) => QUERIES.saveDeviceCode(h, { ...device, hash: sha256("new"), userCode: "WXZBCDFG" }),
  findDeviceCode: (h) => QUERIES.findDeviceCode(h, sha256("device")),
  pollDeviceCode: (h) => QUERIES.pollDeviceCode(h, sha256("device"), NOW, 5),
  approveDeviceCode: (h) => QUERIES.approveDeviceCode(h, sha256("device"), approval, NOW),
  denyDeviceCode: (h) => QUERIES.denyDeviceCode(h, sha256("device"), NOW),
  redeemDeviceCode: (h) => QUERIES.redeemDeviceCode(h, sha256("approved"), NOW),
  endAllAccess: (h) => QUERIES.endAllAccess(h, NOW),
  saveGrant: (h) => QUERIES.saveGrant(h, grant, "session"),
  revokeGrant: (h) => QUERIES.revokeGrant(h, "grant", "test", NOW),
  revokeUserGrants: (h) => QUERIES.revokeUserGrants(h, "ada", "test", NOW),
  insertFact: (h) => QUERIES.insertFact(h, "new", "1"),
  replaceFact: (h) => QUERIES.replaceFact(h, "fact", { from: "1", to: "2" }),
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
  queueLogoutNotices: (h) => QUERIES.queueLogoutNotices(h, "session", NOW),
  lockRegistrations: (h) => h.transaction([QUERIES.lockRegistrations(h)]),
  endpointInsert: (h) => h.transaction([QUERIES.endpointInsert(h, { ...endpoint, slug: "new" })]),
  endpointUpdate: (h) => h.transaction([QUERIES.endpointUpdate(h, "stripe", { name: "n" })]),
  endpointDelete: (h) => h.transaction([QUERIES.endpointDelete(h, "unused")]),
  webhookSecretWrite: (h) => h.transaction([QUERIES.webhookSecretWrite(h, { row: webhookSecret, change: { name: "n" } })]),
  webhookSecretsRemoval: (h) => h.transaction([QUERIES.webhookSecretsRemoval(h, { endpoint: "stripe", kind: "signing", keep: [] }, NOW)]),
  webhookSecretEnd: (h) => h.transaction([QUERIES.webhookSecretEnd(h, { id: "whsec", endsAt: NOW }, NOW)]),
  savePushedRequest: (h) => QUERIES.savePushedRequest(h, { ...request, hash: sha256("new") }),
  usePushedRequest: (h) => QUERIES.usePushedRequest(h, sha256("request"), NOW),
  saveRefreshToken: (h) => QUERIES.saveRefreshToken(h, { ...refresh, hash: sha256("new") }),
  findRefreshToken: (h) => QUERIES.findRefreshToken(h, sha256("refresh")),
  rotateRefreshToken: (h) =>
    QUERIES.rotateRefreshToken(h, sha256("refresh"), { rotatedAt: NOW, successorHash: sha256("refresh 2"), sealedResponse: "" }, bought),
  extendRefreshToken: (h) => QUERIES.extendRefreshToken(h, sha256("refresh"), NOW + 60),
  insertRefusal: (h) => QUERIES.insertRefusal(h, { ...refusal, errorId: "e", clientId: null, address: null }),
  addDynamicClient: (h) => QUERIES.addDynamicClient(h, fresh, NOW),
  findDynamicClient: (h) => QUERIES.findDynamicClient(h, "dynamic"),
  replaceDynamicClient: (h) => QUERIES.replaceDynamicClient(h, { ...dynamic, applicationName: "Other" }, true, NOW),
  removeDynamicClient: (h) => QUERIES.removeDynamicClient(h, "dynamic"),
  saveDocumentClient: (h) => QUERIES.saveDocumentClient(h, { ...fresh, clientId: "https://app.example/client.json" }, true, NOW),
  confirmClient: (h) => QUERIES.confirmClient(h, "dynamic", NOW),
  touchClient: (h) => QUERIES.touchClient(h, "dynamic", NOW),
  insertInitialAccessToken: (h) => QUERIES.insertInitialAccessToken(h, { ...initial, hash: sha256("new") }),
  deleteInitialAccessToken: (h) => QUERIES.deleteInitialAccessToken(h, initial.hash),
  spendInitialAccessToken: (h) => QUERIES.spendInitialAccessToken(h, initial.hash, NOW),
  saveSession: (h) => QUERIES.saveSession(h, { ...session, id: "new", hash: sha256("new") }),
  findSession: (h) => QUERIES.findSession(h, sha256("session")),
  touchSession: (h) => QUERIES.touchSession(h, sha256("session"), { lastSeenAt: NOW + 1, expiresAt: NOW + 601 }),
  revokeSession: (h) => QUERIES.revokeSession(h, "ada", "session", NOW),
  replaceSession: (h) => QUERIES.replaceSession(h, "session", { ...session, id: "new", hash: sha256("new") }),
  saveSigningKey: (h) => QUERIES.saveSigningKey(h, { ...key, kid: "new", activeFrom: NOW + 1 }),
  retireSigningKey: (h) => QUERIES.retireSigningKey(h, "key", { retiredAt: NOW, removeAfter: NOW }),
  spendOnce: (h) => QUERIES.spendOnce(h, sha256("jti"), NOW + 60),
  sweep: (h) => QUERIES.sweep(h, NOW + 400 * 86_400),
  deleteUnusedClients: (h) => QUERIES.deleteUnusedClients(h, NOW + 2 * 86_400),
  changeUser: (h) => QUERIES.changeUser(h, { id: "ada", name: undefined, role: "admin", passwordHash: undefined }, NOW),
  adoptUser: (h) => QUERIES.adoptUser(h, { id: "cy", name: "Cy", role: "user", passwordHash: "$argon2id$new" }, NOW),
  vouchForUser: (h) => QUERIES.vouchForUser(h, "cy"),
  switchUser: (h) => QUERIES.switchUser(h, { id: "ada", disabled: true }, NOW),
  signOutEverywhere: (h) => QUERIES.signOutEverywhere(h, { userId: "ada", apps: true }, NOW),
  insertUser: (h) => QUERIES.insertUser(h, { ...user, id: "di", email: "di@example.com" }),
  auditInsert: (h) => h.transaction([QUERIES.auditInsert(h, auditRow)]),
  findSealedEndpoint: (h) => QUERIES.findSealedEndpoint(h, "stripe"),
  insertDelivery: (h) => QUERIES.insertDelivery(h, { ...delivery, id: "new" }),
  insertDeliveryOnce: (h) => QUERIES.insertDeliveryOnce(h, { ...delivery, id: "new" }, [deliveredEvent]),
  writeFact: (h) => QUERIES.writeFact(h, "fact", "2"),
  deleteFact: (h) => QUERIES.deleteFact(h, "fact"),
  sweepInbox: async (h) => {
    await QUERIES.insertDeliveryOnce(h, { ...delivery, id: `${deliveryIdsFrom(NOW)}-7000` }, [{ ...deliveredEvent, handlers: [] }]);
    return QUERIES.sweepInbox(h, NOW + 400 * 86_400, { bodyDays: 30, maxBytes: 1 });
  },
  addStats: (h) =>
    QUERIES.addStats(h, {
      ...{ hours: [stat], days: [stat], secrets: [{ id: "whsec", at: NOW }] },
      endpoints: [{ slug: "stripe", acceptedAt: NOW, refused: { at: NOW, reason: "unparsable" } }],
    }),
  cancelRerun: (h) => QUERIES.cancelRerun(h, "rerun", NOW),
} satisfies CanWrite<typeof QUERIES> & Record<string, (handle: Handle) => Promise<unknown>>;

/** Prepared reads take a whole handle. */
const READS = [
  "findAccessToken",
  "findClient",
  "findCode",
  "findDeviceCode",
  "findRefreshToken",
  "findDynamicClient",
  "findSession",
  "hasDueJob",
].concat("findSealedEndpoint");

/** What the hot paths write must not empty the cache of access tokens. */
const KEEP_ACCESS_TOKENS = ["saveAccessToken", "saveRefreshToken", "rotateRefreshToken", "saveGrant", "redeemCode", "insertDeliveryOnce"];

describe("every write says what it changes", () => {
  let database: Database;
  let handle: Handle;
  let declared: Target[];
  let changed: () => string[];

  beforeEach(async () => {
    database = await openDatabase(":memory:");
    await database.migrate();
    if (database.engine.dialect !== "sqlite") throw new Error("expected SQLite");
    const { connection, write } = database.engine;
    const versions = createCacheVersions(connection);
    declared = [];
    const count = (target: Target) => {
      declared.push(target);
      versions.count(target);
    };
    handle = sqliteHandle(connection, { write }, { ...versions, count });
    await fill(handle);

    // The engine itself notes each row that changes: cascades, both halves of an upsert and triggers of a REPLACE included.
    connection.pragma("recursive_triggers = ON");
    connection.exec("CREATE TEMP TABLE changed (change TEXT PRIMARY KEY ON CONFLICT IGNORE)");
    for (const table of Object.values(handle.tables).map(getTableName)) {
      for (const operation of ["insert", "update", "delete"]) {
        const note = `INSERT OR IGNORE INTO changed VALUES ('${operation} ${table}')`;
        connection.exec(`CREATE TEMP TRIGGER "${operation} ${table}" AFTER ${operation} ON main."${table}" BEGIN ${note}; END`);
      }
    }
    declared = [];
    changed = () => connection.prepare<[], string>("SELECT change FROM changed ORDER BY change").pluck().all();
    return () => database.close();
  });

  test("covers every file of queries", async () => {
    const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith(".test.ts"));
    for (const file of files)
      expect(Object.keys(QUERIES), file).toEqual(
        expect.arrayContaining(Object.keys(await import(/* @vite-ignore */ `${import.meta.dirname}/${file}`))),
      );
  });

  test.each(Object.entries(CALLS))("%s", async (name, call) => {
    const before = { configuration: handle.version("configuration"), accessTokens: handle.version("accessTokens") };
    await call(handle);
    const changes = changed();
    if (READS.includes(name)) {
      expect(changes).toEqual([]);
      return;
    }
    expect(changes).not.toEqual([]);
    expect(changes.filter((change) => !declared.some((target) => changesOf(target).includes(change)))).toEqual([]);
    for (const cache of ["configuration", "accessTokens"] as const) {
      const invalidated = declared.some((target) => invalidatedBy(target).includes(cache));
      expect(handle.version(cache) !== before[cache], cache).toBe(invalidated);
    }
  });

  test.each(KEEP_ACCESS_TOKENS)("%s leaves the cached access tokens alone", async (name) => {
    const before = handle.version("accessTokens");
    await CALLS[name as keyof typeof CALLS](handle);
    expect(handle.version("accessTokens")).toBe(before);
  });

  test("a write sent as a read is rejected", async () => {
    const { db, tables } = handle;
    const disguised = Object.assign(db.select().from(tables.users), { toSQL: () => db.delete(tables.users).toSQL() });
    expect(() => handle.prepare(disguised, "disguised")).toThrow("as a read");
  });

  test("a statement that the handle's builder did not make is rejected", () => {
    const { toSQL } = { toSQL: () => ({ sql: "UPDATE users SET name = ''", params: [] }) };
    expect(() => handle.transaction([{ toSQL }])).toThrow("not a write");
  });
});
