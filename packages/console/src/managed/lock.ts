import type { ManagedKind } from "@gatehouse/db/schema/sqlite/managed-objects";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import { listManagedObjects, type ManagedRow } from "./queries.ts";

/**
 * Throws `conflict` for an object that a file locks, unless a file is being applied. Every operation calls it before it
 * changes what a file can state about the object, or about several. What no file holds stays open: secrets, logos,
 * preview slots, test runs and blocks. CO-73.
 */
export async function assertUnlocked(
  kind: ManagedKind,
  object: string | readonly string[],
  { file }: Pick<Author, "file">,
  { db }: Pick<OperationDeps, "db">,
): Promise<void> {
  if (file !== undefined) return;
  const rows = await listManagedObjects(db, kind, typeof object === "string" ? [object] : object);
  const locked = rows.find((row) => row.locked);
  if (locked) throw lockedBy(locked);
}

const NOUN: Record<ManagedKind, string> = {
  resource: "API",
  application: "application",
  client: "client",
  webhook_endpoint: "webhook endpoint",
  sign_in_provider: "sign-in provider",
};

function lockedBy({ kind, file }: ManagedRow): DomainError {
  const message = `This ${NOUN[kind]} is managed by ${file} and locked. Change the file and apply it, or unlock the ${NOUN[kind]} in the console first.`;
  return new DomainError("conflict", message);
}
