import type { AccountRecord, Picture, PictureType } from "@gatehouse/accounts";
import { and, eq, isNull } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { changeAccount } from "./account-change.ts";

/** Changes what a user says about themselves. False if there is no such user. */
export function changeProfile(
  db: Db,
  { userId, also, ...profile }: { userId: string; name?: string; locale?: string; also?: AccountRecord },
  now: number,
): Promise<boolean> {
  const { tables } = db;
  const first = db
    .update(tables.users)
    .set({ ...profile, profileChangedAt: now })
    .where(eq(tables.users.id, userId))
    .returning({ id: tables.users.id });
  return changeAccount(db, { userId, first, also }, now);
}

/** A picture as it is stored. `updatedAt` is Unix seconds, and changes its URL. */
export type StoredPicture = { type: string; bytes: Uint8Array; updatedAt: number };

export async function findPicture(db: ReadDb, userId: string): Promise<StoredPicture | undefined> {
  const { userPictures } = db.tables;
  const [row] = await db
    .select({ type: userPictures.type, bytes: userPictures.bytes, updatedAt: userPictures.updatedAt })
    .from(userPictures)
    .where(eq(userPictures.userId, userId));
  return row;
}

/** When the user's picture was last changed; undefined without a picture. */
export async function findPictureTime(db: ReadDb, userId: string): Promise<number | undefined> {
  const { userPictures } = db.tables;
  const [row] = await db
    .select({ updatedAt: userPictures.updatedAt })
    .from(userPictures)
    .where(eq(userPictures.userId, userId));
  return row?.updatedAt;
}

/** The picture with this public id, of an account that is not disabled. */
export async function findPublicPicture(db: ReadDb, pictureId: string): Promise<StoredPicture | undefined> {
  const { users, userPictures } = db.tables;
  const [row] = await db
    .select({ type: userPictures.type, bytes: userPictures.bytes, updatedAt: userPictures.updatedAt })
    .from(users)
    .innerJoin(userPictures, eq(userPictures.userId, users.id))
    .where(and(eq(users.pictureId, pictureId), isNull(users.disabledAt)));
  return row;
}

/**
 * Gives the picture another public id, or none. The account's row is locked before the picture's, as other changes of
 * an account do.
 */
function renewPictureId(
  db: Db,
  userId: string,
  pictureId: string | null,
  now: number,
): { lock: WriteQuery; rest: WriteQuery[] } {
  const { users } = db.tables;
  const own = eq(users.id, userId);
  return {
    lock: db.update(users).set({ id: userId }).where(own),
    rest: [db.update(users).set({ pictureId, profileChangedAt: now }).where(own)],
  };
}

/** Saves the user's picture and replaces the earlier one, whose public id is no longer found. `pictureId`: random. */
export async function savePicture(
  db: Db,
  {
    userId,
    pictureId,
    type,
    bytes,
    also,
  }: { userId: string; pictureId: string; also?: AccountRecord } & Picture & { type: PictureType },
  now: number,
): Promise<void> {
  const { tables } = db;
  const stored = { type, bytes: Buffer.from(bytes), updatedAt: now };
  const first = db
    .upsert(tables.userPictures)
    .values({ userId, ...stored })
    .onConflictDoUpdate({ target: tables.userPictures.userId, set: stored })
    .returning({ userId: tables.userPictures.userId });
  await changeAccount(db, { userId, first, also, ...renewPictureId(db, userId, pictureId, now) }, now);
}

/** Removes the user's picture. False if there is none. */
export function removePicture(
  db: Db,
  { userId, also }: { userId: string; also?: AccountRecord },
  now: number,
): Promise<boolean> {
  const { tables } = db;
  const first = db
    .delete(tables.userPictures)
    .where(eq(tables.userPictures.userId, userId))
    .returning({ userId: tables.userPictures.userId });
  return changeAccount(db, { userId, first, also, ...renewPictureId(db, userId, null, now) }, now);
}
