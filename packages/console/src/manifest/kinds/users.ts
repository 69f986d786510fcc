import { hasVerifiedOwner } from "@gatehouse/accounts";
import { findPendingInvitation } from "@gatehouse/db/stores/accounts/invitations";
import { markRegisteredByOperator } from "@gatehouse/db/stores/accounts/user-changes";
import { findUserByEmail, type UserRow } from "@gatehouse/db/stores/accounts/users";
import { auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import type { Problem } from "../../domain-error.ts";
import { inviteUser } from "../../invitations/invitations.ts";
import { importUser } from "../../users/import/import.ts";
import { updateUser } from "../../users/manage-users.ts";
import { shortPasswordNotice } from "../../users/password.ts";
import { createUser, OWNER_UNVERIFIED } from "../../users/users.ts";
import { type Applier, type Change, changeOf } from "../change.ts";
import type { Manifest, ManifestUser } from "../file/manifest.ts";

type Known = UserRow & { passwordHash: string | null };
/**
 * `id`: of the user, or of the invitation. `invitation_link`: of a new invitation that was not mailed; it is not shown
 * again.
 */
export type AppliedUser = {
  email: string;
  id: string;
  status: "created" | "adopted" | "updated" | "unchanged" | "invited";
  invitation_link?: string;
};

/** What this installation cannot apply of the file's users. Writes nothing. */
export async function userProblems(
  { users }: Manifest,
  deps: Pick<OperationDeps, "db" | "hasher">,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [at, wanted] of users.entries()) {
    const known = await findUserByEmail(deps.db, wanted.email);
    const isAdopted = known !== undefined && !(await isManagedByOperator(known, wanted, deps));
    if (isAdopted && !wanted.adopt) problems.push({ path: `users.${at}.email`, message: OWNER_UNVERIFIED });
    else if ((!known || isAdopted) && !hasPassword(wanted, isAdopted))
      problems.push({
        path: `users.${at}.password`,
        message: isAdopted ? "is required to adopt the account" : "is required for a new user",
      });
  }
  return problems;
}

/**
 * Whether a new account of the file gets a password, or needs none. An adopted one is emptied first, so a hash is not
 * enough.
 */
function hasPassword({ password, password_hash, invited }: ManifestUser, isAdopted: boolean): boolean {
  return password !== undefined || (!isAdopted && (password_hash !== undefined || invited));
}

/** What the file changes about a user. Passwords are compared, never shown. */
export async function userChange(wanted: ManifestUser, { author }: Applier, deps: OperationDeps): Promise<Change> {
  const { email, name, role, locale } = wanted;
  const known = await findUserByEmail(deps.db, email);
  const object = { kind: "user", name: email } as const;
  if (!known && wanted.invited) {
    const pending = await findPendingInvitation(deps.db, email, deps.now());
    const change = changeOf(object, undefined, { invitation: role ?? "user" });
    return pending?.role === (role ?? "user") ? { ...change, action: "keep", fields: [] } : change;
  }
  if (!known) return changeOf(object, undefined, { name, role: role ?? "user", locale });
  if (!(await isManagedByOperator(known, wanted, deps)))
    return changeOf(object, {}, { name, role, account: "adopted, and emptied first" });
  const password =
    (await replacesPassword(known, wanted, deps)) ||
    (wanted.password_hash !== undefined && known.passwordHash === null);
  const secrets = password ? [{ field: "password", before: null, after: "changed" }] : [];
  const change = changeOf(object, { ...known }, { name, role }, secrets);
  if (change.action === "update") return change;
  const { status } = await importUser(detailsOf(wanted), { dryRun: true, author }, deps);
  return status === "unchanged"
    ? change
    : changeOf(object, {}, { locale, emailVerified: wanted.email_verified || undefined });
}

/**
 * Applies one user of the file. Omitted fields do not change, nor does an existing password unless `reset_password` is
 * true.
 */
