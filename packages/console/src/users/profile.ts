import { type AccountEvent, type AccountEventKind, accountEvent, type EventSource } from "@gatehouse/accounts";
import { mintId } from "@gatehouse/auth";
import {
  changeProfile,
  findPicture,
  findPictureTime,
  findPublicPicture,
  removePicture,
  type StoredPicture,
  savePicture,
} from "@gatehouse/db/stores/accounts/profile";
import { addressFor } from "../deliveries/detail/rights.ts";
import type { OperationDeps } from "../deps.ts";
import type { Actor } from "../permissions.ts";
import { type PictureProblem, reEncodePicture } from "../pictures/re-encode.ts";
import { USER_PICTURE_RULES } from "../pictures/user-picture.ts";
import { listAccountEvents, saveAccountEvent } from "./activity-queries.ts";

/** Whose profile changes, and from which browser. */
export type ProfileOf = { userId: string; source: EventSource };
type ProfileDeps = Pick<OperationDeps, "db" | "now" | "random">;

/** The record of a change, for the same transaction. `what` names it, without the value. */
const changed = (what: string, { userId, source }: ProfileOf, deps: ProfileDeps) => ({
  events: [accountEvent("profile_changed", { userId, source, detail: { what } }, deps)],
});

/** Changes the name. `name` was checked: one line, at most 80 characters. RG-09. */
export async function renameUser(name: string, of: ProfileOf, deps: ProfileDeps): Promise<void> {
  await changeProfile(deps.db, { userId: of.userId, name, also: changed("name", of, deps) }, deps.now());
}

/** Saves the language that pages and mails have from now on: a BCP 47 tag. LG-01, LG-03. */
export async function saveLocale(
  locale: string,
  userId: string,
  deps: Pick<OperationDeps, "db" | "now">,
): Promise<void> {
  await changeProfile(deps.db, { userId, locale }, deps.now());
}

/** The user's own picture; undefined without one. */
export function getPicture(userId: string, { db }: Pick<OperationDeps, "db">): Promise<StoredPicture | undefined> {
  return findPicture(db, userId);
}

/** The picture at a public URL, which clients with the scope `profile` are told. OI-05. */
export function getPublicPicture(
  pictureId: string,
  { db }: Pick<OperationDeps, "db">,
): Promise<StoredPicture | undefined> {
  return findPublicPicture(db, pictureId);
}

/** When the picture was last changed, in Unix seconds; undefined without one. */
export function pictureTime(userId: string, { db }: Pick<OperationDeps, "db">): Promise<number | undefined> {
  return findPictureTime(db, userId);
}

/**
 * Replaces the picture with an uploaded one, encoded again. Returns what is wrong with the upload; undefined if it is
 * saved. RG-09.
 */
export async function setPicture(
  upload: Uint8Array,
  of: ProfileOf,
  deps: ProfileDeps,
): Promise<PictureProblem | undefined> {
  const picture = await reEncodePicture(upload, USER_PICTURE_RULES);
  if ("problem" in picture) return picture.problem;
  await savePicture(
    deps.db,
    { userId: of.userId, pictureId: mintId(deps.random), ...picture, also: changed("picture", of, deps) },
    deps.now(),
  );
  return undefined;
}

/** Removes the picture. Does nothing without one. */
export async function unsetPicture(of: ProfileOf, deps: ProfileDeps): Promise<void> {
  await removePicture(deps.db, { userId: of.userId, also: changed("picture", of, deps) }, deps.now());
}

/** Records what the user did on the account pages. SN-05. */
export function recordActivity(
  kind: AccountEventKind,
  { userId, source }: ProfileOf,
  deps: ProfileDeps,
): Promise<void> {
  return saveAccountEvent(deps.db, accountEvent(kind, { userId, source }, deps));
}

const EVENTS_PER_PAGE = 30;

/** One page of an account's events, newest first; `next` starts the following page. SN-05. */
export async function listActivity(
  { userId, before }: { userId: string; before?: string | undefined },
  { db }: Pick<OperationDeps, "db">,
): Promise<{ events: AccountEvent[]; next: string | undefined }> {
  const found = await listAccountEvents(db, { userId, before, limit: EVENTS_PER_PAGE + 1 });
  const events = found.slice(0, EVENTS_PER_PAGE);
  return { events, next: found.length > EVENTS_PER_PAGE ? events.at(-1)?.id : undefined };
}

/** The same for somebody who views another user's account: only admins see whole addresses. CO-02. */
export async function listUserActivity(
  of: { userId: string; before?: string | undefined },
  viewer: Actor,
  deps: Pick<OperationDeps, "db">,
) {
  const { events, next } = await listActivity(of, deps);
  return { events: events.map((event) => ({ ...event, address: addressFor(viewer, event.address) })), next };
}
