import type { SignInMethods } from "@gatehouse/accounts";
import { and, eq } from "drizzle-orm";
import type { ReadDb } from "../../query/db.ts";

/** Everything that an account can sign in with. `rpId`: the current RP ID; null while passkeys are off. WA-12. */
export async function findSignInMethods(
  db: ReadDb,
  userId: string,
  rpId: string | null,
): Promise<SignInMethods | undefined> {
  const { users, passkeys, identities, signInProviders, totpSecrets } = db.tables;
  const usable = and(eq(passkeys.userId, userId), eq(passkeys.rpId, rpId ?? ""));
  // Before the rest: a removal at the same moment then leaves an epoch that no longer matches.
  const [user] = await db
    .select({
      signInEpoch: users.signInEpoch,
      passwordHash: users.passwordHash,
      emailVerifiedAt: users.emailVerifiedAt,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) return undefined;
  const [keys, linked, [totp]] = await Promise.all([
    db.select({ id: passkeys.credentialId, userVerified: passkeys.userVerified }).from(passkeys).where(usable),
    db
      .select({ id: identities.id })
      .from(identities)
      .innerJoin(signInProviders, eq(signInProviders.id, identities.provider))
      .where(and(eq(identities.userId, userId), eq(signInProviders.enabled, true))),
    db.select({ userId: totpSecrets.userId }).from(totpSecrets).where(eq(totpSecrets.userId, userId)),
  ]);
  return {
    signInEpoch: user.signInEpoch,
    password: user.passwordHash !== null,
    passkeys: keys.filter(({ userVerified }) => userVerified).map(({ id }) => id),
    securityKeys: keys.filter(({ userVerified }) => !userVerified).map(({ id }) => id),
    identities: linked.map(({ id }) => id),
    emailVerified: user.emailVerifiedAt !== null,
    totp: totp !== undefined,
  };
}
