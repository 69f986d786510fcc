import { expect, test } from "vitest";
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
    signal: new AbortController().signal,
  });
  expect(verdicts.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
    { id: "a", ok: true },
    { id: "b", ok: false, message: "locked" },
    ...["c", "d", "e", "f"].map((id) => ({ id, ok: true })),
  ]);
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
  await runForEach(ids, act, { settled: () => {}, messageOf, signal: stop.signal });
  expect(most).toBe(4);
  expect(started.length).toBeLessThan(12);
});
