import { type AccountRecord, type Invitation, invite } from "@gatehouse/accounts";
import type { Role } from "@gatehouse/auth";
import { type Page, toPage } from "@gatehouse/db/query/page";
import { auditRow } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { positionOf } from "../paging.ts";
import { type Author, accessEnded, makerOf } from "../permissions.ts";
import { type InvitationRow, listInvitationRows } from "./queries.ts";

const NO_INVITATION = "There is no such invitation, or it was accepted or withdrawn.";

type InviteDeps = Pick<OperationDeps, "people" | "mail" | "outbox" | "config" | "accounts" | "now" | "random">;

/**
 * `link` is given only if no SMTP server will take the mail: the admin passes it on, and cannot see it again. `mailId`:
 * of the mail that has it; null without one, as where mail is off. UM-01.
 */
export type InvitationSent = {
  id: string;
  email: string;
  expiresAt: number;
  link: string | null;
  mailId: string | null;
};

/**
 * Invites somebody to an account with a role, and voids an earlier invitation of this address. Throws `conflict` if
 * there is an account with this address, `forbidden` if the author's own access has ended meanwhile. RG-08, UM-01, N49.
 */
export async function inviteUser(
  draft: { email: string; role: Role },
  author: Author,
  deps: InviteDeps,
): Promise<InvitationSent> {
  const audited = ({ id, email, role }: Invitation): AccountRecord => ({
    audit: [auditRow(author, { action: "user.invite", object: id, objectName: email, detail: { email, role } }, deps)],
  });
  const by = { invitedBy: author.id, maker: makerOf(author), locale: deps.accounts.defaultLocale };
  const sent = await invite({ ...draft, ...by }, audited, deps);
  if (sent === "ended") throw accessEnded();
  if (sent === "taken") {
    const message = "A user with this email address already exists.";
    throw new DomainError("conflict", message, [{ path: "email", message }]);
  }
  const { invitation, link, mailId } = sent;
  const { id, email, expiresAt } = invitation;
  return { id, email, expiresAt, link: deps.outbox?.delivery === "smtp" ? null : link, mailId };
}

/** Sends an invitation again, with a new link that voids the earlier one. Throws `not_found`, `conflict`. UM-01. */
export async function resendInvitation(id: string, author: Author, deps: InviteDeps): Promise<InvitationSent> {
  const found = await deps.people.findInvitation(id);
  if (!found || found.acceptedAt !== null || found.withdrawnAt !== null)
    throw new DomainError("not_found", NO_INVITATION);
  return inviteUser({ email: found.email, role: found.role }, author, deps);
}

/** Voids an invitation. Throws `not_found`. UM-01. */
export async function withdrawInvitation(
  id: string,
  author: Author,
  deps: Pick<OperationDeps, "people" | "now" | "random">,
): Promise<void> {
  const objectName = (await deps.people.findInvitation(id))?.email;
  const audit = [auditRow(author, { action: "user.withdraw_invitation", object: id, objectName }, deps)];
  if (!(await deps.people.withdrawInvitation(id, { audit }, deps.now())))
    throw new DomainError("not_found", NO_INVITATION);
}

export type ListedInvitation = InvitationRow & { state: "pending" | "accepted" | "expired" };

/** Invitations that were not withdrawn, newest first. */
export async function listInvitations(
  { cursor, limit }: { cursor?: string | null | undefined; limit: number },
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
): Promise<Page<ListedInvitation>> {
  const rows = await listInvitationRows(reads, positionOf(cursor), limit);
  const listed = rows.map((row): ListedInvitation => {
    if (row.acceptedAt !== null) return { ...row, state: "accepted" };
    return { ...row, state: row.expiresAt > now() ? "pending" : "expired" };
  });
  return toPage({ rows: listed }, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}
