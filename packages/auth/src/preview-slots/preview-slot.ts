import type { Client } from "../clients/client.ts";
import type { Deps } from "../deps.ts";
import type { TokenContext } from "../tokens/context.ts";
import { invalidGrant } from "../tokens/grant-status.ts";

/**
 * One more redirect URI of a development or staging client, for a preview deployment. Everything issued through it ends with it: grants are
 * revoked when it is ended, and no token outlives it. CO-28, CO-30.
 */
export type PreviewSlot = {
  id: string;
  clientId: string;
  /** What CI calls it, such as `pr-123`. */
  key: string;
  redirectUri: string;
  /** Unix seconds. */
  endsAt: number;
};

/** The newest slot with this redirect URI, ended or not. Clients without a frame have no slots, so nothing is looked up for them. */
export async function findSlotByUri(
  { clientId, previewFrame }: Pick<Client, "clientId" | "previewFrame">,
  redirectUri: string,
  { store }: Pick<Deps, "store">,
): Promise<PreviewSlot | undefined> {
  return previewFrame ? store.findPreviewSlot(clientId, redirectUri) : undefined;
}

/**
 * When the slot ends that a credential was issued through, in Unix seconds; undefined, without a lookup, for any other credential. Throws
 * `invalid_grant` if it has ended. CO-30.
 */
export async function previewEnd(context: TokenContext | null, { store, now }: Pick<Deps, "store" | "now">): Promise<number | undefined> {
  if (context?.previewSlot === undefined) return undefined;
  const slot = await store.findPreviewSlotById(context.previewSlot);
  if (slot && now() < slot.endsAt) return slot.endsAt;
  const detail = slot && { slot: slot.key, endedSecondsAgo: now() - slot.endsAt };
  throw invalidGrant("preview_slot_ended", "the preview slot that the user came through has ended", detail);
}