export async function applyUser(wanted: ManifestUser, applier: Applier, deps: OperationDeps): Promise<AppliedUser> {
  const { email, password, adopt } = wanted;
  const known = await findUserByEmail(deps.db, email);
  if (!known && wanted.invited) return applyInvitation(wanted, applier, deps);
  if (!known && wanted.password_hash !== undefined) return applyDetails(wanted, applier, deps);
  if (!known || !(await isManagedByOperator(known, wanted, deps))) {
    const draft = { email, password: password ?? "", role: wanted.role ?? "user", name: wanted.name ?? email };
    const { id } = await createUser({ ...draft, adopt, author: applier.author }, deps);
    await applyDetails(wanted, applier, deps);
    tellOfShortPassword(draft, applier, deps);
    return { email, id, status: known ? "adopted" : "created" };
  }
  if (!hasVerifiedOwner(known)) {
    const changes = { registeredBy: { before: known.registeredBy, after: "operator" } };
    const entry = { action: "user.vouch" as const, object: known.id, objectName: known.name, detail: { changes } };
    await markRegisteredByOperator(deps.db, known.id, [auditWrite(applier.author, entry, deps)]);
  }
  const changed = await changeKnown(known, wanted, applier, deps);
  const details = await applyDetails(wanted, applier, deps);
  return { email, id: known.id, status: changed ? "updated" : details.status };
}

/** Sets what the file says about the account itself. True if anything differed. */
async function changeKnown(
  known: Known,
  wanted: ManifestUser,
  applier: Applier,
  deps: OperationDeps,
): Promise<boolean> {
  const reset = await replacesPassword(known, wanted, deps);
  const change = {
    name: wanted.name === known.name ? undefined : wanted.name,
    role: wanted.role === known.role ? undefined : wanted.role,
    password: reset ? wanted.password : undefined,
  };
  const differs = Object.values(change).some((value) => value !== undefined);
  if (differs) await updateUser({ id: known.id, ...change }, applier.author, deps);
  if (change.password !== undefined)
    tellOfShortPassword({ email: known.email, password: change.password }, applier, deps);
  return differs;
}

/**
 * Adds what an import can bring: a password hash, a proved address, a language. Creates the account if there is none.
 */
async function applyDetails(wanted: ManifestUser, { author }: Applier, deps: OperationDeps): Promise<AppliedUser> {
  const { status, id = "" } = await importUser(detailsOf(wanted), { dryRun: false, author }, deps);
  return { email: wanted.email, id, status };
}

const detailsOf = ({ email, name, role, email_verified, password_hash, locale }: ManifestUser) => ({
  email,
  name,
  role,
  email_verified,
  password_hash,
  locale,
  identities: [],
});

/** Invites the user, unless an invitation with this role is pending. The link is given if no mail was sent. */
async function applyInvitation(
  { email, role = "user" }: ManifestUser,
  { author }: Applier,
  deps: OperationDeps,
): Promise<AppliedUser> {
  const pending = await findPendingInvitation(deps.db, email, deps.now());
  if (pending?.role === role) return { email, id: pending.id, status: "unchanged" };
  const { id, link } = await inviteUser({ email, role }, author, deps);
  return { email, id, status: "invited", ...(link !== null && { invitation_link: link }) };
}

/**
 * True for an account that an operator may change. For an account from before `registeredBy` was recorded the password
 * decides: if the file's password matches, an operator set it.
 */
async function isManagedByOperator(
  known: Known,
  { password }: ManifestUser,
  { hasher }: Pick<OperationDeps, "hasher">,
): Promise<boolean> {
  if (hasVerifiedOwner(known)) return true;
  return (
    known.registeredBy === null &&
    password !== undefined &&
    (await hasher.verify(known.passwordHash, password)) !== "wrong"
  );
}

async function replacesPassword(
  { passwordHash }: Known,
  { password, reset_password }: ManifestUser,
  { hasher }: Pick<OperationDeps, "hasher">,
): Promise<boolean> {
  return reset_password && password !== undefined && (await hasher.verify(passwordHash, password)) === "wrong";
}

/** Tells of a password that its user could not choose. PW-01. */
function tellOfShortPassword(
  user: { email: string; password: string },
  { tell }: Applier,
  deps: Pick<OperationDeps, "passwordRules">,
): void {
  const notice = shortPasswordNotice(user, deps);
  if (notice !== undefined) tell?.(notice);
}
