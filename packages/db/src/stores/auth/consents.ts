import { type ConnectedApp, type Consent, LIFETIME, lifetimesOf } from "@gatehouse/auth";
import { and, desc, eq, inArray, isNull, max, sql } from "drizzle-orm";
import type { Db, ReadDb, Tables } from "../../query/db.ts";
import { notInTestRun } from "./test-runs.ts";

export async function findConsent(db: ReadDb, userId: string, clientId: string): Promise<Consent | undefined> {
  const { consents } = db.tables;
  const [row] = await db
    .select({ scope: consents.scope, audience: consents.audience, identity: consents.identity })
    .from(consents)
    .where(and(eq(consents.userId, userId), eq(consents.clientId, clientId)));
  return row;
}

/** Merges space-separated scopes without duplicates, in order of first appearance. */
function mergeScopes(...scopes: readonly string[]): string {
  return [...new Set(scopes.flatMap((scope) => scope.split(" ")).filter(Boolean))].join(" ");
}

/**
 * Adds to the user's consent for the same identity of the client, and replaces it for another one. The old value is
 * part of the condition, so of two racing writes neither is lost.
 */
export async function saveConsent(
  db: Db,
  { userId, clientId, scope, audience, identity, now }: Consent & { userId: string; clientId: string; now: number },
): Promise<void> {
  const { consents } = db.tables;
  const isStill = (known: Consent) =>
    and(eq(consents.scope, known.scope), eq(consents.audience, known.audience), eq(consents.identity, known.identity));
  for (;;) {
    const known = await findConsent(db, userId, clientId);
    const earlier = known?.identity === identity ? known : undefined;
    const consent = {
      scope: mergeScopes(earlier?.scope ?? "", scope),
      audience: mergeScopes(earlier?.audience ?? "", audience),
      identity,
      allowedAt: now,
    };
    const written =
      known === undefined
        ? await db
            .insert(consents)
            .values({ userId, clientId, ...consent })
            .onConflictDoNothing()
            .returning()
        : await db
            .update(consents)
            .set(consent)
            .where(and(eq(consents.userId, userId), eq(consents.clientId, clientId), isStill(known)))
            .returning();
    // No row: another request wrote first, so try again. Each round, one of the racing writes succeeds.
    if (written.length === 1) return;
  }
}

/**
 * Ends the access of the client's application in the client's environment, since users see one app whatever its
 * clients. Deletes the consents first: after a crash in between, the user is asked again and still sees the grants.
 */
export async function revokeConnectedApp(db: Db, userId: string, clientId: string, now: number): Promise<void> {
  const { consents, grants } = db.tables;
  const clientIds = await listClientsBeside(db, clientId);
  await db.delete(consents).where(and(eq(consents.userId, userId), inArray(consents.clientId, clientIds)));
  await db
    .update(grants)
    .set({ revokedAt: now, revokedReason: "app disconnected" })
    .where(and(eq(grants.userId, userId), inArray(grants.clientId, clientIds), isNull(grants.revokedAt)));
}

/** The ids of the clients of the same application and environment, including this one. */
async function listClientsBeside(db: Db, clientId: string): Promise<string[]> {
  const { clients } = db.tables;
  const one = db
    .select({ applicationId: clients.applicationId, environment: clients.environment })
    .from(clients)
    .where(eq(clients.id, clientId))
    .as("one");
  const rows = await db
    .select({ id: clients.id })
    .from(clients)
    .innerJoin(one, and(eq(one.applicationId, clients.applicationId), eq(one.environment, clients.environment)));
  return rows.map(({ id }) => id);
}

/** {@link listConnectedApps} examines a user's newest grants, each with its family of refresh tokens. */
const MAX_GRANTS = 500;
/** Within how many seconds a grant is used, if ever. */
const MAX_CODE_SECONDS = Math.max(LIFETIME.codeSeconds, LIFETIME.deviceCodeSeconds);

/**
 * The apps that the user gave consent to, and the third-party apps that may have a live token under one of the newest
 * {@link MAX_GRANTS} grants (trusted apps and devices need no stored consent); latest first. The clients of an
 * application in one environment are one app.
 */
