import { mintTimeOrderedId } from "@gatehouse/auth";
import { type AuditDeps, auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { ABILITIES, type Author } from "../permissions.ts";
import { deleteSavedView, findSavedView, insertSavedView, listSavedViews, type SavedView } from "./queries.ts";

/** Bounds the list. */
const MOST_OWN = 50;
const MOST_LISTED = 200;

/** A saved view as a user sees it. `own`: theirs. */
export type SavedViewView = { id: string; name: string; query: string; shared: boolean; own: boolean };

/** The user's own views of a list, and those shared with everybody, by name. `list` is the list's URL path. CO-81. */
export async function listViews(
  list: string,
  userId: string,
  { db }: Pick<OperationDeps, "db">,
): Promise<SavedViewView[]> {
  const rows = await listSavedViews(db, { userId, list, limit: MOST_LISTED });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    query: row.query,
    shared: row.shared,
    own: row.userId === userId,
  }));
}

/**
 * Saves the filters of a list under a name, in the place of the user's view of that name. Throws `invalid` if they have
 * too many. CO-81.
 */
export async function saveView(
  { list, name, query, shared }: Pick<SavedView, "list" | "name" | "query" | "shared">,
  author: Author,
  deps: AuditDeps,
): Promise<{ id: string }> {
  const own = (await listSavedViews(deps.db, { userId: author.id, list, limit: MOST_LISTED })).filter(
    (view) => view.userId === author.id,
  );
  const replaces = own.find((view) => view.name === name)?.id;
  if (replaces === undefined && own.length >= MOST_OWN)
    throw problem("name", `You have ${MOST_OWN} views of this list. Remove one first.`);
  const id = mintTimeOrderedId(deps);
  const view = { id, userId: author.id, list, name, query, shared, createdAt: deps.now() };
  await insertSavedView(deps.db, view, {
    replaces,
    also: [auditWrite(author, entryOf("saved_view.save", view), deps)],
  });
  return { id };
}

/** Removes a view: one's own, or as an admin one that is shared. Throws `not_found`, for views of others too. CO-81. */
export async function removeView(id: string, author: Author, deps: AuditDeps): Promise<void> {
  const view = await findSavedView(deps.db, id);
  const may = view && (view.userId === author.id || (view.shared && ABILITIES[author.role].manageProduction));
  if (!may) throw new DomainError("not_found", "There is no such view, or it is not yours.");
  await deleteSavedView(deps.db, id, [auditWrite(author, entryOf("saved_view.remove", view), deps)]);
}

const entryOf = (action: "saved_view.save" | "saved_view.remove", { id, name, list, query, shared }: SavedView) => ({
  action,
  object: id,
  objectName: name,
  detail: { list, query, shared },
});

const problem = (path: string, message: string) => new DomainError("invalid", message, [{ path, message }]);
