import type { Handle, WriteQuery } from "@gatehouse/db/query/handle";
import { hasEffect, insertEffect } from "@gatehouse/db/stores/webhooks/runs";

/** Another process has taken over the job, so this one must not write any more. */
export class LostJob extends Error {
  override readonly name = "LostJob";
}

/** The event and handler that effects are marked for. */
export type EffectOwner = { endpoint: string; eventKey: Uint8Array; handler: string };

/**
 * Makes {@link HandlerContext.once}. Mark, effect and the fence on the job's lease are one transaction: of several processes that run the
 * same handler for the same event, at most one commits, and a crash leaves all or nothing.
 */
export function createOnce(owner: EffectOwner, deps: { handle: Handle; now: () => number; fence: () => WriteQuery }) {
  const { handle, now, fence } = deps;
  return async (name: string, writes: readonly WriteQuery[]): Promise<boolean> => {
    const mark = { ...owner, name };
    if (await hasEffect(handle, mark)) return false;
    const held = await handle.guarded(fence(), [insertEffect(handle, { ...mark, createdAt: now() }), ...writes]).catch(async (error) => {
      // A mark that appeared meanwhile: another run of this handler was faster.
      if (await hasEffect(handle, mark)) return undefined;
      throw error;
    });
    if (held === false) throw new LostJob("another process runs this handler now");
    return held === true;
  };
}
