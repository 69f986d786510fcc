import { checkRedirectUri, mintTimeOrderedId } from "@gatehouse/auth";
import type { WriteQuery } from "@gatehouse/db/query/db";
import type { PreviewFrame } from "@gatehouse/db/schema/preview-frame";
import {
  endPreviewSlot,
  findPreviewFrame,
  insertPreviewSlot,
  listLiveSlots,
  type PreviewSlotRow,
  renewPreviewSlot,
} from "@gatehouse/db/stores/auth/preview-slots";
import type { AuditAction } from "../audit/actions.ts";
import { auditWrite } from "../audit/entry.ts";
import { type ClientRow, findClientRow } from "../clients/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid, type Problem } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import { assertMayExtend } from "../resources/attached.ts";
import { mostSlotSeconds, uriInFrame } from "./frame-rules.ts";
import { outsideFrame } from "./slot-uri.ts";
import { requireFrame, slottedClient } from "./slotted-client.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random">;

/** Live slots of one client. CO-29. */
export const MOST_LIVE_SLOTS = 50;

/** `endsInSeconds`: as long as the frame allows if left out. */
export type SlotDraft = { clientId: string; key: string; redirectUri: string; endsInSeconds?: number | undefined };

export type SlotView = Omit<PreviewSlotRow, "clientId" | "makerId">;

export const viewSlot = ({ clientId: _, makerId: _maker, ...slot }: PreviewSlotRow): SlotView => slot;

/**
 * Creates the slot with this key, or renews it: the same call with the same URI moves its end and changes nothing else.
 * Another URI ends the old slot with everything issued through it. Throws `invalid` with the difference from the frame,
 * `conflict`, `forbidden` or `not_found`. CO-29.
 */
export async function putPreviewSlot(draft: SlotDraft, author: Author, deps: Part): Promise<SlotView> {
  const client = await slottedClient(draft.clientId, author, deps);
  await assertMayExtend(client, author, deps);
  const frame = requireFrame(await findPreviewFrame(deps.db, client.id));
  const now = deps.now();
  const live = await listLiveSlots(deps.db, client.id, { now, limit: MOST_LIVE_SLOTS });
  return putInto({ client, frame, live }, draft, author, deps);
}

type Place = { client: ClientRow; frame: PreviewFrame; live: readonly PreviewSlotRow[] };

async function putInto(
  { client, frame, live }: Place,
  draft: SlotDraft,
  author: Author,
  deps: Part,
): Promise<SlotView> {
  const { key, redirectUri } = draft;
  const problems = slotProblems({ client, frame, live }, draft);
  if (problems.length > 0) throw invalid(problems);
  const now = deps.now();
  const endsAt = now + (draft.endsInSeconds ?? mostSlotSeconds(frame));
  const current = live.find((slot) => slot.key === key);
  const audited = (action: AuditAction, ends: number) =>
    slotWrite(author, client, { action, key, detail: { redirect_uri: redirectUri, ends_at: ends } }, deps);
  const checked = { now, clientVersion: client.version };
  if (current?.redirectUri === redirectUri) {
    // Never earlier: tokens were issued until the old end.
    const renewed = { ...current, renewedAt: now, endsAt: Math.max(current.endsAt, endsAt) };
    if (await renewPreviewSlot(deps.db, renewed, checked, [audited("preview_slot.renew", renewed.endsAt)]))
      return viewSlot(renewed);
  }
  const maker = { makerId: author.id, makerName: author.name };
  const slot = {
    id: mintTimeOrderedId(deps),
    clientId: client.id,
    key,
    redirectUri,
    ...maker,
    createdAt: now,
    renewedAt: now,
    endsAt,
  };
  if (
    await insertPreviewSlot(deps.db, slot, { ...checked, most: MOST_LIVE_SLOTS }, [audited("preview_slot.put", endsAt)])
  )
    return viewSlot(slot);
  if ((await findClientRow(deps.db, client.id))?.version !== client.version)
    throw new DomainError(
      "conflict",
      "The client was changed at the same time, so the slot was not put. Put it again.",
    );
  throw new DomainError(
    "conflict",
    `This client has ${MOST_LIVE_SLOTS} live preview slots. End one that is no longer used.`,
  );
}

