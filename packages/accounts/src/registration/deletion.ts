import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import { recipientOf } from "../mails/composer.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";
import type { NewAuditRow } from "../store/audit.ts";
import { type AccountRequest, noticeOf, sourceOf } from "./account-request.ts";

const DAY = 86_400;

/**
 * `last_admin`: somebody has to be able to administer the installation. `deleteAfter`: null if the account is gone
 * already.
 */
export type DeletionOutcome = { kind: "deleted"; deleteAfter: number | null } | { kind: "last_admin" };

/**
 * How long the account can be restored after its deletion, in days. One without a verified owner is deleted at once:
 * during a grace period it would keep the owner of the address out. RG-05.
 */
export function graceDaysOf(
  account: Pick<Account, "registeredBy" | "emailVerifiedAt">,
  { accounts }: Pick<AccountDeps, "accounts">,
): number {
  return hasVerifiedOwner(account) ? accounts.deletionGraceDays : 0;
}

/**
 * Deletes an account: ends all access at once, tells the clients, and deletes the row after the grace period, in which
 * a sign-in can restore it. The caller has required a recent sign-in. `audit`: the row of the operator who does it, for
 * the transaction. RG-10.
 */
export async function deleteAccount(
  account: Account,
  request: AccountRequest,
  deps: AccountDeps,
  audit?: NewAuditRow,
): Promise<DeletionOutcome> {
  const { id: userId } = account;
  const now = deps.now();
  const days = graceDaysOf(account, deps);
  const deleteAfter = now + days * DAY;
  const restorableUntil = days === 0 ? null : deleteAfter;
  const mail = deps.mail.compose("account_deletion", {
    ...recipientOf(account),
    locale: account.locale ?? request.locale,
    data: { ...noticeOf(request, now), deleteAfter: restorableUntil, link: `${deps.config.issuer}/sign-in` },
  });
  const events = [accountEvent("deletion_requested", { userId, source: sourceOf(request) }, deps)];
  const also = { mails: [mail], events, ...(audit && { audit: [audit] }) };
  const by = audit ? "an operator" : "its user";
  const marked = await deps.people.requestDeletion({ userId, deleteAfter, by }, also, now);
  if (!marked) return { kind: "last_admin" };
  if (days === 0) await deps.people.deleteAccount(userId, now);
  return { kind: "deleted", deleteAfter: restorableUntil };
}
