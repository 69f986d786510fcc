import { afterEach, expect, test, vi } from "vitest";
import { secondsToWait } from "@/session/rate-limit.ts";
import { runForEach, type Verdict } from "./bulk.ts";

const messageOf = (error: unknown) => (error instanceof Error ? error.message : "");

test("CO-84 every row of a bulk act gets a verdict, and a failure stops no other", async () => {
  const verdicts: Verdict[] = [];
  const act = async (id: string) => {
    if (id === "b") throw new Error("locked");
  };
  await runForEach(["a", "b", "c", "d", "e", "f"], act, {
    settled: (verdict) => verdicts.push(verdict),
    messageOf,
    retryAfterOf: () => undefined,
    signal: new AbortController().signal,
  });
  expect(verdicts.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
    { id: "a", ok: true },
    { id: "b", ok: false, message: "locked" },
    ...["c", "d", "e", "f"].map((id) => ({ id, ok: true })),
  ]);
});

afterEach(() => {
  vi.useRealTimers();
});

class TooSoon extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super("too many requests");
    this.seconds = seconds;
  }
}
const retryAfterOf = (error: unknown) => (error instanceof TooSoon ? error.seconds : undefined);

test("CO-84 CO-94 a bulk act over more rows than the rate limit allows at once waits, and does every row once", async () => {
  vi.useFakeTimers();
  const session = "bulk over many rows";
  const done: string[] = [];
  const act = async (id: string) => {
    const wait = secondsToWait(session, 1, Date.now());
    if (wait !== undefined) throw new TooSoon(wait);
    done.push(id);
  };
  const ids = Array.from({ length: 1_000 }, (_, index) => String(index));
  const verdicts: Verdict[] = [];
  const running = runForEach(ids, act, {
    settled: (verdict) => verdicts.push(verdict),
    messageOf,
    retryAfterOf,
    signal: new AbortController().signal,
  });
  await vi.runAllTimersAsync();
  await running;
  expect(done.toSorted()).toEqual(ids.toSorted());
  expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
});

test("CO-84 a stop does not wait for the rate limit, and the row that waited is not done", async () => {
  const stop = new AbortController();
  const verdicts: Verdict[] = [];
  const act = async () => {
    queueMicrotask(() => stop.abort());
    throw new TooSoon(600);
  };
  await runForEach(["a"], act, {
    settled: (verdict) => verdicts.push(verdict),
    messageOf,
    retryAfterOf,
    signal: stop.signal,
  });
  expect(verdicts).toEqual([]);
});

test("CO-84 no more than four rows run at a time, and none starts after a stop", async () => {
  const stop = new AbortController();
  let running = 0;
  let most = 0;
  const started: string[] = [];
  const act = async (id: string) => {
    started.push(id);
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    if (id === "4") stop.abort();
  };
  const ids = Array.from({ length: 100 }, (_, index) => String(index));
  await runForEach(ids, act, { settled: () => {}, messageOf, retryAfterOf: () => undefined, signal: stop.signal });
  expect(most).toBe(4);
  expect(started.length).toBeLessThan(12);
});
