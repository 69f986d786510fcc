import { type Exemption, invalidGrant, OAuthError, type RefusalDetail } from "@gatehouse/auth";
import type { Db } from "@gatehouse/db/query/db";
import { bindGrantToSlot, type PreviewSlot } from "@gatehouse/db/stores/auth/preview-slots";

/** Counts the sign-ins through all preview slots of a client: each has a URI of its own, and they come and go. */
const PREVIEW_SLOT_USE = "preview slot";

/** The id of the slot that an exemption id names; undefined for an exemption of another kind. */
export function slotIdOf(exemptionId: string): string | undefined {
  return exemptionId.startsWith("slot:") ? exemptionId.slice("slot:".length) : undefined;
}

/**
 * What a live slot allows: its redirect URI, until its end. Grants are bound to the slot, so that its end revokes them.
 * CO-28, CO-30.
 */
export function slotExemption(slot: PreviewSlot, db: Db): Exemption {
  return {
    id: `slot:${slot.id}`,
    clientId: slot.clientId,
    redirectUri: slot.redirectUri,
    endsAt: slot.endsAt,
    isTest: false,
    recordsOf: ({ store, usage }) => ({
      store: {
        ...store,
        saveGrant: async (grant, liveSession) => {
          if (!(await store.saveGrant(grant, liveSession))) return false;
          await bindGrantToSlot(db, grant.id, slot.id);
          return true;
        },
      },
      usage: usage && { ...usage, signedIn: (client) => usage.signedIn(client, PREVIEW_SLOT_USE) },
    }),
    refusal: () => slotEndedAtRequest(slot),
  };
}

/** The error for an authorization request to a slot that has ended, or whose client lost the frame. CO-30. */
export function slotEndedAtRequest({ key, redirectUri }: PreviewSlot): OAuthError {
  return new OAuthError("invalid_request", "preview_slot_ended", "the preview slot with this redirect_uri has ended", {
    status: 400,
    description: "This preview has ended. Nothing was sent to it. Deploy it again, or ask the team of the application.",
    detail: { slot: key, sent: redirectUri },
  });
}

/** The error for a code or token of a slot that has ended; undefined: of one that ended long ago. CO-30. */
export function slotEndedAtToken(slot: PreviewSlot | undefined, now: number): OAuthError {
  const detail: RefusalDetail = slot ? { slot: slot.key, endedSecondsAgo: now - slot.endsAt } : {};
  return invalidGrant("preview_slot_ended", "the preview slot that the user came through has ended", detail);
}
