import { ACCOUNT_LIMITS, createAccountLimits, type Limiter } from "@gatehouse/accounts";
import { openDatabase } from "@gatehouse/db/database";
import { createRateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";

/** Counts the failures that a guesser needs hours for, since ten in a quarter of an hour are judged. */
export async function failInARow(email: string, { DATABASE_URL = "" }: Record<string, string>): Promise<void> {
  const database = await openDatabase(DATABASE_URL);
  const { name, failures } = ACCOUNT_LIMITS.signInInARow;
  const uncounted: Limiter = {
    check: async () => 0,
    attempt: async () => 0,
    forgive: async () => {},
    clear: async () => {},
  };
  const limits = createAccountLimits(
    (limit) => (limit.name === name ? createRateLimiter(database, limit) : uncounted),
    {
      mailWorks: true,
    },
  );
  for (let failure = 0; failure < failures; failure++) await limits.signIn(email, undefined, { address: null }).begin();
  await database.close();
}
