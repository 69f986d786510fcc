import { deleteAccount } from "@gatehouse/accounts";
import { findAccount } from "@gatehouse/db/stores/accounts/accounts";
import { auditRow } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import { LAST_ADMIN } from "./manage-users.ts";
import { type ManageDeps, type ManagedUser, recordOf } from "./record-act.ts";

const NO_SOURCE = { userAgent: null, address: null };

/**
 * Deletes a user on behalf of an operator, as the user's own request does: all access ends at once, and within the
 * grace period a sign-in, or {@link keepUser}, restores the account. Resolves to the time of the deletion, null if the
 * account is gone already. Throws `forbidden` for the author's own account, and `conflict` for the last admin and for
 * an account that is to be deleted. RG-10, UM-04.
 */
export async function deleteUser(
  { id, reason }: ManagedUser,
  author: Author,
  deps: ManageDeps & Pick<OperationDeps, "people" | "seal" | "config" | "hasher" | "passwordRules" | "limits">,
): Promise<{ deleteAfter: number | null }> {
  if (author.id === id)
    throw new DomainError("forbidden", "You can’t delete your own account here. Use your account page.");
  const account = await findAccount(deps.db, id);
  if (!account) throw new DomainError("not_found", "There is no such user.");
  if (account.deleteAfter !== null) throw new DomainError("conflict", "This account is to be deleted already.");
  const detail = { email: account.email, ...(reason !== undefined && { reason }) };
  const audit = auditRow(author, { action: "user.delete", object: id, objectName: account.name, detail }, deps);
  const request = { caller: { address: null }, userAgent: null, locale: deps.accounts.defaultLocale };
  const outcome = await deleteAccount(account, request, deps, audit);
  if (outcome.kind === "last_admin") throw new DomainError("conflict", LAST_ADMIN);
  return { deleteAfter: outcome.deleteAfter };
}

/** Takes a deletion back that is not done yet, and tells the user. Throws `conflict` if there is none. RG-10. */
export async function keepUser(
  managed: ManagedUser,
  author: Author,
  deps: ManageDeps & Pick<OperationDeps, "people">,
): Promise<void> {
  const { id } = managed;
  const account = await findAccount(deps.db, id);
  if (!account) throw new DomainError("not_found", "There is no such user.");
  const { deleteAfter } = account;
  const what = {
    action: "user.restore" as const,
    events: [{ kind: "account_restored" as const }],
    mails: [{ kind: "account_restored" as const, data: { at: deps.now(), ...NO_SOURCE } }],
  };
  const also = await recordOf(managed, what, author, deps);
  if (deleteAfter === null || !(await deps.people.restoreAccount({ userId: id, deleteAfter }, also)))
    throw new DomainError("conflict", "This account is not to be deleted.");
}
