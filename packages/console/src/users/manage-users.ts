import { type AccountDeps, startReset } from "@gatehouse/accounts";
import type { Role } from "@gatehouse/auth";
import { findAccount } from "@gatehouse/db/stores/accounts/accounts";
import { changeUser, type ReadProfile, updateUserDisabled } from "@gatehouse/db/stores/accounts/user-changes";
import { signOutEverywhere } from "@gatehouse/db/stores/accounts/user-sessions";
import type { UserRow } from "@gatehouse/db/stores/accounts/users";
import { revokeSession } from "@gatehouse/db/stores/auth/sessions";
import { changedMeanwhile } from "../audit/conflict.ts";
import { changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import { noSuchSession } from "../sessions/sessions.ts";
import { requireOperatorPassword } from "./password.ts";
import { type ManageDeps, type ManagedUser, recordOf } from "./record-act.ts";
import { disconnectApp, disconnectApps, requirePasswordChange, resetSecondFactors } from "./security-queries.ts";
import { getUser, OWNER_UNVERIFIED } from "./users.ts";

export type { ManageDeps, ManagedUser };

/** The error for an act that would leave nobody to administer the installation. */
export const LAST_ADMIN = "This is the last admin who can sign in. Make another user an admin first.";

export type UserChange = ManagedUser & {
  name?: string | undefined;
  role?: Role | undefined;
  password?: string | undefined;
  /** What the form showed: if name or role has changed since, the change is a conflict. CO-45. */
  read?: ReadProfile | undefined;
};

/**
 * Changes a user on behalf of an operator; omitted fields do not change. A new password or a higher role ends every
 * session, grant and token of the user in the same step, so that earlier credentials never get the new rights. Throws
 * `invalid` for a weak password, `forbidden` for the author's own role (CO-63), and `conflict` for the last admin, and
 * for a password or higher role of an account that somebody else may control. With `read`, also `conflict` if somebody
 * else changed name or role since.
 */
export async function updateUser(
  { id, reason, name, role, password, read }: UserChange,
  author: Author,
  deps: ManageDeps & Pick<OperationDeps, "hasher">,
): Promise<UserRow> {
  const user = await getUser(id, deps);
  if (read && !isAsRead(user, read)) throw await profileConflict(user, deps);
  if (password !== undefined) requireOperatorPassword(password, user.email);
  const passwordHash = password === undefined ? undefined : await deps.hasher.hash(password);
  const newRole = role === undefined || role === user.role ? undefined : role;
  if (newRole !== undefined && author.id === id)
    throw new DomainError("forbidden", "You can’t change your own role. Ask another admin.", [
      { path: "role", message: "nobody changes their own role" },
    ]);
  const changes = {
    ...changedFields(user, { ...(name !== undefined && { name }), ...(newRole !== undefined && { role: newRole }) }),
    ...(password !== undefined && { password: { before: null, after: "changed" } }),
  };
  if (Object.keys(changes).length === 0) return user;
  const at = deps.now();
  const what = {
    action: newRole === undefined ? ("user.update" as const) : ("user.role" as const),
    detail: { changes },
    events: [
      ...(newRole === undefined ? [] : [{ kind: "role_changed" as const, detail: { role: newRole } }]),
      ...(password === undefined ? [] : [{ kind: "password_changed" as const }]),
    ],
    mails: [
      ...(newRole === undefined ? [] : [{ kind: "role_changed" as const, data: { at, role: newRole } }]),
      ...(password === undefined ? [] : [{ kind: "password_set" as const, data: { at } }]),
    ],
  };
  const also = await recordOf({ id, reason }, what, author, deps);
  const done = await changeUser(deps.db, { id, read, name, role, passwordHash }, deps.now(), also);
  if (!done) {
    const now = await getUser(id, deps);
    throw read && !isAsRead(now, read) ? await profileConflict(now, deps) : refusedChange(now, { role, password });
  }
  return getUser(id, deps);
}

const isAsRead = (user: UserRow, read: ReadProfile) => user.name === read.name && user.role === read.role;

/** The next save carries `theirs` as what was read; users have no version. */
const profileConflict = ({ id, name, role }: UserRow, deps: ManageDeps) =>
  changedMeanwhile(
    { object: id, theirs: { name, role }, version: 0, actions: ["user.update", "user.role", "user.adopt"] },
    deps,
  );

function refusedChange(user: UserRow, { role, password }: Pick<UserChange, "role" | "password">): DomainError {
  const demotesAdmin = user.role === "admin" && role !== undefined && role !== "admin";
  const path = password === undefined || demotesAdmin ? "role" : "password";
  const message = demotesAdmin ? LAST_ADMIN : OWNER_UNVERIFIED;
  return new DomainError("conflict", message, [{ path, message }]);
}

/**
 * Disables or enables a user. Disabling ends all sessions, grants and tokens permanently. Throws `conflict` for the
 * last admin. UM-04.
 */
export async function setUserDisabled(
  { disabled, ...managed }: ManagedUser & { disabled: boolean },
  author: Author,
  deps: ManageDeps,
): Promise<UserRow> {
  const { id } = managed;
  const also = await recordOf(
    managed,
    disabled
      ? {
          action: "user.disable",
          events: [{ kind: "account_disabled" }],
          mails: [{ kind: "account_disabled", data: { at: deps.now() } }],
        }
      : { action: "user.enable", events: [{ kind: "account_enabled" }] },
    author,
    deps,
  );
  const changed = await updateUserDisabled(deps.db, { id, disabled }, deps.now(), also);
  const user = await getUser(id, deps);
  if (!changed) throw new DomainError("conflict", LAST_ADMIN);
  return user;
}

/**
 * Revokes every grant of the user, and so every code and token of all applications, and forgets what was allowed.
 * Sessions continue. UM-04.
 */
export async function disconnectUserApps(managed: ManagedUser, author: Author, deps: ManageDeps): Promise<void> {
  const what = {
    action: "user.disconnect_apps" as const,
    events: [{ kind: "app_disconnected" as const, detail: { all: true } }],
  };
  const also = await recordOf(managed, what, author, deps);
  if (!(await disconnectApps(deps.db, managed.id, also, deps.now()))) await getUser(managed.id, deps);
}

/**
 * Takes one application's access to a user's account back, offline access too; it can ask the user again. Throws
 * `not_found` if the user has not connected it. CO-62.
 */
export async function disconnectUserApp(
  { clientId, ...managed }: ManagedUser & { clientId: string },
  author: Author,
  deps: ManageDeps & Pick<OperationDeps, "config">,
): Promise<void> {
  const app = (await deps.store.listConnectedApps(managed.id, deps.now())).find(({ clients }) =>
    clients.some((client) => client.clientId === clientId),
  );
  if (!app) throw new DomainError("not_found", "The user has not connected this application, or its access has ended.");
  const { applicationName: application, environment } = app;
  const what = {
    action: "user.disconnect_app" as const,
    detail: { clientId, application, environment },
    events: [{ kind: "app_disconnected" as const, detail: { application } }],
  };
  const also = await recordOf(managed, what, author, deps);
  if (!(await disconnectApp(deps.db, { userId: managed.id, clientId }, also, deps.now())))
    await getUser(managed.id, deps);
}

/**
 * Ends every session of a user and the access of every application, offline access included; with `apps`, also deletes
 * what the user allowed. Returns how many sessions ended. UM-04, CO-62.
 */
export async function endUserSessions(
  { apps, ...managed }: ManagedUser & { apps: boolean },
  author: Author,
  deps: ManageDeps,
): Promise<{ revoked: number }> {
  await getUser(managed.id, deps);
  const what = {
    action: "user.end_sessions" as const,
    detail: { apps },
    events: [{ kind: "sessions_ended" as const }],
  };
  const also = await recordOf(managed, what, author, deps);
  const ended = await signOutEverywhere(deps.db, { userId: managed.id, apps }, deps.now(), also);
  return { revoked: ended.length };
}

/** Ends one session of a user. Throws `not_found` when the user has no such live session. UM-04. */
export async function endUserSession(
  { sessionId, ...managed }: ManagedUser & { sessionId: string },
  author: Author,
  deps: ManageDeps,
): Promise<void> {
  const what = {
    action: "user.end_session" as const,
    detail: { session: sessionId },
    events: [{ kind: "session_ended" as const }],
  };
  const also = await recordOf(managed, what, author, deps);
  if (!(await revokeSession(deps.db, managed.id, sessionId, deps.now(), also))) throw noSuchSession();
}

/**
 * Mails the user a link to choose a new password, as `/forgot-password` does. What strangers asked for before does not
 * hold it back. Throws `conflict` where mail does not work. UM-03.
 */
export async function sendResetLink(
  managed: ManagedUser,
  author: Author,
  deps: ManageDeps & AccountDeps,
): Promise<void> {
  const account = await findAccount(deps.db, managed.id);
  if (!account) throw new DomainError("not_found", "There is no such user.");
  if (!deps.mail.available)
    throw new DomainError(
      "conflict",
      "Mail is off, because no mail server is set. Set one in the settings under Mail.",
    );
  if (account.disabledAt !== null || account.deleteAfter !== null)
    throw new DomainError("conflict", "This user cannot sign in. Enable the account first.");
  const also = await recordOf(managed, { action: "user.send_reset_link" }, author, deps);
  await startReset(account, { locale: deps.accounts.defaultLocale, also }, deps);
}

/**
 * Makes the user choose a new password after the next sign-in with the old one. Throws `conflict` without a password.
 * UM-03.
 */
export async function requireNewPassword(managed: ManagedUser, author: Author, deps: ManageDeps): Promise<void> {
  await getUser(managed.id, deps);
  const what = {
    action: "user.require_password" as const,
    events: [{ kind: "password_required" as const }],
    mails: [{ kind: "password_required" as const, data: { at: deps.now() } }],
  };
  const also = await recordOf(managed, what, author, deps);
  if (!(await requirePasswordChange(deps.db, managed.id, also, deps.now())))
    throw new DomainError("conflict", "This user has no password. They sign in another way.");
}

/**
 * Removes the user's authenticator app, recovery codes and passkeys, and ends every session and grant. Without a
 * password, the passkeys that are the way in stay. The user enrols again with the next sign-in that demands a second
 * factor. UM-05.
 */
export async function resetUserSecondFactors(
  managed: ManagedUser & { reason: string },
  author: Author,
  deps: ManageDeps,
): Promise<void> {
  const what = {
    action: "user.reset_second_factors" as const,
    events: [{ kind: "second_factors_reset" as const }],
    mails: [{ kind: "second_factors_reset" as const, data: { at: deps.now() } }],
  };
  const also = await recordOf(managed, what, author, deps);
  if (!(await resetSecondFactors(deps.db, managed.id, also, deps.now()))) await getUser(managed.id, deps);
}