function slotProblems({ client, frame, live }: Place, { key, redirectUri, endsInSeconds = 0 }: SlotDraft): Problem[] {
  const most = mostSlotSeconds(frame);
  const check = checkRedirectUri({ uri: redirectUri, type: client.type, environment: client.environment });
  const outside = outsideFrame(frame, redirectUri);
  const taken = live.find((slot) => slot.redirectUri === redirectUri && slot.key !== key);
  const about = (message: string | false | undefined, path = "redirectUri") => (message ? [{ path, message }] : []);
  return [
    ...about(check.ok ? outside : check.message),
    ...about(taken && `the slot ${taken.key} has this URI`),
    ...about(client.redirectUris.includes(redirectUri) && "is registered for the client, so it needs no slot"),
    ...about(endsInSeconds > most && `at most ${most / 86_400} days for previews of this client`, "endsInSeconds"),
  ];
}

/** Slots for teams whose CI has no token: previews are deployed to fixed names. CO-30. */
const NUMBERED = 20;

/**
 * Puts the slots `slot-1` to `slot-20`, whose hosts have these names. Throws as {@link putPreviewSlot}; then none is
 * put. CO-30.
 */
export async function putNumberedSlots(clientId: string, author: Author, deps: Part): Promise<SlotView[]> {
  const client = await slottedClient(clientId, author, deps);
  await assertMayExtend(client, author, deps);
  const frame = requireFrame(await findPreviewFrame(deps.db, client.id));
  const live = await listLiveSlots(deps.db, client.id, { now: deps.now(), limit: MOST_LIVE_SLOTS });
  const keys = Array.from({ length: NUMBERED }, (_, at) => `slot-${at + 1}`);
  const others = live.filter(({ key }) => !keys.includes(key));
  if (others.length + NUMBERED > MOST_LIVE_SLOTS)
    throw new DomainError(
      "conflict",
      `A client has at most ${MOST_LIVE_SLOTS} live slots, and ${others.length} others are live. End some.`,
    );
  const drafts = keys.map((key) => ({ clientId, key, redirectUri: uriInFrame(frame, key) }));
  const problems = drafts.flatMap((draft) => slotProblems({ client, frame, live }, draft));
  if (problems.length > 0) throw invalid(problems);
  const slots: SlotView[] = [];
  for (const draft of drafts) slots.push(await putInto({ client, frame, live }, draft, author, deps));
  return slots;
}

/**
 * Ends the live slot with this key, with everything issued through it. Returns whether there was one, so that CI can
 * repeat the call. Throws `forbidden`, `conflict` or `not_found` for the client. CO-30.
 */
export async function endSlot(
  { clientId, key }: { clientId: string; key: string },
  author: Author,
  deps: Part,
): Promise<{ ended: boolean }> {
  const client = await slottedClient(clientId, author, deps);
  const now = deps.now();
  const live = await listLiveSlots(deps.db, clientId, { now, limit: MOST_LIVE_SLOTS });
  const slot = live.find((one) => one.key === key);
  if (!slot) return { ended: false };
  const entry = { action: "preview_slot.end" as const, key, detail: { redirect_uri: slot.redirectUri } };
  return { ended: await endPreviewSlot(deps.db, slot.id, now, [slotWrite(author, client, entry, deps)]) };
}

/** The audit row of a change of a slot. Its object is the client. */
function slotWrite(
  author: Author,
  { id, name, applicationName, environment }: ClientRow,
  { action, key, detail }: { action: AuditAction; key: string; detail: Record<string, unknown> },
  deps: Part,
): WriteQuery {
  const objectName = `${applicationName} · ${name} · ${key}`;
  return auditWrite(author, { action, object: id, objectName, environment, detail: { key, ...detail } }, deps);
}
