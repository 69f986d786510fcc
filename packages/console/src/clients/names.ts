import { type AuditDeps, auditWrite } from "../audit/entry.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { assertUnlocked } from "../managed/lock.ts";
import { type Author, assertMayChange } from "../permissions.ts";
import { type ClientRow, listClientRows, renameClientRows } from "./queries.ts";

/** The name of a client that was registered without one. */
export const DEFAULT_CLIENT_NAME = "Main";

/** How many clients an application may have, each in up to three environments. */
export const MAX_CLIENTS = 20;

/**
 * The name of the client that is meant: `name`, or without it the application's only client, or
 * {@link DEFAULT_CLIENT_NAME} if it has none. Throws `invalid` if the name is left out and the application has several
 * clients.
 */
export function clientNameOf(name: string | undefined, rows: readonly Pick<ClientRow, "name">[]): string {
  if (name !== undefined) return name;
  const names = clientNames(rows);
  if (names.length > 1) throw invalid([{ path: "name", message: `choose the client: ${names.join(", ")}` }]);
  return names[0] ?? DEFAULT_CLIENT_NAME;
}

/** The names of an application's clients, in alphabetical order. */
export function clientNames(rows: readonly Pick<ClientRow, "name">[]): string[] {
  return [...new Set(rows.map(({ name }) => name))].toSorted((a, b) => a.localeCompare(b, "en"));
}

/**
 * Renames a client in every environment. Users never see the name. Throws `not_found`, `conflict` when another client
 * of the application has the name, and `forbidden` unless the actor may change the client in every environment that it
 * has.
 */
export async function renameClient(
  { applicationId, name, newName }: { applicationId: string; name: string; newName: string },
  author: Author,
  deps: AuditDeps,
): Promise<void> {
  const { db, now } = deps;
  const rows = await listClientRows(db, applicationId);
  const renamed = rows.filter((row) => row.name === name);
  if (renamed.length === 0) throw new DomainError("not_found", `The application has no client ${name}.`);
  for (const row of renamed) assertMayChange(author, row);
  await assertUnlocked(
    "client",
    renamed.map(({ id }) => id),
    author,
    deps,
  );
  if (newName === name) return;
  const also = renamed.map((row) => {
    const detail = { changes: { name: { before: name, after: newName } } };
    const objectName = `${row.applicationName} · ${newName}`;
    return auditWrite(
      author,
      { action: "client.rename", object: row.id, objectName, environment: row.environment, detail },
      deps,
    );
  });
  if (
    rows.some((row) => row.name === newName) ||
    !(await renameClientRows(db, { applicationId, name, newName }, now(), also))
  ) {
    const message = `The application already has a client ${newName}. Choose another name.`;
    throw new DomainError("conflict", message, [{ path: "newName", message }]);
  }
}
