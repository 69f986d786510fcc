import { expect, test, vi } from "vitest";
import { createPace } from "./pace.ts";

test("OP-36 the sweeper rests after each statement for as long as it took, so it is busy at most half of the time", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const rested: number[] = [];
    const pace = createPace({ shortestMs: 5, rest: async (ms) => void rested.push(ms) });
    for (const ms of [40, 1, 10]) await pace.run(async () => void vi.advanceTimersByTime(ms));
    await pace.run(async () => {
      vi.advanceTimersByTime(2);
      return []; // no row
    });
    await pace.run(async () => {});
    expect(rested).toEqual([40, 5, 10, 2]); // none before the first
  } finally {
    vi.useRealTimers();
  }
});

test("OP-36 a stop ends a rest", async () => {
  const stop = new AbortController();
  const pace = createPace({ shortestMs: 600_000, signal: stop.signal });
  await pace.run(async () => {});
  const next = pace.run(async () => "done");
  stop.abort();
  expect(await next).toBe("done");
  expect(pace.stopped).toBe(true);
});
