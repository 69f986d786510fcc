import { mintId } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import { recipientOf } from "../mails/composer.ts";
import { type AccountRequest, noticeOf, sourceOf } from "../registration/account-request.ts";
import type { Also } from "../store/also.ts";
import type { Identity, IdentityConnection, IdentityKey } from "../store/identities.ts";
import type { Person } from "../store/people.ts";

export type NewIdentity = IdentityKey & { email: string | null };
type IdentityDeps = Pick<AccountDeps, "people" | "now" | "random" | "mail">;

/** A new row for an identity. */
export function identityOf(identity: NewIdentity, userId: string, { now, random }: Pick<AccountDeps, "now" | "random">): Identity {
  return { ...identity, id: mintId(random), userId, createdAt: now(), lastUsedAt: now() };
}

type Owner = Pick<Person, "id" | "email" | "locale" | "signInEpoch" | "registeredBy" | "emailVerifiedAt">;

/**
 * Connects an identity to an account, and tells its user. "taken" if it belongs to anybody already, "stale" if the account's sign-ins were ended
 * since `person` was read. UP-08, SN-04, WE-03.
 */
export function connectIdentity(
  identity: NewIdentity,
  person: Owner,
  providerName: string,
  request: AccountRequest,
  deps: IdentityDeps,
): Promise<"connected" | "taken" | "stale"> {
  const { also, ...connection } = connectionOf(identity, person, providerName, request, deps);
  return deps.people.insertIdentity(connection.identity, connection, also);
}

/** What connecting an identity to an account writes, with the mail to its user. */
export function connectionOf(
  identity: NewIdentity,
  person: Owner,
  providerName: string,
  request: AccountRequest,
  deps: Omit<IdentityDeps, "people">,
): IdentityConnection {
  const also = noticesOf("identity_linked", person, providerName, request, deps);
  return { identity: identityOf(identity, person.id, deps), signInEpoch: person.signInEpoch, also };
}

/** What goes with a change of the identities: a line of the activity, and a mail. SN-04, SN-05. */
export function noticesOf(
  kind: "identity_linked" | "identity_removed",
  person: Omit<Owner, "signInEpoch">,
  providerName: string,
  request: AccountRequest,
  deps: Pick<AccountDeps, "now" | "random" | "mail">,
): Also {
  const event = accountEvent(kind, { userId: person.id, source: sourceOf(request), detail: { provider: providerName } }, deps);
  const data = { ...noticeOf(request, deps.now()), provider: providerName };
  const mail = deps.mail.compose(kind, { ...recipientOf(person), userId: person.id, locale: person.locale ?? request.locale, data });
  return { events: [event], mails: [mail] };
}
