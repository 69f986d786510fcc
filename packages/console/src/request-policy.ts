import type { RequestPolicy } from "@gatehouse/auth";
import { findPreviewFrame, findPreviewSlot, findPreviewSlotById } from "@gatehouse/db/stores/auth/preview-slots";
import { findTestRun } from "@gatehouse/db/stores/auth/test-runs";
import type { OperationDeps } from "./deps.ts";
import { slotEndedAtRequest, slotEndedAtToken, slotExemption, slotIdOf } from "./previews/exemption.ts";
import { matchesSlot } from "./previews/slot-uri.ts";
import { isLiveRun, runDiffers, runEnded, runExemption, runIdOf } from "./try/exemption.ts";

/**
 * The exemptions of the console: test runs, which it makes requests for itself, and preview slots, which are found by
 * their redirect URI. CO-28, CO-38.
 */
export function createRequestPolicy({ db, now, config }: Pick<OperationDeps, "db" | "now" | "config">): RequestPolicy {
  return {
    async ofRedirectUri({ clientId, environment }, sent) {
      const slot = await findPreviewSlot(db, clientId, sent);
      if (!slot) return undefined;
      const frame = await findPreviewFrame(db, clientId);
      if (!matchesSlot(slot, { clientId, environment, frame }, sent, now())) throw slotEndedAtRequest(slot);
      return slotExemption(slot, db);
    },

    async ofRequest(id) {
      const runId = runIdOf(id);
      const run = runId === undefined ? undefined : await findTestRun(db, runId);
      if (!run || !isLiveRun(run, now())) throw runEnded();
      return runExemption(run, config.consoleCallback ?? "");
    },

    async ofCredential(id) {
      const slotId = slotIdOf(id);
      if (slotId === undefined) throw runDiffers();
      const slot = await findPreviewSlotById(db, slotId);
      if (!slot || slot.endsAt <= now()) throw slotEndedAtToken(slot, now());
      return slotExemption(slot, db);
    },
  };
}
