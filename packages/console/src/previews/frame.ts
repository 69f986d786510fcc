import type { PreviewFrame } from "@gatehouse/db/schema/preview-frame";
import {
  findPreviewFrame,
  listEndedSlots,
  listLiveSlots,
  setPreviewFrame,
} from "@gatehouse/db/stores/auth/preview-slots";
import { changedMeanwhile } from "../audit/conflict.ts";
import { changedFields } from "../audit/entry.ts";
import { clientWrite } from "../clients/audit.ts";
import { type ClientRow, findClientRow } from "../clients/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import { type Author, assertMayManage } from "../permissions.ts";
import { frameProblems, mostSlotSeconds, sharedSuffixOf } from "./frame-rules.ts";
import { MOST_LIVE_SLOTS, type SlotView, viewSlot } from "./preview-slots.ts";
import { outsideFrame } from "./slot-uri.ts";
import { slottedClient, takesPreviews } from "./slotted-client.ts";

const LISTED_ENDED = 10;
/** How often a change of the frame looks again at slots that change meanwhile. */
const MOST_TURNS = 10;
const NO_FRAME = { hostPrefix: null, hostSuffix: null, path: null };

export type PreviewsView = {
  /** Null until an admin set it. `sharedSuffix`: the domain under which anybody can get hosts of the frame. */
  frame: (PreviewFrame & { sharedSuffix: string | null; mostSeconds: number }) | null;
  /** Of the client, for a change of the frame. */
  version: number;
  most: number;
  /** The next to end first. */
  live: SlotView[];
  /** The last that ended. */
  ended: SlotView[];
};

/** The frame and the slots of a client. Throws `not_found`, also for a client that can have none. CO-28. */
export async function listPreviews(
  clientId: string,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): Promise<PreviewsView> {
  const client = await findClientRow(db, clientId);
  if (!client || !takesPreviews(client))
    throw new DomainError("not_found", "There is no such client with preview slots.");
  const at = now();
  const [frame, live, ended] = await Promise.all([
    findPreviewFrame(db, clientId),
    listLiveSlots(db, clientId, { now: at, limit: MOST_LIVE_SLOTS }),
    listEndedSlots(db, clientId, { now: at, limit: LISTED_ENDED }),
  ]);
  return {
    frame: frame && { ...frame, sharedSuffix: sharedSuffixOf(frame), mostSeconds: mostSlotSeconds(frame) },
    version: client.version,
    most: MOST_LIVE_SLOTS,
    live: live.map(viewSlot),
    ended: ended.map(viewSlot),
  };
}

/**
 * Sets which redirect URIs the client's slots may have; null: none. Ends the live slots that would not be accepted now.
 * Throws `invalid`, `forbidden` for anybody but admins, `not_found`, and `conflict` if the client is no longer at
 * `version`. CO-29, CO-45.
 */
export async function changePreviewFrame(
  { clientId, frame, version }: { clientId: string; frame: PreviewFrame | null; version: number },
  author: Author,
  deps: Pick<OperationDeps, "db" | "now" | "random">,
): Promise<PreviewsView> {
  const client = await slottedClient(clientId, author, deps);
  assertMayManage(author, "production"); // only admins decide which hosts may get tokens
  const problems = frame ? frameProblems(frame, client) : [];
  if (problems.length > 0) throw invalid(problems);
  const change = { client, frame, version };
  // A slot that is put or renewed meanwhile is looked at again: CI may do so at any time.
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (await setFrame(change, author, deps)) return listPreviews(clientId, deps);
    if ((await findClientRow(deps.db, clientId))?.version !== version) break;
  }
  // The version first: a frame that is set after it is read is another conflict, and not overwritten unseen.
  const now = (await findClientRow(deps.db, clientId))?.version ?? version;
  const theirs = { frame: (await findPreviewFrame(deps.db, clientId)) ?? null };
  throw await changedMeanwhile({ object: clientId, theirs, version: now }, deps);
}

/** Sets the frame and ends the live slots outside of it. False if the client, or a slot, changed since it was read. */
async function setFrame(
  { client, frame, version }: { client: ClientRow; frame: PreviewFrame | null; version: number },
  author: Author,
  deps: Pick<OperationDeps, "db" | "now" | "random">,
): Promise<boolean> {
  const now = deps.now();
  const before = await findPreviewFrame(deps.db, client.id);
  const live = await listLiveSlots(deps.db, client.id, { now, limit: MOST_LIVE_SLOTS });
  const ended = live.filter(({ redirectUri, endsAt }) => {
    return frame === null || outsideFrame(frame, redirectUri) !== undefined || endsAt > now + mostSlotSeconds(frame);
  });
  const detail = {
    changes: changedFields(before ?? NO_FRAME, frame ?? NO_FRAME),
    ...(ended.length > 0 && { ended: ended.map(({ key }) => key) }),
  };
  const also = [clientWrite(author, client, { action: "preview_frame.set", detail }, deps)];
  const change = { clientId: client.id, frame, version, live, ended: ended.map(({ id }) => id) };
  return setPreviewFrame(deps.db, change, now, also);
}
