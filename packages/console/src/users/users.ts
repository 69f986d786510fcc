import { hasVerifiedOwner, normaliseEmail } from "@gatehouse/accounts";
import { mintId, type Role } from "@gatehouse/auth";
import type { AuditRow } from "@gatehouse/db/audit";
import { toPage } from "@gatehouse/db/query/page";
import { takeOverUser } from "@gatehouse/db/stores/accounts/user-changes";
import { findUser, findUserByEmail, insertUser, type UserRow } from "@gatehouse/db/stores/accounts/users";
import { auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import type { ListInput } from "../lists/filter.ts";
import type { UserFilter } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import { type Author, SERVER } from "../permissions.ts";
import { requireOperatorPassword } from "./password.ts";
import { countUserRows, listUserRows } from "./queries.ts";
import { type Act, recordOf } from "./record-act.ts";
import { findUserSecurity, listAuditOf, type UserSecurity } from "./security-queries.ts";

const NO_USER = "There is no such user.";
const TAKEN = "A user with this email address already exists.";
/** The error for an operator who would give rights to an account that somebody else may control. RG-06. */
export const OWNER_UNVERIFIED =
  'Somebody signed up with this address and has not verified it. Adopt the account (--adopt, or "adopt": true) to empty it and take it over.';

export type UserDraft = { email: string; name: string; password: string; role: Role };
type Part = Pick<OperationDeps, "db" | "store" | "now">;

/**
 * Creates a user on behalf of an operator. With `adopt`, takes over an account that was created on the sign-up page
 * with this address and never verified: empties it, sets this name, role and password, and mails its address. Without
 * `author` the server itself creates it. Throws `invalid` for a weak password, `conflict` when the email address is
 * taken.
 */
export async function createUser(
  { adopt = false, author = SERVER, ...draft }: UserDraft & { adopt?: boolean | undefined; author?: Author },
  deps: Part & Pick<OperationDeps, "random" | "hasher" | "mail" | "accounts">,
): Promise<UserRow> {
  requireOperatorPassword(draft.password, normalised(draft.email));
  const user = await insert(draft, author, deps);
  if (user) return user;
  const known = await findUserByEmail(deps.db, normalised(draft.email));
  if (!known || hasVerifiedOwner(known)) throw taken(TAKEN);
  if (!adopt) throw taken(OWNER_UNVERIFIED);

  const { name, role } = draft;
  const passwordHash = await deps.hasher.hash(draft.password);
  const also = await recordOf({ id: known.id }, adoptionOf(known, role, deps.now()), author, deps);
  const adopted = await takeOverUser(deps.db, { id: known.id, name, role, passwordHash }, deps.now(), also);
  if (!adopted) throw taken(TAKEN); // it has since been verified, or adopted by another operator
  return getUser(known.id, deps);
}

/** The password and the role of an adopted account change, so its address is told. SN-04. */
function adoptionOf({ email, role: before }: UserRow, role: Role, at: number): Act<"password_set" | "role_changed"> {
  const changesRole = role !== before;
  return {
    action: "user.adopt",
    detail: { email, role },
    events: [
      { kind: "password_changed" },
      ...(changesRole ? [{ kind: "role_changed" as const, detail: { role } }] : []),
    ],
    mails: [
      { kind: "password_set", data: { at } },
      ...(changesRole ? [{ kind: "role_changed" as const, data: { at, role } }] : []),
    ],
  };
}

async function insert(
  draft: UserDraft,
  author: Author,
  deps: Pick<OperationDeps, "db" | "now" | "random" | "hasher">,
): Promise<UserRow | undefined> {
  const { db, now, random, hasher } = deps;
  const email = normaliseEmail(draft.email);
  if (email === undefined) throw invalid([{ path: "email", message: "must be an email address like ada@example.com" }]);
  // The prefix distinguishes user ids from client ids, which appear in the same claim of a token. SE-18.
  const id = `usr_${mintId(random)}`;
  const passwordHash = await hasher.hash(draft.password);
  const { name, role } = draft;
  const also = [
    auditWrite(author, { action: "user.create", object: id, objectName: name, detail: { email, role } }, deps),
  ];
  return insertUser(db, { id, email, name, role, passwordHash, registeredBy: "operator", createdAt: now() }, also);
}

/** The stored form of an email address. Empty for text that is not an address, so that it matches no user. */
const normalised = (email: string) => normaliseEmail(email) ?? "";
const taken = (message: string) => new DomainError("conflict", message, [{ path: "email", message }]);

export async function listUsers(
  { cursor, limit, ...filter }: ListInput<UserFilter>,
  { reads, lists = reads }: Pick<OperationDeps, "lists" | "reads">,
) {
  const found = await listUserRows(lists, filter, positionOf(cursor), limit);
  return toPage(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

/** How many users there are. */
export const countUsers = ({ reads }: Pick<OperationDeps, "reads">): Promise<number> => countUserRows(reads);

export async function getUser(id: string, deps: Pick<OperationDeps, "db">): Promise<UserRow> {
  const user = await findUser(deps.db, id);
  if (!user) throw new DomainError("not_found", NO_USER);
  return user;
}

const HISTORY_ROWS = 30;

/** One act of an operator, without the address it came from. */
export type HistoryEntry = Pick<AuditRow, "id" | "at" | "actorId" | "actorName" | "via" | "action" | "detail">;

/** What operators did to a user, newest first. `cursor` is the `nextCursor` of the page before. UM-04. */
export async function listUserHistory(
  { id, cursor }: { id: string; cursor?: string | null | undefined },
  { reads }: Pick<OperationDeps, "reads">,
): Promise<{ items: HistoryEntry[]; nextCursor: string | null }> {
  const rows = await listAuditOf(reads, { object: id, before: cursor ?? undefined, limit: HISTORY_ROWS + 1 });
  const items = rows.slice(0, HISTORY_ROWS).map(({ id, at, actorId, actorName, via, action, detail }) => ({
    id,
    at,
    actorId,
    actorName,
    via,
    action,
    detail,
  }));
  return { items, nextCursor: rows.length > HISTORY_ROWS ? (items.at(-1)?.id ?? null) : null };
}

/** What a user signs in with. Throws `not_found`. */
export async function getUserSecurity(id: string, { reads }: Pick<OperationDeps, "reads">): Promise<UserSecurity> {
  const security = await findUserSecurity(reads, id);
  if (!security) throw new DomainError("not_found", NO_USER);
  return security;
}
