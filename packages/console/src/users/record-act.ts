import {
  type AccountEventDetail,
  type AccountEventKind,
  type AccountRecord,
  accountEvent,
  type MailKinds,
  type OwnKind,
  recipientOf,
} from "@gatehouse/accounts";
import { findAccount } from "@gatehouse/db/stores/accounts/accounts";
import type { AuditAction } from "../audit/actions.ts";
import { auditRow } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import type { Author } from "../permissions.ts";

export type ManageDeps = Pick<OperationDeps, "db" | "store" | "now" | "random" | "mail" | "accounts">;
/** An account, and why an operator changes it: for the audit log. */
export type ManagedUser = { id: string; reason?: string | undefined };

/** What is recorded of an act, and what its user is mailed. */
export type Act<Kind extends OwnKind> = {
  action: AuditAction;
  detail?: Record<string, unknown>;
  events?: readonly { kind: AccountEventKind; detail?: AccountEventDetail }[];
  mails?: readonly { kind: Kind; data: MailKinds[Kind] }[];
};

/** The audit row, the event and the mail of an act, for its transaction. UM-04, SN-04. */
export async function recordOf<Kind extends OwnKind>(
  { id, reason }: ManagedUser,
  { action, detail = {}, events = [], mails = [] }: Act<Kind>,
  author: Author,
  deps: ManageDeps,
): Promise<AccountRecord> {
  const account = await findAccount(deps.db, id);
  const entry = {
    action,
    object: id,
    objectName: account?.name,
    detail: { ...detail, ...(reason !== undefined && { reason }) },
  };
  const audit = [auditRow(author, entry, deps)];
  if (!account) return { audit };
  const to = { ...recipientOf(account), userId: id, locale: account.locale ?? deps.accounts.defaultLocale };
  const source = { userAgent: null, address: null };
  return {
    audit,
    events: events.map(({ kind, detail = {} }) => accountEvent(kind, { userId: id, source, detail }, deps)),
    mails: deps.mail.available ? mails.map(({ kind, data }) => deps.mail.compose(kind, { ...to, data })) : [],
  };
}
