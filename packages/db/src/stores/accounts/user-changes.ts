import type { AccountRecord } from "@gatehouse/accounts";
import { ROLES, type Role } from "@gatehouse/auth";
import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { lockUntilCommit } from "../../facts.ts";
import type { Db, WriteQuery } from "../../query/db.ts";
import { hasConsoleRole } from "../../schema/index-conditions.ts";
import { changeAccount } from "./account-change.ts";
import { endDelegations } from "./revocation.ts";
import { deleteCredentialsAndConsents, hasVerifiedOwner } from "./untrusted-accounts.ts";
import { endEarlierEpochs } from "./user-sessions.ts";

/** The account's fields that operators set. */
type Settings = { name: string; role: Role; passwordHash: string };
/**
 * Omitted and undefined fields stay unchanged. With `read`, nothing changes if the user no longer has this name and
 * role. CO-45.
 */
export type UserChange = { id: string; read?: ReadProfile | undefined } & {
  [Field in keyof Settings]?: Settings[Field] | undefined;
};
/** What a form showed of a user before it was changed: users have no version. */
export type ReadProfile = Pick<Settings, "name" | "role">;

/**
 * Matches every user except the last enabled admin. Part of the statement that changes the user, which
 * {@link lockAdmins} precedes.
 */
export const notTheLastAdmin = ({ users }: Db["tables"]) =>
  sql`(${users.role} <> 'admin' or ${users.disabledAt} is not null or exists (
    select 1 from ${users} as other where other.role = 'admin' and ${hasConsoleRole({ role: sql`other.role` })} and other.disabled_at is null and other.delete_after is null and other.id <> ${users.id}))`;

/**
 * A lock for changes that can end an admin. On PostgreSQL a statement does not see what a concurrent one changes, so
 * without it the last two admins could end each other.
 */
export const lockAdmins = (db: Db): WriteQuery => lockUntilCommit(db, "admins");

/** Matches users whose role is lower than `role`. */
function isRaise({ users }: Db["tables"], role: Role): SQL {
  const lower = ROLES.slice(ROLES.indexOf(role) + 1);
  return lower.length === 0 ? sql`false` : inArray(users.role, lower);
}

type Ending = {
  userId: string;
  reason: string;
  more?: WriteQuery[];
  also?: AccountRecord | undefined;
  lock?: WriteQuery | undefined;
};

/**
 * Runs `change`, marks the sessions and grants that it ended, and tells their clients, in one transaction with `also`.
 * False, without effect, if `change` matches no user.
 */
function changeAndEnd(
  db: Db,
  change: WriteQuery,
  { userId, reason, more = [], also, lock }: Ending,
  now: number,
): Promise<boolean> {
  const rest = [...endEarlierEpochs(db, userId, reason, now), ...more];
  return changeAccount(db, { userId, first: change, rest, also, lock }, now);
}

/**
 * Changes an account. In the same transaction a new password or a higher role ends every session and grant, and a new
 * password or a lower role ends the API tokens and invitations. False if there is no such user, if it changed since
 * `read`, if it would demote the last admin, or if it would set a password or a higher role on an account without a
 * verified owner.
 */
export function changeUser(
  db: Db,
  { id, read, name, role, passwordHash }: UserChange,
  now: number,
  also?: AccountRecord,
) {
  const { tables } = db;
  const { users } = tables;
  const raise = role === undefined ? sql`false` : isRaise(tables, role);
  const ends = passwordHash === undefined ? raise : sql`true`;
  const change = db
    .update(users)
    .set({
      ...(name !== undefined && { name, profileChangedAt: now }),
      ...(role !== undefined && { role }),
      ...(passwordHash !== undefined && { passwordHash, passwordSetAt: now, mustChangePassword: false }),
      accessEpoch: sql`${users.accessEpoch} + case when ${ends} then 1 else 0 end`,
      signInEpoch: sql`${users.signInEpoch} + case when ${ends} then 1 else 0 end`,
    })
    .where(
      and(
        eq(users.id, id),
        read && and(eq(users.name, read.name), eq(users.role, read.role)),
        role === undefined || role === "admin" ? undefined : notTheLastAdmin(tables),
        or(sql`not (${ends})`, hasVerifiedOwner(tables)),
      ),
    )
    .returning({ id: users.id });
  const demotes = role !== undefined && role !== "admin";
  const lock = demotes ? lockAdmins(db) : undefined;
  const more = demotes || passwordHash !== undefined ? endDelegations(db, id, now) : [];
  return changeAndEnd(
    db,
    change,
    { userId: id, reason: "password set or role raised by an operator", more, also, lock },
    now,
  );
}

/**
 * Takes over an account without a verified owner: ends its sessions and grants, deletes its consents and everything it
 * signs in with, and sets the name, role and password, in one transaction. False if there is no such account. RG-05.
 */
export function takeOverUser(
  db: Db,
  { id, name, role, passwordHash }: { id: string } & Settings,
  now: number,
  also?: AccountRecord,
) {
  const { tables } = db;
  const { users } = tables;
  const change = db
    .update(users)
    .set({
      name,
      role,
      passwordHash,
      passwordSetAt: now,
      mustChangePassword: false,
      webauthnUserId: null,
      registeredBy: "operator",
      disabledAt: null,
      deleteAfter: null,
      accessEpoch: sql`${users.accessEpoch} + 1`,
      signInEpoch: sql`${users.signInEpoch} + 1`,
    })
    .where(and(eq(users.id, id), sql`not coalesce(${hasVerifiedOwner(tables)}, false)`))
    .returning({ id: users.id });
  const done = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)));
  const more = deleteCredentialsAndConsents(db, done);
  return changeAndEnd(db, change, { userId: id, reason: "account adopted by an operator", more, also }, now);
}

/**
 * Records that an operator answers for an account from before `registered_by` existed, and writes `also` in the same
 * transaction.
 */
export async function markRegisteredByOperator(db: Db, id: string, also: readonly WriteQuery[]): Promise<void> {
  const { users } = db.tables;
  await db.transaction([db.update(users).set({ registeredBy: "operator" }).where(eq(users.id, id)), ...also]);
}

/**
 * Links that undo a change of address have no epoch, since they outlive what follows the change; they would be live
 * again after enabling.
 */
function undoLinksEnd(db: Db, userId: string): WriteQuery {
  const { mailedTokens } = db.tables;
  return db.delete(mailedTokens).where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.purpose, "email_undo")));
}

/**
 * Disables or enables a user. Disabling ends every session, grant, API token and invitation for good, in the same
 * transaction. Disabling again keeps the time of the first. False if there is no such user or it is the last admin.
 */
export function updateUserDisabled(
  db: Db,
  { id, disabled }: { id: string; disabled: boolean },
  now: number,
  also?: AccountRecord,
) {
  const { tables } = db;
  const { users } = tables;
  const off = {
    disabledAt: sql`coalesce(${users.disabledAt}, ${now})`,
    accessEpoch: sql`${users.accessEpoch} + 1`,
    signInEpoch: sql`${users.signInEpoch} + 1`,
  };
  const change = db
    .update(users)
    .set(disabled ? off : { disabledAt: null })
    .where(and(eq(users.id, id), disabled ? notTheLastAdmin(tables) : undefined))
    .returning({ id: users.id });
  const lock = disabled ? lockAdmins(db) : undefined;
  const more = disabled ? [...endDelegations(db, id, now), undoLinksEnd(db, id)] : [];
  return changeAndEnd(db, change, { userId: id, reason: "user disabled", more, also, lock }, now);
}
