import type { SignInLog } from "../sign-in-log/attempt.ts";
import type { AccountRecord } from "./account-record.ts";
import type { AccountQueries } from "./accounts.ts";
import type { IdentityStore } from "./identities.ts";
import type { InvitationStore } from "./invitations.ts";
import type { MailedTokenStore } from "./mailed-tokens.ts";
import type { PasskeyStore } from "./passkeys.ts";
import type { PasswordStore } from "./passwords.ts";
import type { AddressChangeStore, DeletionStore, RegistrationStore } from "./registrations.ts";
import type { SecondFactorStore } from "./second-factors.ts";
import type { SignInMethodStore } from "./sign-in-methods.ts";
import type { SignInProviderStore } from "./sign-in-providers.ts";
import type { SignInStore } from "./sign-ins.ts";

/** What the rules of accounts need from a database. Each concept has its own file. */
export type AccountStore = AccountQueries &
  PasswordStore &
  AddressChangeStore &
  DeletionStore &
  InvitationStore &
  RegistrationStore &
  PasskeyStore &
  SecondFactorStore &
  IdentityStore &
  MailedTokenStore &
  SignInProviderStore &
  SignInStore &
  SignInLog &
  SignInMethodStore &
  RecordStore;

type RecordStore = {
  /** Writes what belongs to no change: an event or a mail alone. */
  record(also: AccountRecord): Promise<void>;
};
