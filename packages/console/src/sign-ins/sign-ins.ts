import { emailHashes, normaliseEmail, SIGN_IN_CAUSE_TABLE, TYPED_EMAIL_SECONDS } from "@gatehouse/accounts";
import { timeOfId } from "@gatehouse/auth";
import { toPage } from "@gatehouse/db/query/page";
import { mergeFound } from "@gatehouse/db/query/scan";
import { findUserByEmail } from "@gatehouse/db/stores/accounts/users";
import { splitNamedClient } from "../clients/named-client.ts";
import { addressFor } from "../deliveries/detail/rights.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { ListInput } from "../lists/filter.ts";
import type { SignInFilter } from "../lists/lists.ts";
import { positionOf } from "../paging.ts";
import type { Actor } from "../permissions.ts";
import { findSignIn, listSignInRows, type SignInRow, type SignInsOf } from "./queries.ts";

type Deps = Pick<OperationDeps, "reads" | "seal" | "now">;

/** An attempt to sign in, with the meaning of its cause and how to fix it. */
export type SignInView = ReturnType<typeof viewOf>;

function viewOf(row: SignInRow, actor: Actor, { now }: Pick<Deps, "now">) {
  const { client, rest } = splitNamedClient(row);
  const { emailHash: _, typedEmail, userId, userName, userEmail, address, ...attempt } = rest;
  // The sweeper deletes it later; for readers the day is over at once.
  const isFresh = now() < row.at + TYPED_EMAIL_SECONDS;
  return {
    ...attempt,
    meaning: row.cause === null ? null : SIGN_IN_CAUSE_TABLE[row.cause],
    user: userId === null ? null : { id: userId, name: userName ?? userId, email: userEmail ?? "" },
    typedEmail: actor.role === "admin" && isFresh ? typedEmail : null,
    address: addressFor(actor, address),
    client,
  };
}

/**
 * A page of the sign-in log, newest first. `user` is a user's id or an email address: also one that no account has.
 * Only admins see whole addresses, and search by them. SL-03.
 */
export async function listSignIns(
  { cursor, limit, user, address, ...filter }: ListInput<SignInFilter>,
  actor: Actor,
  deps: Deps,
) {
  const subjects = user === undefined ? [undefined] : await subjectsOf(user, deps);
  const shown = { ...filter, address: actor.role === "admin" ? address : undefined };
  const scans = subjects.map((of) => listSignInRows(deps.reads, { ...shown, of }, positionOf(cursor), limit));
  const found = mergeFound(await Promise.all(scans), limit);
  const { items, ...page } = toPage(found, limit, ({ id }) => ({ at: timeOfId(id), id }));
  return { items: items.map((row) => viewOf(row, actor, deps)), ...page };
}

/** Attempts with an address from before its account was made are found by its account's id no more. */
async function subjectsOf(user: string, { reads, seal }: Deps): Promise<SignInsOf[]> {
  const email = normaliseEmail(user);
  if (email === undefined) return [{ userId: user }];
  const known = await findUserByEmail(reads, email);
  if (known) return [{ userId: known.id }];
  // OP-15: one scan for each of the installation's secrets.
  return emailHashes(email, { seal }).map((hash) => ({ emailHash: hash }));
}

/** One attempt. Throws `not_found`. */
export async function getSignIn(id: string, actor: Actor, deps: Deps): Promise<SignInView> {
  const row = await findSignIn(deps.reads, id);
  if (!row)
    throw new DomainError("not_found", "The sign-in log has no such entry, or it was deleted because of its age.");
  return viewOf(row, actor, deps);
}
