import type { Hash, PushedRequest } from "@gatehouse/auth";
import { and, eq, isNull } from "drizzle-orm";
import type { Handle, ReadHandle } from "../../query/handle.ts";

export async function savePushedRequest({ db, tables: { pushedRequests } }: Handle, request: Omit<PushedRequest, "usedAt">): Promise<void> {
  await db.insert(pushedRequests).values(request);
}

/** The request in any state. */
export async function findPushedRequest({ db, tables: { pushedRequests: p } }: ReadHandle, hash: Hash): Promise<PushedRequest | undefined> {
  const [row] = await db.select().from(p).where(eq(p.hash, hash));
  return row;
}

/** One conditional statement: of any number of racing authorizations exactly one completes. */
export async function usePushedRequest({ db, tables: { pushedRequests: p } }: Handle, hash: Hash, now: number): Promise<boolean> {
  const won = await db
    .update(p)
    .set({ usedAt: now })
    .where(and(eq(p.hash, hash), isNull(p.usedAt)))
    .returning({ hash: p.hash });
  return won.length === 1;
}
