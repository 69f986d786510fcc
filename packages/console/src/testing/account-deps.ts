import { createAccountLimits, createPasswordHasher, createPasswordRules } from "@gatehouse/accounts";
import { createTestMail, TEST_SETTINGS } from "@gatehouse/accounts/testing";
import type { Deps } from "@gatehouse/auth";
import type { Database } from "@gatehouse/db/database";
import { createAccountStore } from "@gatehouse/db/stores/accounts/store";
import { createRateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";

/** What the rules of accounts need, on a test's database. The mails that they compose are in `mail.composed`. */
export function accountDeps(database: Pick<Database, "engine" | "db">, clock: Pick<Deps, "now" | "random">) {
  return {
    accounts: TEST_SETTINGS,
    people: createAccountStore(database.db),
    mail: createTestMail(clock),
    hasher: createPasswordHasher({ concurrency: 2 }),
    passwordRules: createPasswordRules({ names: async () => ["gatehouse"] }),
    limits: createAccountLimits((limit) => createRateLimiter(database, limit), { mailWorks: true }),
  };
}