export async function listConnectedApps(db: ReadDb, userId: string, now: number): Promise<ConnectedApp[]> {
  const grants = await listNewestGrants(db, userId, now);
  const lastUse = new Map<string, number>();
  for (const { app, usedAt } of grants) lastUse.set(keyOf(app), Math.max(lastUse.get(keyOf(app)) ?? 0, usedAt));

  const apps = new Map<string, ConnectedApp>();
  const live = grants.filter((grant) => grant.live && !grant.firstParty);
  const consents = await listConsents(db, userId);
  for (const { app, client, scope, allowedAt } of [...consents.sort(oldestFirst), ...live.sort(oldestFirst)]) {
    const known = apps.get(keyOf(app));
    const others = (known?.clients ?? []).filter(({ clientId }) => clientId !== client.clientId);
    apps.set(keyOf(app), {
      ...app,
      clients: [...others, client],
      scope: mergeScopes(known?.scope ?? "", scope),
      allowedAt: Math.max(known?.allowedAt ?? 0, allowedAt),
      lastUsedAt: lastUse.get(keyOf(app)) || null,
    });
  }
  return [...apps.values()].sort((a, b) => b.allowedAt - a.allowedAt);
}

type Allowed = Pick<ConnectedApp, "allowedAt"> & { id: string };

/**
 * Both engines return rows in any order, and that of the scopes follows it. `id`: of the grant, or a consent's client.
 */
const oldestFirst = (one: Allowed, other: Allowed) => one.allowedAt - other.allowedAt || (one.id < other.id ? -1 : 1);

const keyOf = ({ applicationId, environment }: Pick<ConnectedApp, "applicationId" | "environment">) =>
  `${applicationId} ${environment}`;

const appColumns = ({ clients, applications }: Tables) => ({
  app: { applicationId: applications.id, applicationName: applications.name, environment: clients.environment },
  client: { clientId: clients.id, name: clients.name },
});

function listConsents(db: ReadDb, userId: string) {
  const { tables } = db;
  const { consents, clients, applications } = tables;
  return db
    .select({ id: consents.clientId, ...appColumns(tables), scope: consents.scope, allowedAt: consents.allowedAt })
    .from(consents)
    .innerJoin(clients, eq(clients.id, consents.clientId))
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(consents.userId, userId));
}

/**
 * The newest grants that were not revoked. `usedAt` is when the user allowed it or the client last
 * refreshed. `live`: a refresh token is, or an access token issued since then may be.
 */
async function listNewestGrants(db: ReadDb, userId: string, now: number) {
  const { tables } = db;
  const { grants, clients, applications, refreshFamilies: families } = tables;
  const newest = db
    .select({ id: grants.id, clientId: grants.clientId, scope: grants.scope, createdAt: grants.createdAt })
    .from(grants)
    .where(and(eq(grants.userId, userId), isNull(grants.revokedAt), notInTestRun(db)))
    .orderBy(desc(grants.createdAt), desc(grants.id))
    .limit(MAX_GRANTS)
    .as("newest");
  const ofNewest = eq(families.grantId, newest.id);
  const refreshedAt = db
    .select({ at: sql`max(coalesce(${families.rotatedAt}, ${families.createdAt}))` })
    .from(families)
    .where(ofNewest);
  const refreshableUntil = db
    .select({ at: max(families.expiresAt) })
    .from(families)
    .where(ofNewest);

  const rows = await db
    .select({
      id: newest.id,
      ...appColumns(tables),
      type: clients.type,
      options: clients.options,
      firstParty: clients.firstParty,
      scope: newest.scope,
      allowedAt: newest.createdAt,
      refreshedAt: sql<number | string | null>`(${refreshedAt})`,
      refreshableUntil: sql<number | string | null>`(${refreshableUntil})`,
    })
    .from(newest)
    .innerJoin(clients, eq(clients.id, newest.clientId))
    .innerJoin(applications, eq(applications.id, clients.applicationId));
  return rows.map(({ type, options, refreshedAt, refreshableUntil, ...row }) => {
    const usedAt = Math.max(row.allowedAt, Number(refreshedAt ?? 0));
    const accessUntil = usedAt + MAX_CODE_SECONDS + lifetimesOf({ type, options }).accessTokenSeconds;
    return { ...row, usedAt, live: Math.max(accessUntil, Number(refreshableUntil ?? 0)) > now };
  });
}
