import type { ConnectedApp } from "@gatehouse/auth";
import { and, desc, eq, exists, gt, isNull, max, or, sql } from "drizzle-orm";
import type { Handle, ReadHandle } from "../query/handle.ts";

export async function findConsent({ db, tables: { consents } }: ReadHandle, userId: string, clientId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ scope: consents.scope })
    .from(consents)
    .where(and(eq(consents.userId, userId), eq(consents.clientId, clientId)));
  return row?.scope;
}

/** Space-separated scopes merged without repeats, in order of first appearance. */
function mergeScopes(...scopes: readonly string[]): string {
  return [...new Set(scopes.flatMap((scope) => scope.split(" ")).filter(Boolean))].join(" ");
}

/** Adds to what is remembered. The old value is part of the condition, so of two that race neither is lost. */
export async function saveConsent(
  handle: Handle,
  { userId, clientId, scope, now }: { userId: string; clientId: string; scope: string; now: number },
): Promise<void> {
  const {
    db,
    tables: { consents },
  } = handle;
  for (;;) {
    const known = await findConsent(handle, userId, clientId);
    const merged = mergeScopes(known ?? "", scope);
    const written =
      known === undefined
        ? await db.insert(consents).values({ userId, clientId, scope: merged, allowedAt: now }).onConflictDoNothing().returning()
        : await db
            .update(consents)
            .set({ scope: merged, allowedAt: now })
            .where(and(eq(consents.userId, userId), eq(consents.clientId, clientId), eq(consents.scope, known)))
            .returning();
    if (written.length === 1) return; // otherwise another wrote in between; each round, one of the racers is done
  }
}

/** The consent goes first: a crash in between leaves the user asked again, and the grants still listed. */
export async function revokeConnectedApp({ db, tables }: Handle, userId: string, clientId: string, now: number): Promise<void> {
  const { consents, grants } = tables;
  await db.delete(consents).where(and(eq(consents.userId, userId), eq(consents.clientId, clientId)));
  await db
    .update(grants)
    .set({ revokedAt: now, revokedReason: "app disconnected" })
    .where(and(eq(grants.userId, userId), eq(grants.clientId, clientId), isNull(grants.revokedAt)));
}

/** Every app the user allowed, and every other that is not our own and holds a live token of theirs; latest first. */
export async function listConnectedApps(handle: ReadHandle, userId: string, now: number): Promise<ConnectedApp[]> {
  const lastUse = await lastUseByClient(handle, userId);
  const apps = new Map<string, ConnectedApp>();
  for (const row of [...(await allowed(handle, userId)), ...(await grantedAndLive(handle, userId, now))]) {
    const known = apps.get(row.clientId);
    apps.set(row.clientId, {
      ...row,
      scope: mergeScopes(known?.scope ?? "", row.scope),
      allowedAt: Math.max(known?.allowedAt ?? 0, row.allowedAt),
      lastUsedAt: lastUse.get(row.clientId) ?? null,
    });
  }
  return [...apps.values()].sort((a, b) => b.allowedAt - a.allowedAt);
}

const appColumns = ({ clients, applications }: Handle["tables"]) => ({
  clientId: clients.id,
  applicationName: applications.name,
  environment: clients.environment,
  type: clients.type,
});

function allowed({ db, tables }: ReadHandle, userId: string) {
  const { consents, clients, applications } = tables;
  return db
    .select({ ...appColumns(tables), scope: consents.scope, allowedAt: consents.allowedAt })
    .from(consents)
    .innerJoin(clients, eq(clients.id, consents.clientId))
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(consents.userId, userId));
}

function grantedAndLive({ db, tables }: ReadHandle, userId: string, now: number) {
  const { grants, clients, applications, accessTokens: access, refreshTokens: refresh } = tables;
  const one = { one: sql`1` };
  return db
    .select({ ...appColumns(tables), scope: grants.scope, allowedAt: grants.createdAt })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(applications, eq(applications.id, clients.applicationId))
    .where(
      and(
        eq(grants.userId, userId),
        isNull(grants.revokedAt),
        eq(clients.firstParty, false),
        or(
          exists(
            db
              .select(one)
              .from(access)
              .where(and(eq(access.grantId, grants.id), isNull(access.revokedAt), gt(access.expiresAt, now))),
          ),
          exists(
            db
              .select(one)
              .from(refresh)
              .where(and(eq(refresh.grantId, grants.id), isNull(refresh.rotatedAt), gt(refresh.expiresAt, now))),
          ),
        ),
      ),
    )
    .orderBy(desc(grants.createdAt));
}

/** Refresh tokens outlive the sweeping of access tokens, so both are asked. */
async function lastUseByClient({ db, tables }: ReadHandle, userId: string): Promise<Map<string, number>> {
  const { grants, accessTokens, refreshTokens } = tables;
  const rows = [
    ...(await db
      .select({ clientId: grants.clientId, at: max(accessTokens.issuedAt) })
      .from(grants)
      .innerJoin(accessTokens, eq(accessTokens.grantId, grants.id))
      .where(and(eq(grants.userId, userId), isNull(grants.revokedAt)))
      .groupBy(grants.clientId)),
    ...(await db
      .select({ clientId: grants.clientId, at: max(refreshTokens.createdAt) })
      .from(grants)
      .innerJoin(refreshTokens, eq(refreshTokens.grantId, grants.id))
      .where(and(eq(grants.userId, userId), isNull(grants.revokedAt)))
      .groupBy(grants.clientId)),
  ];
  const last = new Map<string, number>();
  for (const { clientId, at } of rows) last.set(clientId, Math.max(last.get(clientId) ?? 0, at ?? 0));
  return last;
}
