import { mintId, type Registrar, type Role, type User } from "@gatehouse/auth";
import {
  adoptUser,
  changeUser,
  findUser,
  findUserByEmail,
  insertUser,
  listUserRows,
  revokeUserGrants,
  switchUser,
  toPage,
  type UserRow,
} from "@gatehouse/db";
import type { ListInput, UserFilter } from "@gatehouse/lists";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { positionOf } from "../page.ts";
import { tellOfEndedSessions } from "./ended-sessions.ts";
import { hashPassword, matchesPassword, passwordProblems } from "./password.ts";

const LAST_ADMIN = "This is the last admin who can sign in. Make another user an admin first.";
const NO_USER = "There is no such user.";
const TAKEN = "A user with this email address already exists.";
/** The error for an operator who would give rights to an account that somebody else may control. RG-06. */
export const NOT_VOUCHED_FOR =
  'Somebody signed up with this address and has not verified it. Adopt the account (--adopt, or "adopt": true) to empty it and take it over.';

export type UserDraft = { email: string; name: string; password: string; role: Role };
type Part = Pick<OperationDeps, "handle" | "store" | "now">;

/** False for an account that somebody else may control: it was created on the sign-up page, and its address was never verified. RG-06. */
export function isVouchedFor({ registeredBy, emailVerifiedAt }: Pick<UserRow, "registeredBy" | "emailVerifiedAt">): boolean {
  return registeredBy === "operator" || emailVerifiedAt !== null;
}

/** Creates the account of a user who signs up. Throws `invalid` for a weak password, `conflict` when the email address is taken. */
export async function signUpUser(draft: Omit<UserDraft, "role">, deps: Pick<OperationDeps, "handle" | "now" | "random">): Promise<UserRow> {
  const user = await insert({ ...draft, role: "user" }, "self", deps);
  if (!user) throw taken(TAKEN);
  return user;
}

/**
 * Creates a user on behalf of an operator. With `adopt`, takes over an account that was created on the sign-up page with this address and
 * never verified: empties it, then sets this name, role and password. Throws `invalid` for a weak password, `conflict` when the email
 * address is taken.
 */
export async function createUser(
  { adopt = false, ...draft }: UserDraft & { adopt?: boolean | undefined },
  deps: Part & Pick<OperationDeps, "random">,
): Promise<UserRow> {
  const user = await insert(draft, "operator", deps);
  if (user) return user;
  const known = await findUserByEmail(deps.handle, normalised(draft.email));
  if (!known || isVouchedFor(known)) throw taken(TAKEN);
  if (!adopt) throw taken(NOT_VOUCHED_FOR);

  const { name, role } = draft;
  const adopted = await adoptUser(deps.handle, { id: known.id, name, role, passwordHash: await hashPassword(draft.password) }, deps.now());
  if (!adopted) throw taken(TAKEN); // it has since been verified, or adopted by another operator
  await tellOfEndedSessions(adopted.ended, deps);
  return getUser(known.id, deps);
}

async function insert(
  draft: UserDraft,
  registeredBy: Registrar,
  { handle, now, random }: Pick<OperationDeps, "handle" | "now" | "random">,
): Promise<UserRow | undefined> {
  const email = normalised(draft.email);
  requireGoodPassword(draft.password, email);
  // The prefix distinguishes user ids from client ids, which appear in the same claim of a token. SE-18.
  const id = `usr_${mintId(random)}`;
  const passwordHash = await hashPassword(draft.password);
  return insertUser(handle, { id, email, name: draft.name, role: draft.role, passwordHash, registeredBy, createdAt: now() });
}

const normalised = (email: string) => email.trim().toLowerCase();
const taken = (message: string) => new DomainError("conflict", message, [{ path: "email", message }]);

function requireGoodPassword(password: string, email: string): void {
  const problems = passwordProblems(password, email);
  if (problems.length > 0) throw invalid(problems);
}

/** The user with this email address and password; undefined if they do not match or the user is disabled. Takes equally long in each case. SE-07. */
export async function verifyPassword(
  { email, password }: { email: string; password: string },
  deps: Pick<OperationDeps, "handle">,
): Promise<User | undefined> {
  const found = await findUserByEmail(deps.handle, normalised(email));
  const right = await matchesPassword(found?.passwordHash, password);
  if (!found || !right || found.disabledAt !== null) return undefined;
  const { id, name, role, disabledAt, accessEpoch } = found;
  return { id, email: found.email, name, role, disabledAt, accessEpoch };
}

export async function listUsers({ query, role, cursor, limit }: ListInput<UserFilter>, { reads }: Pick<OperationDeps, "reads">) {
  const found = await listUserRows(reads, { query, role }, positionOf(cursor), limit);
  return toPage(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

export async function getUser(id: string, deps: Pick<OperationDeps, "handle">): Promise<UserRow> {
  const user = await findUser(deps.handle, id);
  if (!user) throw new DomainError("not_found", NO_USER);
  return user;
}

export type UserChange = { id: string; name?: string | undefined; role?: Role | undefined; password?: string | undefined };

/**
 * Changes a user on behalf of an operator; omitted fields do not change. A new password or a higher role ends every session, grant and
 * token of the user in the same step, so that earlier credentials never get the new rights. Throws `invalid` for a weak password,
 * `conflict` for the last admin, and for a password or higher role of an account that somebody else may control.
 */
export async function updateUser({ id, name, role, password }: UserChange, deps: Part): Promise<UserRow> {
  const user = await getUser(id, deps);
  if (password !== undefined) requireGoodPassword(password, user.email);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const changed = await changeUser(deps.handle, { id, name, role, passwordHash }, deps.now());
  if (!changed) throw refusedChange(await getUser(id, deps), { role, password });
  await tellOfEndedSessions(changed.ended, deps);
  return getUser(id, deps);
}

function refusedChange(user: UserRow, { role, password }: Pick<UserChange, "role" | "password">): DomainError {
  const demotesAdmin = user.role === "admin" && role !== undefined && role !== "admin";
  const path = password === undefined || demotesAdmin ? "role" : "password";
  const message = demotesAdmin ? LAST_ADMIN : NOT_VOUCHED_FOR;
  return new DomainError("conflict", message, [{ path, message }]);
}

/** Disables or enables a user. Disabling ends all sessions, grants and tokens permanently. Throws `conflict` for the last admin. */
export async function setUserDisabled(change: { id: string; disabled: boolean }, deps: Part): Promise<UserRow> {
  const changed = await switchUser(deps.handle, change, deps.now());
  const user = await getUser(change.id, deps);
  if (!changed) throw new DomainError("conflict", LAST_ADMIN);
  await tellOfEndedSessions(changed.ended, deps);
  return user;
}

/** Revokes every grant of the user, and so every code and token of all applications. Sessions continue. */
export async function revokeUserTokens(id: string, deps: Part): Promise<void> {
  await getUser(id, deps);
  await revokeUserGrants(deps.handle, id, "revoked by an admin", deps.now());
}
