import { setTimeout as pause } from "node:timers/promises";
import type { Stories } from "./stories.ts";

/** How often each story occurs among the others: all grants, and webhooks. */
const SHARES: Record<string, number> = {
  clientCredentials: 16,
  api: 20,
  introspect: 18,
  refresh: 14,
  webhook: 16,
  code: 5,
  theft: 1,
  revoke: 2,
  exchange: 3,
  assertion: 2,
  deviceFlow: 1,
};
/** A story in 5 ms, however long the earlier ones take. With those of several requests, about 200 requests/s. */
const EVERY_MS = 6.5;
/** A server that hangs must not fill the client's memory. */
const MOST_AT_ONCE = 3_000;

export type Wheel = { stop(): Promise<void> };

/** Begins stories at a constant rate, as users and providers do, who do not wait for each other. */
export function startWheel(stories: Stories, perSecond = 1_000 / EVERY_MS): Wheel {
  const order = interleaved();
  const running = new Set<Promise<void>>();
  let stopped = false;

  const turning = (async () => {
    const began = performance.now();
    for (let turn = 0; !stopped; turn++) {
      const wait = began + (turn * 1_000) / perSecond - performance.now();
      if (wait > 1) await pause(wait);
      if (running.size >= MOST_AT_ONCE) continue;
      const story = stories[order[turn % order.length] ?? ""];
      if (!story) throw new Error(`no story ${order[turn % order.length]}`);
      const told = story().finally(() => running.delete(told));
      running.add(told);
    }
  })();

  return {
    async stop() {
      stopped = true;
      await turning;
      await Promise.all(running);
    },
  };
}

/** Each story as often as its share says, spread evenly. */
function interleaved(): string[] {
  const slots = Object.entries(SHARES).flatMap(([name, share]) =>
    Array.from({ length: share }, (_, at) => ({ name, at: (at + 0.5) / share })),
  );
  return slots.toSorted((one, other) => one.at - other.at).map(({ name }) => name);
}
