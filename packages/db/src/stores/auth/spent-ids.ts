import type { Hash } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import type { Handle } from "../../query/handle.ts";
import { placeholders, prepared } from "../../query/prepared.ts";

const INSERT = ({ db, tables: { spentIds } }: Handle) =>
  db.insert(spentIds).values(placeholders(spentIds)).onConflictDoNothing().returning({ one: sql<number>`1` });

/** True the first time. The primary key decides, across all processes. */
export async function spendOnce(handle: Handle, hash: Hash, expiresAt: number): Promise<boolean> {
  const added = await prepared(handle, "spend_once", INSERT).execute({ hash, expiresAt });
  return added.length === 1;
}
