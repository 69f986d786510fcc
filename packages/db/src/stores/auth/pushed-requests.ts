import type { Hash, PushedRequest } from "@gatehouse/auth";
import { and, eq, isNull } from "drizzle-orm";
import type { Db, ReadDb } from "../../query/db.ts";

export async function savePushedRequest(db: Db, request: Omit<PushedRequest, "usedAt">): Promise<void> {
  const { pushedRequests } = db.tables;
  await db.insert(pushedRequests).values(request);
}

/** The request in any state. */
export async function findPushedRequest(db: ReadDb, hash: Hash): Promise<PushedRequest | undefined> {
  const { pushedRequests: p } = db.tables;
  const [row] = await db.select().from(p).where(eq(p.hash, hash));
  return row;
}

/** One conditional statement: of any number of racing authorizations exactly one completes. */
export async function usePushedRequest(db: Db, hash: Hash, now: number): Promise<boolean> {
  const { pushedRequests: p } = db.tables;
  const won = await db
    .update(p)
    .set({ usedAt: now })
    .where(and(eq(p.hash, hash), isNull(p.usedAt)))
    .returning({ hash: p.hash });
  return won.length === 1;
}
