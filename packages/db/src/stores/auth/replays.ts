import type { Hash } from "@gatehouse/auth";
import { sql } from "drizzle-orm";
import type { Db } from "../../query/db.ts";
import { placeholders, prepared } from "../../query/prepared.ts";

const INSERT = (db: Db) => {
  const { spentIds } = db.tables;
  return db.insert(spentIds).values(placeholders(spentIds)).onConflictDoNothing().returning({ one: sql<number>`1` });
};

/** True the first time. The primary key decides, across all processes. */
export async function spendOnce(db: Db, hash: Hash, expiresAt: number): Promise<boolean> {
  const added = await prepared(db, "spend_once", INSERT).execute({ hash, expiresAt });
  return added.length === 1;
}
