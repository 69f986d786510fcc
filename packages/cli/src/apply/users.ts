import { findUserByEmail, type UserRow, vouchForUser } from "@gatehouse/db";
import {
  createUser,
  isVouchedFor,
  matchesPassword,
  NOT_VOUCHED_FOR,
  type OperationDeps,
  type Problem,
  updateUser,
} from "@gatehouse/operations";
import type { Manifest, ManifestUser } from "./manifest.ts";

type Known = UserRow & { passwordHash: string };
export type AppliedUser = { email: string; id: string; status: "created" | "adopted" | "updated" | "unchanged" };

/** What this installation cannot apply of the file's users. Writes nothing. */
export async function userProblems({ users }: Manifest, deps: Pick<OperationDeps, "handle">): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [at, wanted] of users.entries()) {
    const known = await findUserByEmail(deps.handle, wanted.email);
    const isAdopted = known !== undefined && !(await isManagedByOperator(known, wanted));
    if (isAdopted && !wanted.adopt) problems.push({ path: `users.${at}.email`, message: NOT_VOUCHED_FOR });
    else if ((!known || isAdopted) && wanted.password === undefined)
      problems.push({
        path: `users.${at}.password`,
        message: isAdopted ? "is required to adopt the account" : "is required for a new user",
      });
  }
  return problems;
}

/** Applies one user of the file. Omitted fields do not change, nor does an existing password unless `reset_password` is true. */
export async function applyUser(wanted: ManifestUser, deps: OperationDeps): Promise<AppliedUser> {
  const { email, password, adopt, reset_password } = wanted;
  const known = await findUserByEmail(deps.handle, email);
  if (!known || !(await isManagedByOperator(known, wanted))) {
    const draft = { email, password: password ?? "", role: wanted.role ?? "user", name: wanted.name ?? email };
    const { id } = await createUser({ ...draft, adopt }, deps);
    return { email, id, status: known ? "adopted" : "created" };
  }
  if (!isVouchedFor(known)) await vouchForUser(deps.handle, known.id);

  const reset = reset_password && password !== undefined && !(await matchesPassword(known.passwordHash, password));
  const change = {
    name: wanted.name === known.name ? undefined : wanted.name,
    role: wanted.role === known.role ? undefined : wanted.role,
    password: reset ? password : undefined,
  };
  const differs = Object.values(change).some((value) => value !== undefined);
  if (differs) await updateUser({ id: known.id, ...change }, deps);
  return { email, id: known.id, status: differs ? "updated" : "unchanged" };
}

/**
 * True for an account that an operator may change. For an account from before `registeredBy` was recorded the password decides: if the
 * file's password matches, an operator set it.
 */
async function isManagedByOperator(known: Known, { password }: ManifestUser): Promise<boolean> {
  if (isVouchedFor(known)) return true;
  return known.registeredBy === null && password !== undefined && (await matchesPassword(known.passwordHash, password));
}
