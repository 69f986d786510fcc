import type { Grant } from "@gatehouse/auth";
import { and, eq, isNull, sql } from "drizzle-orm";
import { everyColumn, type Handle, prepared } from "../handle.ts";

const INSERT = ({ db, tables: { grants } }: Handle) => db.insert(grants).values(everyColumn(grants));

export async function saveGrant(handle: Handle, grant: Omit<Grant, "revokedAt">): Promise<void> {
  await prepared(handle, "save_grant", INSERT).execute({ ...grant, revokedAt: null, revokedReason: null });
}

/** Kills every code and token that hangs on the grant. The first reason stays. */
export async function revokeGrant({ db, tables: { grants } }: Handle, id: string, reason: string, now: number): Promise<void> {
  await db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(eq(grants.id, id), isNull(grants.revokedAt)));
}

/** Revokes what was granted in this session with `openid` and without `offline_access`: it was for this sign-in alone. RT-08. */
export async function revokeSessionGrants({ db, tables: { grants } }: Handle, sessionId: string, now: number): Promise<void> {
  const names = sql`' ' || ${grants.scope} || ' '`;
  await db
    .update(grants)
    .set({ revokedAt: now, revokedReason: "signed out" })
    .where(
      and(
        eq(grants.sessionId, sessionId),
        isNull(grants.revokedAt),
        sql`${names} like '% openid %'`,
        sql`${names} not like '% offline_access %'`,
      ),
    );
}
