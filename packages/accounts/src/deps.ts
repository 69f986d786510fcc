import type { Deps } from "@gatehouse/auth";
import type { AccountLimits } from "./limits/account-limits.ts";
import type { MailComposer } from "./mails/composer.ts";
import type { PasswordHasher } from "./passwords/hasher.ts";
import type { PasswordRules } from "./passwords/rules.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountStore } from "./store/account-store.ts";

/** What the rules of accounts depend on. Take only the part you use. */
export type AccountDeps = Pick<Deps, "config" | "store" | "now" | "random" | "seal"> & {
  accounts: AccountSettings;
  people: AccountStore;
  mail: MailComposer;
  hasher: PasswordHasher;
  passwordRules: PasswordRules;
  limits: AccountLimits;
};
