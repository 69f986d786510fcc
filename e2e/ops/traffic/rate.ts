import { setTimeout as pause } from "node:timers/promises";
import type { Call, Client } from "./client.ts";
import { judge, type Outcome } from "./outcomes.ts";

export type Rate = { outcomes: Outcome[]; stop(): Promise<void> };

/**
 * Sends requests at a constant rate, whether or not earlier ones have been answered: an open model, as callers who do
 * not know of each other. `next`: the request with this number.
 */
export function startRate(
  client: Client,
  perSecond: number,
  next: (number: number) => Call,
  { expected = [200], kind = "request" }: { expected?: readonly number[]; kind?: string } = {},
): Rate {
  const outcomes: Outcome[] = [];
  const running = new Set<Promise<void>>();
  let stopped = false;

  async function send(number: number): Promise<void> {
    const at = performance.now();
    const { result, detail } = judge(await client.send(next(number)), expected);
    outcomes.push({ kind, at, ms: performance.now() - at, result, detail });
  }

  const sending = (async () => {
    const began = performance.now();
    for (let number = 0; !stopped; ) {
      const due = Math.floor(((performance.now() - began) * perSecond) / 1_000);
      for (; number < due; number++) {
        const sent = send(number).finally(() => running.delete(sent));
        running.add(sent);
      }
      await pause(1);
    }
  })();
  return {
    outcomes,
    async stop() {
      stopped = true;
      await sending;
      await Promise.all(running);
    },
  };
}

/** Sends requests at a constant rate for so long. */
export async function during(
  seconds: number,
  client: Client,
  perSecond: number,
  next: (number: number) => Call,
  options?: { expected?: readonly number[]; kind?: string },
): Promise<Outcome[]> {
  const rate = startRate(client, perSecond, next, options);
  await pause(seconds * 1_000);
  await rate.stop();
  return rate.outcomes;
}
