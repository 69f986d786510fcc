import type { ReadDb } from "@gatehouse/db/query/db";
import { and, count, desc, eq, isNull } from "drizzle-orm";

/** More than anybody causes in the 180 days that events are kept. */
const MAX_EVENTS = 10_000;

/** What an account signs in with, by name, and what happened to it. Contains no secret and no hash. RG-10. */
export async function readAccountExport(db: ReadDb, userId: string) {
  const { tables: t } = db;
  const [passkeys, totp, recoveryCodes, identities, events] = await Promise.all([
    db
      .select({ name: t.passkeys.name, createdAt: t.passkeys.createdAt, lastUsedAt: t.passkeys.lastUsedAt })
      .from(t.passkeys)
      .where(eq(t.passkeys.userId, userId)),
    db
      .select({ createdAt: t.totpSecrets.createdAt, lastUsedAt: t.totpSecrets.lastUsedAt })
      .from(t.totpSecrets)
      .where(eq(t.totpSecrets.userId, userId)),
    db
      .select({ left: count() })
      .from(t.recoveryCodes)
      .where(and(eq(t.recoveryCodes.userId, userId), isNull(t.recoveryCodes.usedAt))),
    db
      .select({
        provider: t.identities.provider,
        issuer: t.identities.issuer,
        subject: t.identities.subject,
        email: t.identities.email,
        createdAt: t.identities.createdAt,
        lastUsedAt: t.identities.lastUsedAt,
      })
      .from(t.identities)
      .where(eq(t.identities.userId, userId)),
    db
      .select({
        at: t.accountEvents.at,
        kind: t.accountEvents.kind,
        userAgent: t.accountEvents.userAgent,
        address: t.accountEvents.address,
        detail: t.accountEvents.detail,
      })
      .from(t.accountEvents)
      .where(eq(t.accountEvents.userId, userId))
      .orderBy(desc(t.accountEvents.id))
      .limit(MAX_EVENTS),
  ]);
  return {
    passkeys,
    authenticatorApp: totp[0] ?? null,
    recoveryCodesLeft: Number(recoveryCodes[0]?.left ?? 0),
    identities,
    events,
  };
}
