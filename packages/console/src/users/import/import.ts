import { type Account, hasVerifiedOwner, type NewAccount, totpPurpose } from "@gatehouse/accounts";
import { mintId } from "@gatehouse/auth";
import { findAccountByEmail, findAccountByExternalId } from "@gatehouse/db/stores/accounts/accounts";
import { listSignInProviders } from "@gatehouse/db/stores/accounts/sign-in-providers";
import { auditRow, changedFields } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { DomainError } from "../../domain-error.ts";
import type { Author } from "../../permissions.ts";
import { updateUser } from "../manage-users.ts";
import { type Act, recordOf } from "../record-act.ts";
import { OWNER_UNVERIFIED } from "../users.ts";
import {
  findIdentityOwners,
  hasTotp,
  type ImportedChange,
  type ImportedFactors,
  insertImportedAccount,
  updateImportedAccount,
} from "./queries.ts";
import type { ImportedUser } from "./schemas.ts";

type Known = Account & { passwordHash: string | null };
type ImportDeps = Pick<OperationDeps, "db" | "store" | "now" | "random" | "seal" | "mail" | "accounts" | "hasher">;
type ImportStatus = "created" | "updated" | "unchanged";

/** What became of one user of an import. `id` is missing for a new user of a dry run. */
export type ImportOutcome = { status: ImportStatus; id?: string };

/**
 * Imports one user on behalf of an operator, who vouches for the address. A user with this `external_id` or address is
 * changed: profile and role as given, and what the account lacks is added; a password is never replaced, so an import
 * can be repeated after users have signed in. The user is told of each such change in its transaction; a new account
 * gets no mail. SN-04. With `dryRun`, only says what would happen. Throws `conflict` if the user cannot be imported.
 * UM-06.
 */
export async function importUser(
  wanted: ImportedUser,
  { dryRun, author }: { dryRun: boolean; author: Author },
  deps: ImportDeps,
): Promise<ImportOutcome> {
  const known = await findKnown(wanted, deps);
  const owners = await findIdentityOwners(deps.db, wanted.identities);
  if (owners.some((owner) => owner !== undefined && owner !== known?.id))
    throw conflict("identities", "belongs to another account already");
  const identities = wanted.identities.filter((_, at) => owners[at] === undefined);
  return known
    ? update(known, { ...wanted, identities }, { dryRun, author }, deps)
    : create(wanted, { dryRun, author }, deps);
}

async function findKnown({ email, external_id }: ImportedUser, { db }: ImportDeps): Promise<Known | undefined> {
  const byId = external_id === undefined ? undefined : await findAccountByExternalId(db, external_id);
  const known = await findAccountByEmail(db, email);
  if (byId && byId.id !== known?.id) throw conflict("external_id", `belongs to the account of ${byId.email}`);
  if (known && known.externalId !== null && external_id !== undefined && known.externalId !== external_id)
    throw conflict("email", "belongs to an account with another external_id");
  if (known && !hasVerifiedOwner(known)) throw conflict("email", OWNER_UNVERIFIED);
  return known;
}

async function create(
  wanted: ImportedUser,
  { dryRun, author }: { dryRun: boolean; author: Author },
  deps: ImportDeps,
): Promise<ImportOutcome> {
  if (dryRun) return { status: "created" };
  const now = deps.now();
  const id = `usr_${mintId(deps.random)}`;
  const account: NewAccount = {
    id,
    email: wanted.email,
    name: wanted.name ?? wanted.email.slice(0, 80),
    role: wanted.role ?? "user",
    createdAt: wanted.created_at ?? now,
    registeredBy: "operator",
    emailVerifiedAt: wanted.email_verified ? now : null,
    locale: wanted.locale ?? null,
    externalId: wanted.external_id ?? null,
    passwordHash: wanted.password_hash ?? null,
    disabledAt: wanted.disabled ? now : null,
  };
  const imported = { account, factors: factorsOf(id, wanted, deps) };
  const entry = {
    action: "user.import" as const,
    object: id,
    objectName: account.name,
    detail: { role: account.role },
  };
  const also = { audit: [auditRow(author, entry, deps)] };
  if (!(await insertImportedAccount(deps.db, imported, also, now))) throw conflict("email", "was taken meanwhile");
  return { status: "created", id };
}

