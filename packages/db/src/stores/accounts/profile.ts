import type { Also, Picture, PictureType } from "@gatehouse/accounts";
import { and, eq, isNull } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../../query/handle.ts";
import { changeAccount } from "./changes.ts";

/** Changes what a user says about themselves. False if there is no such user. */
export function changeProfile(
  handle: Handle,
  { userId, also, ...profile }: { userId: string; name?: string; locale?: string; also?: Also },
  now: number,
): Promise<boolean> {
  const { db, tables } = handle;
  const first = db
    .update(tables.users)
    .set({ ...profile, profileChangedAt: now })
    .where(eq(tables.users.id, userId))
    .returning({ id: tables.users.id });
  return changeAccount(handle, { userId, first, also }, now);
}

/** A picture as it is stored. `updatedAt` is Unix seconds, and changes its URL. */
export type StoredPicture = { type: string; bytes: Uint8Array; updatedAt: number };

export async function findPicture({ db, tables: { userPictures } }: ReadHandle, userId: string): Promise<StoredPicture | undefined> {
  const [row] = await db
    .select({ type: userPictures.type, bytes: userPictures.bytes, updatedAt: userPictures.updatedAt })
    .from(userPictures)
    .where(eq(userPictures.userId, userId));
  return row;
}

/** When the user's picture was last changed; undefined without a picture. */
export async function findPictureTime({ db, tables: { userPictures } }: ReadHandle, userId: string): Promise<number | undefined> {
  const [row] = await db.select({ updatedAt: userPictures.updatedAt }).from(userPictures).where(eq(userPictures.userId, userId));
  return row?.updatedAt;
}

/** The picture with this public id, of an account that is not disabled. */
export async function findPublicPicture(
  { db, tables: { users, userPictures } }: ReadHandle,
  pictureId: string,
): Promise<StoredPicture | undefined> {
  const [row] = await db
    .select({ type: userPictures.type, bytes: userPictures.bytes, updatedAt: userPictures.updatedAt })
    .from(users)
    .innerJoin(userPictures, eq(userPictures.userId, users.id))
    .where(and(eq(users.pictureId, pictureId), isNull(users.disabledAt)));
  return row;
}

/** Gives the picture another public id, or none. The account's row is locked before the picture's, as other changes of an account do. */
function renewPictureId(
  { db, tables: { users } }: Handle,
  userId: string,
  pictureId: string | null,
  now: number,
): { lock: WriteQuery; rest: WriteQuery[] } {
  const own = eq(users.id, userId);
  return {
    lock: db.update(users).set({ id: userId }).where(own),
    rest: [db.update(users).set({ pictureId, profileChangedAt: now }).where(own)],
  };
}

/** Saves the user's picture and replaces the earlier one, whose public id is no longer found. `pictureId`: random. */
export async function savePicture(
  handle: Handle,
  { userId, pictureId, type, bytes, also }: { userId: string; pictureId: string; also?: Also } & Picture & { type: PictureType },
  now: number,
): Promise<void> {
  const { db, tables } = handle;
  const stored = { type, bytes: Buffer.from(bytes), updatedAt: now };
  const first = db
    .upsert(tables.userPictures)
    .values({ userId, ...stored })
    .onConflictDoUpdate({ target: tables.userPictures.userId, set: stored })
    .returning({ userId: tables.userPictures.userId });
  await changeAccount(handle, { userId, first, also, ...renewPictureId(handle, userId, pictureId, now) }, now);
}

/** Removes the user's picture. False if there is none. */
export function removePicture(handle: Handle, { userId, also }: { userId: string; also?: Also }, now: number): Promise<boolean> {
  const { db, tables } = handle;
  const first = db
    .delete(tables.userPictures)
    .where(eq(tables.userPictures.userId, userId))
    .returning({ userId: tables.userPictures.userId });
  return changeAccount(handle, { userId, first, also, ...renewPictureId(handle, userId, null, now) }, now);
}
