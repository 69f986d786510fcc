import { mintId } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import { recipientOf } from "../mails/composer.ts";
import { type AccountRequest, noticeOf, sourceOf } from "../registration/account-request.ts";
import type { AccountRecord } from "../store/account-record.ts";
import type { Account } from "../store/accounts.ts";
import type { Identity, IdentityConnection, IdentityKey } from "../store/identities.ts";

export type NewIdentity = IdentityKey & { email: string | null };
type IdentityDeps = Pick<AccountDeps, "people" | "now" | "random" | "mail">;

/** A new row for an identity. */
export function identityOf(
  identity: NewIdentity,
  userId: string,
  { now, random }: Pick<AccountDeps, "now" | "random">,
): Identity {
  return { ...identity, id: mintId(random), userId, createdAt: now(), lastUsedAt: now() };
}

type Owner = Pick<Account, "id" | "email" | "locale" | "signInEpoch" | "registeredBy" | "emailVerifiedAt">;

/**
 * Connects an identity to an account, and tells its user. "taken" if it belongs to anybody already, "stale" if the
 * account's sign-ins were ended since `account` was read. UP-08, SN-04, WE-03.
 */
export function connectIdentity(
  identity: NewIdentity,
  account: Owner,
  providerName: string,
  request: AccountRequest,
  deps: IdentityDeps,
): Promise<"connected" | "taken" | "stale"> {
  const { also, ...connection } = connectionOf(identity, account, providerName, request, deps);
  return deps.people.insertIdentity(connection.identity, connection, also);
}

/** What connecting an identity to an account writes, with the mail to its user. */
export function connectionOf(
  identity: NewIdentity,
  account: Owner,
  providerName: string,
  request: AccountRequest,
  deps: Omit<IdentityDeps, "people">,
): IdentityConnection {
  const also = noticesOf("identity_linked", account, providerName, request, deps);
  return { identity: identityOf(identity, account.id, deps), signInEpoch: account.signInEpoch, also };
}

/** What goes with a change of the identities: a line of the activity, and a mail. SN-04, SN-05. */
export function noticesOf(
  kind: "identity_linked" | "identity_removed",
  account: Omit<Owner, "signInEpoch">,
  providerName: string,
  request: AccountRequest,
  deps: Pick<AccountDeps, "now" | "random" | "mail">,
): AccountRecord {
  const event = accountEvent(
    kind,
    { userId: account.id, source: sourceOf(request), detail: { provider: providerName } },
    deps,
  );
  const data = { ...noticeOf(request, deps.now()), provider: providerName };
  const mail = deps.mail.compose(kind, {
    ...recipientOf(account),
    userId: account.id,
    locale: account.locale ?? request.locale,
    data,
  });
  return { events: [event], mails: [mail] };
}
