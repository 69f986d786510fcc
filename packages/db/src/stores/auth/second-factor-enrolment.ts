import type { Enrolment } from "@gatehouse/auth";
import { eq } from "drizzle-orm";
import type { ReadDb } from "../../query/db.ts";

/**
 * The user's second factors. A passkey of another domain counts too: it works no more, but losing it must not drop the
 * second step.
 */
export async function findEnrolment(db: ReadDb, userId: string): Promise<Enrolment> {
  const { totpSecrets, passkeys } = db.tables;
  const [totp, keys] = await Promise.all([
    db.select({ userId: totpSecrets.userId }).from(totpSecrets).where(eq(totpSecrets.userId, userId)),
    db.select({ userVerified: passkeys.userVerified }).from(passkeys).where(eq(passkeys.userId, userId)),
  ]);
  return {
    totp: totp.length > 0,
    securityKey: keys.some(({ userVerified }) => !userVerified),
    passkey: keys.some(({ userVerified }) => userVerified),
  };
}
