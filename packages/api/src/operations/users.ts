import { mintId, type Role, type User } from "@gatehouse/auth";
import {
  findUser,
  findUserByEmail,
  insertUser,
  listUserRows,
  setPasswordHash,
  setUserDisabledAt,
  toPage,
  type UserRow,
  updateUserRow,
} from "@gatehouse/db";
import type { ApiDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { positionOf } from "./page.ts";
import { hashPassword, matchesPassword, passwordProblems } from "./password.ts";
import { endSessionsOf } from "./sessions.ts";

const LAST_ADMIN = "This is the last admin who can sign in. Make somebody else an admin first.";
const NO_USER = "There is no such user.";

export type UserDraft = { email: string; name: string; password: string; role: Role };

/** Adds a user. Throws `invalid` for a weak password, `conflict` when the e-mail address is taken. */
export async function createUser(draft: UserDraft, deps: Pick<ApiDeps, "handle" | "now" | "random">): Promise<UserRow> {
  const email = draft.email.trim().toLowerCase();
  const problems = passwordProblems(draft.password, email);
  if (problems.length > 0) throw invalid(problems);

  // The prefix keeps user ids apart from client ids, which stand in the same claim of a token. SE-18.
  const id = `usr_${mintId(deps.random)}`;
  const passwordHash = await hashPassword(draft.password);
  const user = await insertUser(deps.handle, { id, email, name: draft.name, role: draft.role, passwordHash, createdAt: deps.now() });
  if (user) return user;
  const message = "A user with this e-mail address exists already.";
  throw new DomainError("conflict", message, [{ path: "email", message }]);
}

/** The user whose e-mail and password these are; undefined for anything else, a disabled user too. Takes equally long in each case. SE-07. */
export async function verifyPassword(
  { email, password }: { email: string; password: string },
  deps: Pick<ApiDeps, "handle">,
): Promise<User | undefined> {
  const found = await findUserByEmail(deps.handle, email.trim().toLowerCase());
  const right = await matchesPassword(found?.passwordHash, password);
  if (!found || !right || found.disabledAt !== null) return undefined;
  const { id, name, role, disabledAt } = found;
  return { id, email: found.email, name, role, disabledAt };
}

/** Sets a new password. Sessions stay. Throws `invalid` for a weak one. */
export async function setPassword(user: Pick<User, "id" | "email">, password: string, deps: Pick<ApiDeps, "handle">): Promise<void> {
  const problems = passwordProblems(password, user.email);
  if (problems.length > 0) throw invalid(problems);
  await setPasswordHash(deps.handle, user.id, await hashPassword(password));
}

type Page = { query?: string | undefined; role?: Role | undefined; cursor?: string | null | undefined; limit: number };

export async function listUsers({ query, role, cursor, limit }: Page, deps: Pick<ApiDeps, "handle">) {
  const rows = await listUserRows(deps.handle, { query, role }, positionOf(cursor), limit);
  return toPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

export async function getUser(id: string, deps: Pick<ApiDeps, "handle">): Promise<UserRow> {
  const user = await findUser(deps.handle, id);
  if (!user) throw new DomainError("not_found", NO_USER);
  return user;
}

/** Sets name and role; the role counts from the next request on. Throws `conflict` for the last admin. */
export async function updateUser(change: Pick<User, "id" | "name" | "role">, deps: Pick<ApiDeps, "handle">): Promise<UserRow> {
  const changed = await updateUserRow(deps.handle, change);
  if (changed) return changed;
  await getUser(change.id, deps);
  throw new DomainError("conflict", LAST_ADMIN, [{ path: "role", message: LAST_ADMIN }]);
}

/** Switches a user off or on. Off: tokens are dead while it lasts, and the sessions end for good. Throws `conflict` for the last admin. */
export async function setUserDisabled(
  { id, disabled }: { id: string; disabled: boolean },
  deps: Pick<ApiDeps, "handle" | "store" | "now">,
): Promise<UserRow> {
  const changed = await setUserDisabledAt(deps.handle, id, disabled ? deps.now() : null);
  if (!changed) {
    await getUser(id, deps);
    throw new DomainError("conflict", LAST_ADMIN);
  }
  if (disabled) await endSessionsOf(id, deps);
  return changed;
}
