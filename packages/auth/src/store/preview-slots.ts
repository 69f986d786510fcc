import type { PreviewSlot } from "../preview-slots/preview-slot.ts";

export type PreviewSlotStore = {
  /** The slot of this client with this redirect URI that ends, or ended, last. CO-28. */
  findPreviewSlot(clientId: string, redirectUri: string): Promise<PreviewSlot | undefined>;
  findPreviewSlotById(id: string): Promise<PreviewSlot | undefined>;
  /** Records that a grant was made through a slot, so that it is revoked when the slot is ended. CO-30. */
  bindGrantToSlot(grantId: string, slotId: string): Promise<void>;
};
