import { openDatabase } from "@gatehouse/db/database";
import { eq, sql } from "drizzle-orm";

/** Moves rows of a running server into the past, since nobody can wait for them. `env` is the server's. */
export async function openClock(env: Record<string, string>) {
  const database = await openDatabase(env["DATABASE_URL"] ?? "");
  const { db } = database;
  const { sessions, mailedTokens, invitations, users } = db.tables;

  return {
    /** As if the user had signed in, in every browser, this much earlier. */
    async ageSessions(email: string, seconds: number): Promise<void> {
      const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
      const past = {
        authTime: sql`${sessions.authTime} - ${seconds}`,
        secondAt: sql`${sessions.secondAt} - ${seconds}`,
      };
      const of = eq(sessions.userId, user?.id ?? "");
      await db.update(sessions).set(past).where(of);
    },
    /** As if every mailed link and code of the address had run out. */
    async expireMails(email: string): Promise<void> {
      const past = Math.floor(Date.now() / 1000) - 1;
      await db.update(mailedTokens).set({ expiresAt: past }).where(eq(mailedTokens.email, email));
      await db.update(invitations).set({ expiresAt: past }).where(eq(invitations.email, email));
    },
    close: () => database.close(),
  };
}

export type Clock = Awaited<ReturnType<typeof openClock>>;