async function update(
  known: Known,
  wanted: ImportedUser,
  { dryRun, author }: { dryRun: boolean; author: Author },
  deps: ImportDeps,
): Promise<ImportOutcome> {
  const change: ImportedChange = {
    ...(wanted.name !== undefined && wanted.name !== known.name && { name: wanted.name }),
    ...(wanted.locale !== undefined && wanted.locale !== known.locale && { locale: wanted.locale }),
    ...(wanted.external_id !== undefined && known.externalId === null && { externalId: wanted.external_id }),
    ...(wanted.email_verified && known.emailVerifiedAt === null && { emailVerifiedAt: deps.now() }),
    ...(wanted.password_hash !== undefined && known.passwordHash === null && { passwordHash: wanted.password_hash }),
  };
  const needsTotp = wanted.totp_secret !== undefined && !(await hasTotp(deps.db, known.id));
  const factors = factorsOf(known.id, { ...wanted, totp_secret: needsTotp ? wanted.totp_secret : undefined }, deps);
  const changesRole = wanted.role !== undefined && wanted.role !== known.role;
  const changesRow = Object.keys(change).length > 0 || needsTotp || factors.identities.length > 0;
  if (!changesRow && !changesRole) return { status: "unchanged", id: known.id };
  if (dryRun) return { status: "updated", id: known.id };

  if (changesRow) {
    const linked = await namesOf(factors.identities, deps);
    const act = additionOf(known, change, { totp: factors.totp, linked }, deps.now());
    const also = await recordOf({ id: known.id }, act, author, deps);
    await updateImportedAccount(deps.db, { userId: known.id, change, factors }, also, deps.now());
  }
  if (changesRole) await updateUser({ id: known.id, role: wanted.role }, author, deps);
  return { status: "updated", id: known.id };
}

function factorsOf(
  userId: string,
  { totp_secret, identities }: ImportedUser,
  { seal, random }: ImportDeps,
): ImportedFactors {
  return {
    totp: totp_secret === undefined ? undefined : seal.seal(totpPurpose(userId), totp_secret),
    identities: identities.map(({ email = null, ...key }) => ({ ...key, email, id: mintId(random) })),
  };
}

/** The names of the providers; the id of one that is not set up here. */
async function namesOf(identities: readonly { provider: string }[], { db }: Pick<ImportDeps, "db">): Promise<string[]> {
  const providers = identities.length === 0 ? [] : await listSignInProviders(db);
  return identities.map(({ provider }) => providers.find(({ id }) => id === provider)?.name ?? provider);
}

/** What an import adds to an account, and what its user is told of it: every new way in and factor. SN-04. */
function additionOf(
  known: Known,
  change: ImportedChange,
  { totp, linked }: Pick<ImportedFactors, "totp"> & { linked: readonly string[] },
  at: number,
): Act<"password_set" | "totp_on" | "identity_linked"> {
  const byOperator = { at, userAgent: null, address: null };
  const password = change.passwordHash !== undefined;
  return {
    action: "user.import" as const,
    detail: { changes: auditChanges(known, change) },
    events: [
      ...(password ? [{ kind: "password_changed" as const }] : []),
      ...(totp === undefined ? [] : [{ kind: "totp_on" as const }]),
      ...linked.map((provider) => ({ kind: "identity_linked" as const, detail: { provider } })),
    ],
    mails: [
      ...(password ? [{ kind: "password_set" as const, data: { at, isFirst: true } }] : []),
      ...(totp === undefined ? [] : [{ kind: "totp_on" as const, data: byOperator }]),
      ...linked.map((provider) => ({ kind: "identity_linked" as const, data: { ...byOperator, provider } })),
    ],
  };
}

/** What an import changes, for the audit log. Of a password it says only that there is one now. CO-64. */
function auditChanges(known: Known, { passwordHash, ...change }: ImportedChange) {
  return {
    ...changedFields(known, change),
    ...(passwordHash !== undefined && { password: { before: null, after: "added" } }),
  };
}

const conflict = (path: string, message: string) => new DomainError("conflict", message, [{ path, message }]);
